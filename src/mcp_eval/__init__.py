"""Which tools still work for an agent after an update, which broke, why, and what to do."""
