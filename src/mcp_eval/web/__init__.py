"""A local, read-only look at what a working folder holds."""
