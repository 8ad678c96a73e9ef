"""Bets: sizes as players write them, the menu of a whole game, and bets that are not in the menu."""
