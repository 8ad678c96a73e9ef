"""Blueprints: sampling over the real rules, dense and keyed tables, responses."""
