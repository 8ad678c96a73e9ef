"""Search with three players and more: the tree of a street, and sampled walks over it."""
