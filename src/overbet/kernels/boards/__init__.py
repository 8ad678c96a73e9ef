"""Public-chance-sampled CFR over the betting tree of a whole hand: a board at a time, all hands at once."""
