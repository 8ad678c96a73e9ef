"""Decks of decisions to practise, kept in the data folder with when each is asked again."""
