"""Values of a fixed strategy for all hands at once, on one full board at a time."""
