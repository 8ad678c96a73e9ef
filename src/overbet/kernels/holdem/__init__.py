"""The rules of no-limit hold'em: one transition function, pots, dealing and playing out."""
