"""The postflop engine and its judge on a GPU."""
