"""Numbers about the project itself, each beside a raw baseline of the same run."""
