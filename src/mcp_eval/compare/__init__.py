"""Two things in, differences and numbers out; no opinion."""
