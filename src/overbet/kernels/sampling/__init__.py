"""Monte Carlo CFR on small games: external and outcome sampling."""
