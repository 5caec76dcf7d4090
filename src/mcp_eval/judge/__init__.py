"""Differences in, findings and a verdict out; no measuring."""
