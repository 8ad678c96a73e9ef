"""Traversals that write samples for networks, and the law of their reservoirs."""
