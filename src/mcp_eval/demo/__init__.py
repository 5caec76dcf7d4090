"""Two builds of a small proxy, scenarios for it, and what is planted in the second."""
