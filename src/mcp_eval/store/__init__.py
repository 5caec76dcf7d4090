"""Baselines and runs on disk."""
