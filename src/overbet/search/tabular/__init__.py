"""Re-solving on small two-player games, where what it promises can be checked exactly.

`subgames` finds public subgames; `alternatives` values them for the opponent and finds its gifts; `augmented`
builds the game with a gadget; `resolving` solves and puts the strategies together; `anchored` keeps a strategy
near a blueprint; `apart` shows why future cards belong inside one solve. The names are those of
`overbet.search`.
"""
