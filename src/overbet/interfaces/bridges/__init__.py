"""Other programs' tables and games: OpenSpiel, PettingZoo, RLCard. Public names: `overbet.bridges`."""
