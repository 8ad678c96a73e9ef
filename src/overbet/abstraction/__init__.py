"""Bet menus, and later card buckets: how a large game is made smaller."""
