"""One format a report can be written in, one module."""
