"""Bytes to model and back."""
