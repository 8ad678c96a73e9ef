"""Re-solving on small two-player games, where what it promises can be checked exactly.

`subgames` finds public subgames; `alternatives` values them for the opponent and finds its gifts; `augmented`
builds the game with a gadget; `resolving` solves it and puts the strategies together; `locked` finds the best
that can be had; `anchored` keeps a strategy near a blueprint; `apart` shows why future cards belong in one
solve; `coarse` makes blueprints that see less. The names are those of `overbet.search`.
"""
