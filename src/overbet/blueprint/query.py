"""Asking a blueprint: what to do with one hand, or with all 1,326 at once, at any public state of its game.

    blueprint = Blueprint.load("heads-up.h5")
    blueprint.actions("r:0:b300")                      # (-1, 0, 900, ...)
    blueprint.strategy("r:0:b300", "AhKh")             # [action] float64
    blueprint.strategy_for_all_hands("r:0:b300:c:Td9d6h")   # [1326, action] float64

`Blueprint` is the interface of all of them; `dense_query` has those with a row for every decision of a tree,
`keyed_query` those whose rows are found by keys. A line outside the game, a board that does not fit, a hand
on the board, a row that training never reached: each is a named error, never a uniform strategy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.artefact import Artefact
from overbet.betting.following import Followed, follow, moves_of
from overbet.betting.names import action_names
from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.store import blueprint_head, open_blueprint, write_blueprint
from overbet.cards.cards import cards as parse_cards
from overbet.cards.cards import cards_name, check_distinct
from overbet.cards.combos import COMBOS, combo_index, combo_name
from overbet.errors import ArtefactError, CardError, quoted
from overbet.games import lines
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.training.store import WHOLE
from overbet.tree.holdem import HoldemTree

Floats = npt.NDArray[np.float64]
BOARD_CARDS = (0, 3, 4, 5)
DAMAGED = "the blueprint was not written by this program; train it again, or take the shipped one"


class DecisionPoint(NamedTuple):
    """A decision of a blueprint's game.

    moves: its line without cards; level: bets and raises made on its street; place: where its rows are, a
    node of the tree or a state whose key is looked up.
    """

    moves: str
    street: int
    player: int
    level: int
    actions: tuple[int, ...]
    place: Any


class Blueprint(ABC):
    """A trained strategy, read as it is asked. Public states are lines or `HoldemState`s."""

    tables: ClassVar[str]  # as `solver.tables` of the config has it
    _missing: ClassVar[str]  # what training did not do with a row that is not there

    def __init__(
        self, config: BlueprintConfig, game: HoldemGame, cards: CardModel, manifest: dict[str, Any]
    ) -> None:
        """Take the table it was trained for, its buckets, and how it came about."""
        self.config, self.game, self.cards, self.manifest = config, game, cards, manifest

    @classmethod
    def load(cls, path: str | Path, cards: CardModel | None = None) -> Blueprint:
        """Open a blueprint file of either kind; `cards` stands in for the buckets its config names."""
        file = open_blueprint(path)
        head = file.head
        config = BlueprintConfig.parse(head["config"], str(path))
        grouping = load_cards(config.cards, training=False) if cards is None else cards
        if grouping.digest != head["cards"]:
            raise ArtefactError(
                f"{path} was trained with other buckets: its hash is {head['cards']}, these have "
                f"{grouping.digest}"
            )
        return _kind(head["tables"]).read(file, config, grouping)

    @classmethod
    @abstractmethod
    def read(cls, file: Artefact, config: BlueprintConfig, cards: CardModel) -> Blueprint:
        """Return the blueprint of an open file of this kind of tables."""

    def save(self, path: str | Path) -> Path:
        """Write the blueprint to a file, atomically."""
        head = blueprint_head(self.tables, self.config, self.game_digest, self.cards, self.manifest)
        return write_blueprint(path, head, self._arrays())

    @property
    @abstractmethod
    def game_digest(self) -> str:
        """A hash of rules, stacks and bets."""

    @property
    @abstractmethod
    def tree(self) -> HoldemTree:
        """The betting tree; keyed tables have none, and an `ArtefactError` says so."""

    @abstractmethod
    def rows_of_255ths(self) -> npt.NDArray[np.uint8]:
        """Return the whole strategy in the order of the tree: [entries] uint8, every row adding up to one.

        Keyed tables have no such order, and an `ArtefactError` says so.
        """

    @abstractmethod
    def strategy_by_bucket(self, line: str | HoldemState) -> Floats:
        """Return how often each bucket takes each action: [bucket, action] float64, NaN where not reached."""

    @abstractmethod
    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what a file keeps, by name."""

    @abstractmethod
    def _spot(self, line: str | HoldemState) -> DecisionPoint:
        """Return the decision at a public state."""

    @abstractmethod
    def _tokens(self, spot: DecisionPoint) -> tuple[str, ...]:
        """Return how a line goes on with each action of a decision."""

    @abstractmethod
    def _actions_at(self, inner: HoldemState) -> tuple[int, ...]:
        """Return the actions at a decision all of whose actions before are the blueprint's."""

    @abstractmethod
    def _rows(self, spot: DecisionPoint, board: tuple[int, ...]) -> Floats:
        """Return the strategy of every bucket: [bucket, action] float64, NaN where there is none."""

    def _row(self, spot: DecisionPoint, board: tuple[int, ...], bucket: int) -> Floats:
        """Return the strategy of one bucket: [action] float64."""
        found: Floats = self._rows(spot, board)[bucket]
        return found

    def follow(self, state: HoldemState, seed: int = 0, hand: int = 0) -> str:
        """Return the line of the blueprint that stands for a real hand whose bets it may not have.

        It is the line that an agent plays from in hand number `hand` of a match of that seed. Bets are mapped
        at random, the same way whenever the actions, the seed and the number are the same; the board cards of
        `state` have to be given again when the line is asked about.
        """
        return moves_of(self.followed(state, seed, hand).checked())

    def followed(self, state: HoldemState, seed: int = 0, hand: int = 0) -> Followed:
        """Return the blueprint's own hand that stands for a real one (`follow`), or why none does."""
        return follow(state, self.game, self._actions_at, seed, hand)

    def street(self, line: str | HoldemState) -> int:
        """Return the street there: 0 before the flop, 3 the river."""
        return self._spot(line).street

    def player(self, line: str | HoldemState) -> int:
        """Return who decides there."""
        return self._spot(line).player

    def actions(self, line: str | HoldemState) -> tuple[int, ...]:
        """Return the actions there: -1 fold, 0 check or call, n > 0 a bet or raise to n chips."""
        return self._spot(line).actions

    def tokens(self, line: str | HoldemState) -> tuple[str, ...]:
        """Return how a line goes on with each action: `f`, `c`, or `bN` with all the player has put in."""
        return self._tokens(self._spot(line))

    def action_names(self, line: str | HoldemState) -> tuple[str, ...]:
        """Return the actions there in words, in big blinds."""
        spot = self._spot(line)
        state = self.game.deal(0).follow(spot.moves)
        all_in = state.bets[spot.player] + state.stacks[spot.player]
        return action_names(spot.actions, spot.street, spot.level, self.game.big_blind, all_in)

    def strategy(
        self, line: str | HoldemState, hole: str | Iterable[int], board: str | Iterable[int] = ()
    ) -> Floats:
        """Return how often one hand takes each action: [action] float64. `board` may stand in the line."""
        spot = self._spot(line)
        lying = self._lying(spot, line, board)
        held = held_cards(hole, lying)
        bucket = int(self.cards.of_board(lying)[combo_index(*held)])
        if bucket < 0:
            raise CardError(f"{cards_name(held)} cannot be held on {cards_name(lying)}")
        row = self._row(spot, lying, bucket)
        if np.isnan(row[0]):
            raise self._never_reached(spot, f"{cards_name(held)}, bucket {bucket}")
        return row

    def strategy_for_all_hands(
        self, line: str | HoldemState, board: str | Iterable[int] = (), *, allow_missing: bool = False
    ) -> Floats:
        """Return how often every hand takes each action: [1326, action] float64.

        Hands that share a card with the board are NaN; so are those whose row was never reached, where
        `allow_missing` says so: otherwise they are an error.
        """
        spot = self._spot(line)
        lying = self._lying(spot, line, board)
        buckets = self.cards.of_board(lying)
        rows = self._rows(spot, lying)
        found: Floats = np.full((COMBOS, rows.shape[1]), np.nan)
        live = buckets >= 0
        found[live] = rows[buckets[live]]
        lost = np.flatnonzero(live & np.isnan(found[:, 0]))
        if len(lost) and not allow_missing:
            raise self._never_reached(spot, f"{len(lost)} hands such as {combo_name(int(lost[0]))}")
        return found

    def _lying(
        self, spot: DecisionPoint, line: str | HoldemState, board: str | Iterable[int]
    ) -> tuple[int, ...]:
        written = cards_in(line.line if isinstance(line, HoldemState) else line)
        return lying_cards(board, written, BOARD_CARDS[spot.street])

    def _never_reached(self, spot: DecisionPoint, which: str) -> ArtefactError:
        return ArtefactError(
            f"training {self._missing} {spot.moves} with {which}; train longer, or ask for another line"
        )


def _kind(tables: str) -> type[Blueprint]:
    """Return the blueprints of a kind of tables."""
    from overbet.blueprint.dense_query import DenseBlueprint
    from overbet.blueprint.keyed_query import KeyedBlueprint

    return {kind.tables: kind for kind in (DenseBlueprint, KeyedBlueprint)}[tables]


def shares_of(rows: npt.ArrayLike) -> Floats:
    """Return rows of 255ths as shares of one: [..., action] float64, NaN where a row is all zeros.

    A row that adds up to something else is an error: no such strategy is ever shown.
    """
    whole: Floats = np.asarray(rows, np.float64)
    sums = whole.sum(-1)
    if not np.isin(sums, (0.0, float(WHOLE))).all():
        raise ArtefactError(f"a row of the strategy does not add up to one: {DAMAGED}")
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
    return lines.board(lines.parse(line))


def checked_line(line: str) -> str:
    """Return a line whose parts all are actions or cards; an error points at the first that is neither."""
    lines.parse(line)
    return line


def check_count(line: str, wanted: int) -> None:
    """Refuse a line with more board cards than lie at its end."""
    written = cards_in(line)
    if len(written) > wanted:
        raise CardError(
            f"{wanted} board cards lie after the actions of {quoted(line)}, which names {len(written)}"
        )
