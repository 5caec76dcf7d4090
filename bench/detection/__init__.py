"""What share of planted faults is found, and how many harmless changes raise an alarm."""
