"""The vector engine: all hands of two ranges at once over a public tree."""
