"""Players: one protocol, scripted agents, blueprints, people, and anybody's own by entry point."""
