"""AIVAT: the luck of cards and of mixed actions, taken out of a hand's result."""
