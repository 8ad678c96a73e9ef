"""Fuzzing: every way in from outside is given odd things, and must end well or in one clear line."""
