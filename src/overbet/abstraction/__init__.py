"""Bet menus, translation of bets and card buckets: how a large game is made smaller."""
