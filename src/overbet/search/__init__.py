"""Search: solving the rest of a hand while it is played."""
