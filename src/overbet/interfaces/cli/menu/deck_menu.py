"""Drilling mistakes: which deck, or a new one from the review of one's hands."""

from __future__ import annotations

from overbet.errors import ConfigError
from overbet.interfaces.cli.menu.asking import choose, write
from overbet.interfaces.cli.menu.checks import number_between

_ALL, _HANDS, _DRILL = " all", " hands", " drill"  # no deck's name begins with a blank


def drill_words() -> list[str]:
    """Return the command that asks what is due, or that makes a deck."""
    from overbet.interfaces.decks.store import DeckStore

    store = DeckStore()
    standings = [store.standing(deck) for deck in store.decks()]
    listed = [(f"{one.deck.name}: {one.now} of {one.cards} due", one.deck.name) for one in standings]
    if len(listed) > 1:
        listed.append(("All decks", _ALL))
    listed += [
        ("Make a deck of what the review of my hands found", _HANDS),
        ("Make a deck of my mistakes in the page's drill", _DRILL),
    ]
    chosen = choose("Which deck?", listed)
    if chosen == _ALL:
        return ["drill"]
    if chosen not in (_HANDS, _DRILL):
        return ["drill", "--deck", chosen]
    name = write("Name of the deck", _check_name, "My mistakes" if chosen == _HANDS else "Drill")
    if chosen == _DRILL:
        return ["decks", "make", name, "--from", "drill"]
    words = ["decks", "make", name]
    wanted = write("Which hands, such as pos=BTN and 3bet; Enter for all", _check_filter)
    least = write("Least loss in big blinds", number_between(0, 1e6, "a loss"), "0")
    return [
        *words,
        *(["--filter", wanted] if wanted else []),
        *(["--least-loss", least] if float(least) else []),
    ]


def _check_name(text: str) -> None:
    from overbet.interfaces.decks.store import checked_name

    if checked_name(text).startswith("-"):
        raise ConfigError("a deck's name does not begin with -: that would be an option")


def _check_filter(text: str) -> None:
    from overbet.interfaces.hands.filter_text import compiled

    compiled(text)
