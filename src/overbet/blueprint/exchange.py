"""Small blueprints as JSON: one object a decision, readable by anything.

    {"format": ..., "version": ..., "seal": ..., "config": {...}, "manifest": {...}, "game": hash,
     "cards": hash,
     "decisions": {"r:0": {"player": "SB", "actions": [-1, 1000], "strategy": [[0, 255], ...]}, ...}}

Decisions are named by their lines without cards (see `games.lines`); `actions` are those of the rules, n
chips on this street. `strategy` is [bucket][action] in whole 255ths, null for a row that training never
reached. What is read back is the same blueprint to the bit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.query import Blueprint
from overbet.blueprint.trainer import entries_of
from overbet.errors import ArtefactError, TooLargeError
from overbet.kernels.training.store import WHOLE
from overbet.tree.holdem import build_tree

KIND = artefact.Kind("blueprint json", 3, "export it again (after an edit by hand, remove its seal)")
MOST_ENTRIES = 2_000_000


def export_json(blueprint: Blueprint, path: str | Path) -> None:
    """Write a blueprint of dense tables with at most two million entries as JSON, atomically."""
    tree = blueprint.tree
    entries = sum(tree.size.entries(blueprint.cards.counts))
    if entries > MOST_ENTRIES:
        raise TooLargeError(
            f"{entries:,} entries are too many for JSON (at most {MOST_ENTRIES:,}); keep the .h5 file"
        )
    decisions: dict[str, Any] = {}
    for node in np.flatnonzero(tree.nodes.player >= 0).tolist():
        line = tree.line(node)
        shares = blueprint.strategy_by_bucket(line)
        rows = np.rint(np.nan_to_num(shares, nan=-1.0) * WHOLE).astype(int).tolist()
        decisions[line] = {
            "player": tree.game.position(int(tree.nodes.player[node])),
            "actions": list(tree.actions(node)),
            "strategy": [None if row[0] < 0 else row for row in rows],
        }
    facts = {
        "config": blueprint.config.model_dump(mode="json"),
        "manifest": blueprint.manifest,
        "game": tree.digest,
        "cards": blueprint.cards.digest,
        "decisions": decisions,
    }
    artefact.write_json(path, KIND, facts)


def import_json(path: str | Path, cards: CardModel | None = None) -> DenseBlueprint:
    """Return the blueprint of a JSON file; every decision of its tree must be there."""
    facts = artefact.read_json(path, KIND, by_hand=True)
    if not isinstance(facts.get("config"), dict) or not isinstance(facts.get("manifest", {}), dict):
        raise ArtefactError(f"{path} is damaged: its config or manifest is missing")
    config = BlueprintConfig.parse(facts["config"], str(path))
    grouping = load_cards(config.cards, training=False) if cards is None else cards
    tree = build_tree(config.game.game(), config.menu)
    for words, own, found in (
        ("tree", tree.digest, facts.get("game")),
        ("buckets", grouping.digest, facts.get("cards")),
    ):
        if own != found:
            raise ArtefactError(f"{path} is of another {words}: its hash is {found}, here it is {own}")
    record, entries = tree.records(grouping.counts)
    strategy: npt.NDArray[np.uint8] = np.zeros(entries, np.uint8)
    for node in np.flatnonzero(tree.nodes.player >= 0).tolist():
        line = tree.line(node)
        places = entries_of(record, node, grouping.counts)
        try:
            rows = facts["decisions"][line]["strategy"]
            values = np.array([[0] * places.shape[1] if row is None else row for row in rows], np.int64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ArtefactError(f"{path} is damaged at {line}") from error
        sums = values.sum(1) if values.shape == places.shape else np.array([-1])
        if values.min() < 0 or not np.isin(sums, (0, WHOLE)).all():
            raise ArtefactError(f"{path} is damaged at {line}: rows are 255ths that add up to 255")
        strategy[places] = values
    return DenseBlueprint(config, tree, grouping, strategy, dict(facts.get("manifest", {})))
