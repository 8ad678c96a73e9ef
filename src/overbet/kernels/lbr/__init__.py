"""The local best response."""
