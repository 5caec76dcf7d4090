"""Record, check, compare: the way of the facts, through ports only."""
