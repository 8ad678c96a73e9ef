"""Asking a blueprint of dense tables: a betting tree, and a row for every decision of it and every bucket."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.artefact import Artefact
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_rows import (
    BY_ACTION,
    LEFT,
    REACHED,
    STRATEGY,
    DenseRows,
    LeftRows,
    PackedRows,
    PlainRows,
    packed_rows,
)
from overbet.blueprint.query import (
    BOARD_CARDS,
    DAMAGED,
    Blueprint,
    DecisionPoint,
    Floats,
    check_count,
    checked_line,
    shares_of,
)
from overbet.blueprint.rounding import check_levels, rounded_rows
from overbet.errors import ArtefactError, IllegalActionError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.training.record import decision_at
from overbet.kernels.training.strategy_rows import first_bad_row
from overbet.tree.holdem import HoldemTree, build_tree


class DenseBlueprint(Blueprint):
    """A trained strategy over a tree. `entries`: how many numbers it has."""

    tables = "dense"
    _missing = "never reached"

    def __init__(
        self,
        config: BlueprintConfig,
        tree: HoldemTree,
        cards: CardModel,
        strategy: DenseRows | npt.NDArray[np.uint8],
        manifest: dict[str, Any],
    ) -> None:
        """Take strategy: rows of 255ths, [entries] uint8, or what reads them."""
        super().__init__(config, tree.game, cards, manifest)
        self._tree = tree
        self._stored: DenseRows = PlainRows(strategy) if isinstance(strategy, np.ndarray) else strategy
        self._record, self.entries = tree.records(cards.counts)
        if self._stored.entries != self.entries:
            raise ArtefactError(
                f"the strategy has {self._stored.entries:,} entries and tree and buckets ask for "
                f"{self.entries:,}"
            )

    @classmethod
    def read(cls, file: Artefact, config: BlueprintConfig, cards: CardModel) -> DenseBlueprint:
        tree = build_tree(config.game.game(), config.menu)
        if tree.digest != file.head["game"]:
            raise ArtefactError(
                f"{file.path} was trained on another tree: its hash is {file.head['game']}, this program "
                f"grows {tree.digest}"
            )
        record, _ = tree.records(cards.counts)
        stored: DenseRows
        if BY_ACTION in file:
            stored = PackedRows(tree.nodes, record, cards.counts, file[BY_ACTION], file[REACHED])
        elif LEFT in file:
            stored = LeftRows(tree.nodes, record, cards.counts, file[LEFT])
        else:
            stored = PlainRows(file[STRATEGY])
        return cls(config, tree, cards, stored, file.head["manifest"])

    def __repr__(self) -> str:
        counts = "/".join(map(str, self.cards.counts))
        return f"Blueprint({self.config.name}, {self._tree.size.describe()}, {counts} buckets)"

    @property
    def tree(self) -> HoldemTree:
        """The betting tree."""
        return self._tree

    @property
    def game_digest(self) -> str:
        return self._tree.digest

    def node(self, line: str | HoldemState) -> int:
        """Return the decision at a public state."""
        text = line.line if isinstance(line, HoldemState) else checked_line(line)
        node = self._tree.find(text)
        if self._tree.nodes.player[node] < 0:
            raise IllegalActionError(f"the hand is over after {text}: there is nothing to decide")
        if text is line:
            check_count(text, BOARD_CARDS[int(self._tree.nodes.street[node])])
        return node

    def strategy_by_bucket(self, line: str | HoldemState) -> Floats:
        return self._rows(self._spot(line), ())

    def rows_of_255ths(self) -> npt.NDArray[np.uint8]:
        strategy = self._stored.whole()
        bad = int(first_bad_row(self._record, np.array(self.cards.counts, np.int64), strategy))
        if bad >= 0:
            raise ArtefactError(f"a row at {self._tree.line(bad)} does not add up to one: {DAMAGED}")
        return strategy

    def rounded(self, levels: int) -> DenseBlueprint:
        """Return the same strategy with all shares in whole `levels`-ths, for a smaller file.

        levels: 3, 5, 15, 17, 51, 85 or 255, which stands in the manifest then. A share moves by less than one
        level, rows still add up to one, and those that were never reached stay so. What was measured is left
        out of the manifest where any share moved: it was said of another strategy.
        """
        check_levels(levels)  # before the whole file is read
        exact = self.rows_of_255ths()
        strategy = rounded_rows(self._record, self.cards.counts, exact, levels)
        manifest = {**self.manifest, "levels": int(levels)}
        if not np.array_equal(strategy, exact):
            manifest["measured"] = {}
        return DenseBlueprint(self.config, self._tree, self.cards, strategy, manifest)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        rows = self.rows_of_255ths()
        return dict(packed_rows(self._tree.nodes, self._record, self.cards.counts, rows))

    def _spot(self, line: str | HoldemState) -> DecisionPoint:
        node, nodes = self.node(line), self._tree.nodes
        return DecisionPoint(
            self._tree.line(node),
            int(nodes.street[node]),
            int(nodes.player[node]),
            int(nodes.level[node]),
            self._tree.actions(node),
            node,
        )

    def _tokens(self, spot: DecisionPoint) -> tuple[str, ...]:
        return self._tree.tokens(spot.place)

    def _actions_at(self, inner: HoldemState) -> tuple[int, ...]:
        return self._tree.actions(self._tree.after(inner))

    def _rows(self, spot: DecisionPoint, board: tuple[int, ...]) -> Floats:
        at = decision_at(self._record, spot.place)
        return shares_of(self._stored.of_decision(spot.place, at, self.cards.counts[spot.street]))

    def _row(self, spot: DecisionPoint, board: tuple[int, ...], bucket: int) -> Floats:
        """Read one row and no more of the file."""
        return shares_of(self._stored.of_bucket(spot.place, decision_at(self._record, spot.place), bucket))
