"""Kernels of bets: how a bet that is not in a tree is mapped, and the way back."""
