"""Asking a blueprint of dense tables: a betting tree, and a row for every decision of it and every bucket."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.artefact import Artefact
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.left_over import left_over, row_of_left, rows_of_left
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
from overbet.blueprint.store import LEFT, STRATEGY
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
        strategy: Any,
        manifest: dict[str, Any],
        left: bool = False,
    ) -> None:
        """Take strategy: [entries] uint8, an array or an open dataset. left: it is what `left_over` makes."""
        super().__init__(config, tree.game, cards, manifest)
        self._tree, self._strategy, self._left = tree, strategy, left
        self._record, self.entries = tree.records(cards.counts)
        if len(strategy) != self.entries:
            raise ArtefactError(
                f"the strategy has {len(strategy):,} entries and tree and buckets ask for {self.entries:,}"
            )

    @classmethod
    def read(cls, file: Artefact, config: BlueprintConfig, cards: CardModel) -> DenseBlueprint:
        tree = build_tree(config.game.game(), config.menu)
        if tree.digest != file.head["game"]:
            raise ArtefactError(
                f"{file.path} was trained on another tree: its hash is {file.head['game']}, this program "
                f"grows {tree.digest}"
            )
        left = LEFT in file
        return cls(config, tree, cards, file[LEFT if left else STRATEGY], file.head["manifest"], left)

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
        strategy: npt.NDArray[np.uint8] = np.ascontiguousarray(self._strategy[:], np.uint8)
        if self._left:
            strategy = rows_of_left(self._tree.nodes, self._record, self.cards.counts, strategy)
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
        return {LEFT: left_over(self._tree.nodes, self._record, self.cards.counts, self.rows_of_255ths())}

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
        first, step = at.first, at.step
        buckets, count = self.cards.counts[spot.street], len(spot.actions)
        block = np.asarray(self._strategy[first : first + step * (buckets - 1) + count])
        return self._shares(block[step * np.arange(buckets)[:, None] + np.arange(count)])

    def _row(self, spot: DecisionPoint, board: tuple[int, ...], bucket: int) -> Floats:
        """Read one row and no more of the file."""
        at = decision_at(self._record, spot.place)
        start = at.first + at.step * bucket
        return self._shares(np.asarray(self._strategy[start : start + len(spot.actions)]))

    def _shares(self, rows: npt.NDArray[np.uint8]) -> Floats:
        return shares_of(row_of_left(rows) if self._left else rows)
