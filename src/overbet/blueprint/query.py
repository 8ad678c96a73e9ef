"""Asking a blueprint: what to do with one hand, or with all 1,326 at once, at any public state of its tree.

    blueprint = Blueprint.load("heads-up.h5")
    blueprint.actions("r:0:b300")                      # (-1, 0, 900, ...)
    blueprint.strategy("r:0:b300", "AhKh")             # [action] float64
    blueprint.strategy_for_all_hands("r:0:b300:c:Td9d6h")   # [1326, action] float64

A line outside the tree, a board that does not fit, a hand on the board, a row that training never reached:
each is a named error, never a uniform strategy.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.following import follow
from overbet.blueprint.store import open_blueprint
from overbet.cards.cards import cards as parse_cards
from overbet.cards.cards import cards_name, check_distinct
from overbet.cards.combos import COMBOS, combo_index, combo_name
from overbet.errors import ArtefactError, CardError, IllegalActionError, quoted
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.training.record import decision_at
from overbet.kernels.training.store import WHOLE
from overbet.kernels.training.strategy_rows import first_bad_row
from overbet.tree.holdem import HoldemTree, build_tree

Floats = npt.NDArray[np.float64]
BOARD_CARDS = (0, 3, 4, 5)
_MOVES = ("f", "c")
_DAMAGED = "the blueprint was not written by this program; train it again, or take the shipped one"


class Blueprint:
    """A trained strategy, read as it is asked. Public states are lines or `HoldemState`s."""

    tables = "dense"

    def __init__(
        self,
        config: BlueprintConfig,
        tree: HoldemTree,
        cards: CardModel,
        strategy: Any,
        manifest: dict[str, Any],
    ) -> None:
        """Take strategy: [entries] uint8, an array or an open dataset."""
        self.config, self.tree, self.cards, self.manifest = config, tree, cards, manifest
        self._strategy = strategy
        self._record, self.entries = tree.records(cards.counts)
        if len(strategy) != self.entries:
            raise ArtefactError(
                f"the strategy has {len(strategy):,} entries and tree and buckets ask for {self.entries:,}"
            )

    @classmethod
    def load(cls, path: str | Path, cards: CardModel | None = None) -> Blueprint:
        """Open a blueprint file; `cards` stands in for the buckets its config names.

        One of keyed tables becomes a `keyed_query.KeyedBlueprint`, which is asked in the same way.
        """
        file = open_blueprint(path)
        head = file.head
        config = BlueprintConfig.parse(head["config"], str(path))
        grouping = load_cards(config.cards, training=False) if cards is None else cards
        if grouping.digest != head["cards"]:
            raise ArtefactError(
                f"{path} was trained with other buckets: its hash is {head['cards']}, these have "
                f"{grouping.digest}"
            )
        if head["tables"] == "keyed":
            from overbet.blueprint.keyed_query import KeyedBlueprint

            return KeyedBlueprint.read(file, config, grouping)
        tree = build_tree(config.game.game(), config.menu)
        if tree.digest != head["game"]:
            raise ArtefactError(
                f"{path} was trained on another tree: its hash is {head['game']}, this program grows "
                f"{tree.digest}"
            )
        return cls(config, tree, grouping, file["strategy"], head["manifest"])

    def __repr__(self) -> str:
        counts = "/".join(map(str, self.cards.counts))
        return f"Blueprint({self.config.name}, {self.tree.size.describe()}, {counts} buckets)"

    @property
    def game(self) -> HoldemGame:
        """The table it was trained for."""
        return self.tree.game

    def node(self, line: str | HoldemState) -> int:
        """Return the decision at a public state."""
        text = line.line if isinstance(line, HoldemState) else checked_line(line)
        node = self.tree.find(text)
        if self.tree.nodes.player[node] < 0:
            raise IllegalActionError(f"the hand is over after {text}: there is nothing to decide")
        if text is line:
            check_count(text, BOARD_CARDS[int(self.tree.nodes.street[node])])
        return node

    def follow(self, state: HoldemState, seed: int = 0) -> str:
        """Return the line of the tree that stands for a real hand whose bets the tree may not have.

        Bets are mapped at random, the same way whenever the hand and the seed are the same; the board cards
        of `state` have to be given again when the line is asked about.
        """
        return self.tree.line(follow(self.tree, state, seed))

    def street(self, line: str | HoldemState) -> int:
        """Return the street there: 0 before the flop, 3 the river."""
        return int(self.tree.nodes.street[self.node(line)])

    def player(self, line: str | HoldemState) -> int:
        """Return who decides there."""
        return int(self.tree.nodes.player[self.node(line)])

    def actions(self, line: str | HoldemState) -> tuple[int, ...]:
        """Return the actions there: -1 fold, 0 check or call, n > 0 a bet or raise to n chips."""
        return self.tree.actions(self.node(line))

    def action_names(self, line: str | HoldemState) -> tuple[str, ...]:
        """Return the actions there in words, in big blinds."""
        return self.tree.action_names(self.node(line))

    def strategy(
        self, line: str | HoldemState, hole: str | Iterable[int], board: str | Iterable[int] = ()
    ) -> Floats:
        """Return how often one hand takes each action: [action] float64. `board` may stand in the line."""
        node = self.node(line)
        lying = self._board(node, line, board)
        held = held_cards(hole, lying)
        bucket = int(self.cards.of_board(lying)[combo_index(*held)])
        if bucket < 0:
            raise CardError(f"{cards_name(held)} cannot be held on {cards_name(lying)}")
        first, step, count = self._place(node)
        row = np.asarray(self._strategy[first + step * bucket : first + step * bucket + count])
        if not row.any():
            raise ArtefactError(self._never_reached(node, f"{cards_name(held)}, bucket {bucket}"))
        return shares_of(row)

    def strategy_for_all_hands(
        self, line: str | HoldemState, board: str | Iterable[int] = (), *, allow_missing: bool = False
    ) -> Floats:
        """Return how often every hand takes each action: [1326, action] float64.

        Hands that share a card with the board are NaN; so are those whose row was never reached, where
        `allow_missing` says so: otherwise they are an error.
        """
        node = self.node(line)
        lying = self._board(node, line, board)
        buckets = self.cards.of_board(lying)
        rows = self.strategy_by_bucket(line)
        found: Floats = np.full((COMBOS, rows.shape[1]), np.nan)
        live = buckets >= 0
        found[live] = rows[buckets[live]]
        lost = np.flatnonzero(live & np.isnan(found[:, 0]))
        if len(lost) and not allow_missing:
            which = f"{len(lost)} hands such as {combo_name(int(lost[0]))}"
            raise ArtefactError(self._never_reached(node, which))
        return found

    def strategy_by_bucket(self, line: str | HoldemState) -> Floats:
        """Return how often each bucket takes each action: [bucket, action] float64, NaN where not reached."""
        node = self.node(line)
        first, step, count = self._place(node)
        buckets = self.cards.counts[self.tree.nodes.street[node]]
        block = np.asarray(self._strategy[first : first + step * (buckets - 1) + count], np.float64)
        places = step * np.arange(buckets)[:, None] + np.arange(count)
        rows: Floats = block[places]
        return shares_of(rows)

    def rows_of_255ths(self) -> npt.NDArray[np.uint8]:
        """Return the whole strategy as it is stored: [entries] uint8, every row known to add up to one."""
        strategy: npt.NDArray[np.uint8] = np.ascontiguousarray(self._strategy[:], np.uint8)
        bad = int(first_bad_row(self._record, np.array(self.cards.counts, np.int64), strategy))
        if bad >= 0:
            raise ArtefactError(f"a row at {self.tree.line(bad)} does not add up to one: {_DAMAGED}")
        return strategy

    def _place(self, node: int) -> tuple[int, int, int]:
        at = decision_at(self._record, node)
        return at.first, at.step, at.actions

    def _board(self, node: int, line: str | HoldemState, board: str | Iterable[int]) -> tuple[int, ...]:
        written = cards_in(line.line if isinstance(line, HoldemState) else line)
        return lying_cards(board, written, BOARD_CARDS[int(self.tree.nodes.street[node])])

    def _never_reached(self, node: int, which: str) -> str:
        where = self.tree.line(node)
        return f"training never reached {where} with {which}; train longer, or ask for another line"


def shares_of(rows: npt.ArrayLike) -> Floats:
    """Return rows of 255ths as shares of one: [..., action] float64, NaN where a row is all zeros.

    A row that adds up to something else is an error: no such strategy is ever shown.
    """
    whole: Floats = np.asarray(rows, np.float64)
    sums = whole.sum(-1)
    if not np.isin(sums, (0.0, float(WHOLE))).all():
        raise ArtefactError(f"a row of the strategy does not add up to one: {_DAMAGED}")
    with np.errstate(invalid="ignore"):
        return np.where(sums[..., None] > 0, whole / WHOLE, np.nan)


def held_cards(hole: str | Iterable[int], lying: tuple[int, ...]) -> tuple[int, ...]:
    """Return two hole cards that are not on the board."""
    held = parse_cards(hole)
    if len(held) != 2:
        raise CardError(f"a hand has two hole cards; {cards_name(held)!r} has {len(held)}")
    check_distinct((*held, *lying))
    return held


def lying_cards(board: str | Iterable[int], written: tuple[int, ...], wanted: int) -> tuple[int, ...]:
    """Return the `wanted` first board cards, given apart or written in the line."""
    given = parse_cards(board)
    if given and written and given[: len(written)] != written:
        raise CardError(f"the board {cards_name(given)} is not the line's {cards_name(written)}")
    lying = max(given, written, key=len)
    if len(lying) < wanted:
        raise CardError(f"{wanted} board cards lie at this decision; {len(lying)} are given")
    check_distinct(lying)
    return lying[:wanted]


def cards_in(line: str) -> tuple[int, ...]:
    """Return the board cards that stand in a line."""
    found: list[int] = []
    for token in line.removeprefix("r:0").split(":"):
        if token and not _is_move(token):
            found.extend(parse_cards(token))
    return tuple(found)


def checked_line(line: str) -> str:
    """Return a line whose parts all are actions or cards; an error points at the first that is neither."""
    if line in ("", "r:0"):
        return line
    parts = line.removeprefix("r:0:").split(":")
    for place, part in enumerate(parts, 1):
        if _is_move(part):
            continue
        try:
            read = bool(parse_cards(part))
        except CardError:
            read = False
        if not read:
            raise IllegalActionError(
                f"{quoted(part)}, part {place} after r:0 in {quoted(line)}, is neither an action "
                "(f, c, b300) nor board cards (Td9d6h)"
            )
    return line


def check_count(line: str, wanted: int) -> None:
    """Refuse a line with more board cards than lie at its end."""
    written = cards_in(line)
    if len(written) > wanted:
        raise CardError(
            f"{wanted} board cards lie after the actions of {quoted(line)}, which names {len(written)}"
        )


def _is_move(token: str) -> bool:
    digits = token[1:]
    return token in _MOVES or (
        token[:1] == "b" and digits.isascii() and digits.isdigit() and len(digits) < 16
    )
