"""Facts, ranges, boards, categories: what the page asks before anything is solved."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Query, Request

from overbet import machine
from overbet._version import __version__
from overbet.cards.cards import RANKS, SUITS, board, cards_name
from overbet.cards.categories import DRAWS, MADE, categories
from overbet.cards.palette import PALETTES, SUIT_COLOURS
from overbet.cards.range import Range
from overbet.interfaces.cli.examples import example
from overbet.interfaces.web.example import GUIDE, example_solve
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.models import solving as models
from overbet.interfaces.web.presets import PRESETS
from overbet.interfaces.web.spots import spot_json
from overbet.interfaces.web.state import state_of
from overbet.solvers.rules import rule_names
from overbet.solvers.vector.api import SolveFile

router = APIRouter(prefix="/api", tags=["page"])
_EXAMPLES = {
    "river": "a river with wide ranges",
    "quick": "a small turn in big blinds",
    "turn": "a turn with wide ranges",
    "flop": "a wet flop, large",
    "batch": "a short-stacked three-bet pot",
}
_STREETS: dict[int, Literal["preflop", "flop", "turn", "river"]] = {
    0: "preflop",
    3: "flop",
    4: "turn",
    5: "river",
}
BoardText = Annotated[str, Query(max_length=40)]


@router.get("/meta")
def meta(request: Request) -> models.Meta:
    """Return version, units, limits and colours."""
    return models.Meta(
        version=__version__,
        units=[
            models.Unit(key="bb", label="bb", decimals=2),
            models.Unit(key="chips", label="chips", decimals=2),
            models.Unit(key="pot", label="% pot", decimals=1),
        ],
        limits=state_of(request).limits.shown(),
        palettes={name: palette._asdict() for name, palette in PALETTES.items()},
        suit_colours=list(SUIT_COLOURS),
        rules=rule_names(),
        ranks=RANKS,
        suits=SUITS,
        cores=machine.core_count(),
        free_bytes=machine.available_bytes(),
    )


@router.get("/guide")
def guide(request: Request) -> models.Guide:
    """Return the solved example, two lines for a first visit, and spots to start from."""
    spots = [
        models.ExampleSpot(name=name, title=title, spot=spot_json(SolveFile.load(example(f"{name}.yaml"))))
        for name, title in _EXAMPLES.items()
    ]
    return models.Guide(solve=example_solve(state_of(request)), line="r:0", lines=list(GUIDE), examples=spots)


@router.post("/ranges/parse")
def parse_range(body: models.RangeText) -> models.RangeShown:
    """Read a range text; combos on the board are left out of the numbers, not of the text."""
    with at("text"):
        held = Range.parse(body.text)
    with at("board"):
        return _shown(held, held.without(board(body.board)))


@router.post("/ranges/format")
def format_range(body: models.RangeWeights) -> models.RangeShown:
    """Write a range given by its weights."""
    if (body.weights is None) == (body.classes is None):
        raise Fault(422, "give either 1,326 weights or 169 classes", "weights")
    where = "weights" if body.weights is not None else "classes"
    with at(where):
        try:
            if body.weights is not None:
                held = Range(np.array(body.weights, np.float64))
            else:
                held = Range.from_classes(np.array(body.classes, np.float64))
        except (OverflowError, RuntimeWarning) as error:
            raise Fault(422, "weights are numbers from 0 to 1", where) from error
    return _shown(held, held)


@router.get("/ranges/presets")
def presets() -> models.Presets:
    """Return ranges to start from."""
    return models.Presets(
        presets=[
            models.PresetShown(**preset._asdict(), combos=Range.parse(preset.text).combos)
            for preset in PRESETS
        ]
    )


@router.get("/boards/parse")
def parse_board(text: BoardText) -> models.BoardShown:
    """Read a board."""
    with at("text"):
        return _board(board(text))


@router.get("/boards/random")
def random_board(cards: Annotated[int, Query(ge=3, le=5)] = 3) -> models.BoardShown:
    """Deal a board."""
    return _board(tuple(int(c) for c in np.random.default_rng().choice(52, cards, replace=False)))


@router.get("/categories")
def board_categories(board: BoardText) -> models.CategoriesShown:
    """Return the made hand and the draws of every combo on a board."""
    with at("board"):
        found = categories(board)
    return models.CategoriesShown(
        board=board,
        made=_labelled(MADE),
        draws=_labelled(DRAWS),
        made_of=found.made.tolist(),
        draws_of=found.draws.tolist(),
    )


def _board(found: tuple[int, ...]) -> models.BoardShown:
    return models.BoardShown(board=cards_name(found), cards=list(found), street=_STREETS[len(found)])


def _labelled(names: dict[str, str]) -> list[models.Labelled]:
    return [models.Labelled(key=key, label=label) for key, label in names.items()]


def _shown(held: Range, live: Range) -> models.RangeShown:
    numbers: dict[str, Any] = {"combos": live.combos, "share": live.share}
    return models.RangeShown(
        text=held.text(),
        gto_plus=held.text("gto+"),
        weights=live.weights.tolist(),
        classes=live.classes().tolist(),
        **numbers,
    )
