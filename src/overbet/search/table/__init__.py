"""Search with three players and more: two who are left exactly, more of them by sampling.

Pluribus's way (Brown & Sandholm 2019): the subgame begins with the street, every hand has its own strategy on
it, later streets have the blueprint's buckets or are played by the blueprint, in one of four ways that every
player chooses for itself at the leaves.
"""
