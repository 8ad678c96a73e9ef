"""A strategy for a whole heads-up game as a small network, and how it is made: distilled or by self-play."""
