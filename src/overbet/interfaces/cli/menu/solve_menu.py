"""A spot by questions: its answers are written as a spot file, and the command solves that file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from overbet.interfaces.cli.menu.asking import BackRequest, agree, choose, write
from overbet.interfaces.cli.menu.checks import (
    CHIPS_PER_BLIND,
    check_bets,
    check_board,
    check_raises,
    check_range,
    chips_of,
    new_file,
    number_between,
)

_OWN = "write my own"


def solve_words() -> list[str]:
    """Return the command that solves a spot, asked for or of a file."""
    from overbet.interfaces.cli.examples import example
    from overbet.interfaces.cli.menu.checks import known_file

    how = choose(
        "Which spot?",
        [
            ("Answer questions: board, pot, stacks, ranges, sizes", "ask"),
            ("A spot file of mine", "file"),
            ("The small example, a turn solved in seconds", "example"),
        ],
    )
    if how == "example":
        return ["solve", str(example("quick.yaml"))]
    if how == "file":
        spot = write("Path of the spot file", known_file)
        return ["solve", spot, *_saved(Path(spot).stem)]
    values, name = _asked()
    spot = write("Write the spot to", new_file(".yaml"), f"{name}.yaml")
    if Path(spot).exists() and not agree(f"{spot} is there already. Replace it?", default=False):
        raise BackRequest
    write_spot(Path(spot), values)
    return ["solve", spot, *_saved(Path(spot).stem)]


def write_spot(path: Path, values: dict[str, Any]) -> None:
    """Write a spot file; it is read as `overbet solve` reads it first."""
    import yaml

    from overbet.files import write_text
    from overbet.solvers.vector.api import SolveFile

    SolveFile.parse(values, str(path))
    write_text(path, yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=1000))


def _saved(name: str) -> list[str]:
    if not agree("Save the solution, to open it again later?"):
        return []
    return ["--save", write("Save it to", new_file(".h5"), f"{name}.h5")]


def _asked() -> tuple[dict[str, Any], str]:
    """Return the spot asked for, and a name for it."""
    from overbet.cards.cards import board, cards_name

    cards = cards_name(board(write("Board: 3, 4 or 5 cards", check_board, "Td9d6h")))
    pot = chips_of(write("Pot in big blinds", chips_of, "5.5"))
    stack = chips_of(write("Stack behind, the smaller one, in big blinds", chips_of, "97.5"))
    first = _range_of("Range of the player out of position", "BB calls a BTN open")
    second = _range_of("Range of the player in position", "BTN opens")
    bets = write("Bet sizes on every street, such as 33 75 ai (% of the pot)", check_bets, "33% 75%")
    raises = write("Raise sizes, such as 60% or 2.5x ai", check_raises, "60%")
    target = write(
        "Stop at which exploitability, in % of the pot?", number_between(0.001, 100, "a target"), "0.5"
    )
    values = {
        "board": cards,
        "pot": pot,
        "stacks": stack,
        "big_blind": CHIPS_PER_BLIND,
        "min_bet": CHIPS_PER_BLIND,
        "ranges": {"oop": first, "ip": second},
        "bets": {"every": {"bet": bets, "raise": raises}},
        "thresholds": {"add_all_in": 1.5, "force_all_in": 0.2},
        "solve": {"target": float(target.rstrip("%"))},
    }
    return values, cards


def _range_of(words: str, default: str) -> str:
    from overbet.interfaces.web.presets import PRESETS

    texts = {preset.name: preset.text for preset in PRESETS}
    names = [default, *(name for name in texts if name != default)]
    chosen = choose(words, [(name, name) for name in (*names, _OWN)])
    if chosen != _OWN:
        return texts[chosen]
    return write("Range, such as 22+,A2s+,KTo+,T9s:0.5", check_range)
