"""Heads-up hands over HTTP, the way Slumbot offers them: `new_hand` and `act`, with JSON both ways."""
