"""Cases of planted faults and harmless changes, and the program that writes them."""
