"""Measuring play: matches, variance reduction, lower bounds on exploitability, a ledger of results."""
