"""The catalogue: each rule a few lines, in order of precedence."""
