"""The kernels of training against plain Python: deals, walks without bias, strategies in 8 bits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.trainer import Trainer
from overbet.cards.evaluator import evaluate
from overbet.kernels.training.deal import Deals, deal_cards, deal_cards_in_cycles
from overbet.kernels.training.store import quantise
from overbet.kernels.training.train import walk_block
from overbet.kernels.training.walks import Hand, end_value
from tests.reference.short_deck import ShortDeck

DECK = [card for card in range(52) if card >= 40]  # Q, K, A
STREET = {"sizes": ["100%", "a"], "raises": 2}
MENU = {"preflop": {"sizes": ["2bb, a", "a"], "raises": 2}, "flop": STREET}


def trainer_of(players: int, **solver: object) -> Trainer:
    values = {"game": {"players": players, "stack_bb": 6}, "menu": MENU, "solver": solver}
    trainer = Trainer(BlueprintConfig.parse(values), ShortDeck(DECK))
    rng = np.random.default_rng(4)
    trainer.table[: 2 * trainer.entries : 2] = rng.normal(0.0, 1.0, trainer.entries)
    return trainer


def strategy_at(trainer: Trainer, row: int, count: int) -> np.ndarray:
    positive = np.maximum(trainer.table[2 * row : 2 * (row + count) : 2].astype(float), 0)
    return positive / positive.sum() if positive.sum() > 0 else np.full(count, 1 / count)


def expected(trainer: Trainer, deals: Deals, player: int) -> np.ndarray:
    """Return what one player's walks of an iteration add to the table on average: [2 * entries]."""
    added = np.zeros(2 * trainer.entries)
    players = trainer.tree.game.num_players
    hand = Hand(deals.bucket[0], deals.strength[0], deals.equity[0], player)

    def value(node: int, reach: float, drawn: float) -> float:
        """reach: of the others; drawn: of the line for the average, others uniform and own as played."""
        head, first, base, step = trainer.game.record[node].tolist()
        if head < 0:
            return float(end_value(trainer.game, hand, head, node))
        who, count = head & 255, head >> 16
        row = base + step * int(deals.bucket[0, who, head >> 8 & 255])
        sigma = strategy_at(trainer, row, count)
        entries = 2 * (row + np.arange(count))
        if who != player:
            if players == 2:
                added[entries + 1] += reach * sigma
            return sum(
                float(sigma[a]) * value(first + a, reach * sigma[a], drawn / count) for a in range(count)
            )
        if players > 2:
            added[entries + 1] += drawn * sigma
        values = np.array([value(first + a, reach, drawn * sigma[a]) for a in range(count)])
        mean = float(sigma @ values)
        added[entries] += reach * (values - mean)
        return mean

    value(0, 1.0, 1.0)
    return added


@pytest.mark.parametrize(
    ("players", "solver"),
    [
        (2, {}),
        (3, {}),
        (3, {"average_lines": 2}),
        (2, {"method": "outcome", "baseline": 0.0}),
        (2, {"method": "outcome", "baseline": 0.1}),
        (3, {"method": "outcome"}),
    ],
)
def test_walks_add_the_right_amounts_on_average(players: int, solver: dict[str, object]) -> None:
    trainer = trainer_of(players, mode="deterministic", batch=2000, discount_every=2000, **solver)
    trainer._seat(1, 2000)
    if solver.get("baseline"):
        trainer.table[2 * trainer.entries :] = np.random.default_rng(5).normal(0.0, 1.0, trainer.entries)
    once = trainer.deals(3, 0, 1)
    deals = Deals(*(np.repeat(array, 2000, axis=0) for array in once))
    lines = int(str(solver.get("average_lines", 1)))
    exact = np.zeros(2 * trainer.entries)
    for player in range(players):
        added = expected(trainer, once, player)
        added[1::2] *= lines if players > 2 else 1
        exact += added
    work, step, blocks = trainer._worker_spaces[0].work, trainer._step(0), []
    for block in range(40):
        logged = walk_block(trainer.game, trainer.table, deals, work, trainer._settings, step, 2000 * block)
        found = np.zeros(len(trainer.table))
        np.add.at(found, work.slot[:logged], work.amount[:logged])
        blocks.append(found[: 2 * trainer.entries] / 2000)
    mean, error = np.mean(blocks, axis=0), np.std(blocks, axis=0, ddof=1) / np.sqrt(len(blocks))
    assert np.abs(exact).max() > 0.1
    off = np.abs(mean - exact) - 6 * error
    assert off.max() < 2e-3, (mean[off.argmax()], exact[off.argmax()], error[off.argmax()])


def test_pruned_walks_skip_only_what_may_be_skipped() -> None:
    trainer = trainer_of(2, mode="deterministic", batch=500, discount_every=500)
    trainer.table[: 2 * trainer.entries : 2] *= 1000
    trainer._seat(1, 500)
    deals, work, step = trainer.deals(3, 0, 500), trainer._worker_spaces[0].work, trainer._step(0)
    pruning = trainer._settings._replace(pruned=1.0, threshold=-500.0)
    logged = walk_block(trainer.game, trainer.table, deals, work, pruning, step, 0)
    slots = np.unique(work.slot[:logged])
    regrets = slots[slots % 2 == 0]
    low = regrets[trainer.table[regrets] < -500]
    into_the_end = set()
    for node in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        for a, child in enumerate(trainer.tree.children(node)):
            if trainer.tree.nodes.player[child] < 0 or trainer.tree.nodes.street[node] == 3:
                into_the_end |= set((2 * trainer.entries_of(node)[:, a]).tolist())
    assert len(low) > 0
    assert set(low.tolist()) <= into_the_end
    full = walk_block(trainer.game, trainer.table, deals, work, trainer._settings, step, 0)
    assert logged < 0.8 * full


def test_deals_are_distinct_cards_and_functions_of_seed_and_iteration() -> None:
    deck = np.arange(52, dtype=np.int8)
    cards, again = np.zeros((500, 11), np.int8), np.zeros((100, 11), np.int8)
    deal_cards(cards, deck, 3, 7, 1000)
    deal_cards(again, deck, 3, 7, 1100)
    np.testing.assert_array_equal(cards[100:200], again)
    assert all(len(set(row)) == 11 for row in cards.tolist())
    counts = np.bincount(cards.ravel(), minlength=52)
    assert counts.min() > 60
    assert counts.max() < 160


def test_cycles_deal_every_pair_of_hands_once() -> None:
    deck = np.array([3, 9, 11, 20, 25, 33, 40, 44, 51], np.int8)
    length = 36 * 21
    orders = []
    for cycle in range(2):
        cards = np.zeros((length, 9), np.int8)
        deal_cards_in_cycles(cards, deck, 2, 5, cycle * length)
        assert all(sorted(row) == deck.tolist() for row in cards.tolist())
        pairs = [(frozenset(row[:2]), frozenset(row[2:4])) for row in cards.tolist()]
        wanted = {
            (frozenset(a), frozenset(b))
            for a in itertools.combinations(deck.tolist(), 2)
            for b in itertools.combinations(deck.tolist(), 2)
            if not set(a) & set(b)
        }
        assert len(set(pairs)) == length
        assert set(pairs) == wanted
        orders.append(pairs)
    assert orders[0] != orders[1]


def test_strengths_and_equities_of_deals() -> None:
    trainer = Trainer(
        BlueprintConfig.parse(
            {
                "menu": {"preflop": {"sizes": "a", "raises": 1, "limp": False}},
                "game": {"stack_bb": 10},
                "cards": {"kind": "preflop"},
            }
        )
    )
    deals = trainer.deals(1, 0, 50)
    for deal, cards in enumerate(deals.cards.tolist()):
        board = cards[4:]
        assert deals.strength[deal].tolist() == [evaluate([*cards[p : p + 2], *board]) for p in (0, 2)]
    from overbet.cards.combos import combo_index
    from overbet.cards.preflop import matchup

    first = deals.cards[0].tolist()
    share = matchup(combo_index(*first[:2]), combo_index(*first[2:4])).equity
    assert deals.equity[0, 0, 1] == pytest.approx(share, abs=1e-6)
    assert deals.equity[0, 1, 0] == pytest.approx(1 - share, abs=1e-6)


def test_strategies_in_8_bits_add_up() -> None:
    trainer = trainer_of(2)
    rng = np.random.default_rng(8)
    trainer.table[1 : 2 * trainer.entries : 2] = rng.exponential(1.0, trainer.entries) ** 4
    node = trainer.tree.find("c")
    trainer.table[2 * trainer.entries_of(node) + 1] = 0.0
    stored = np.zeros(trainer.entries, np.uint8)
    missing = quantise(trainer.game.record, trainer.table, np.array(trainer.cards.counts), stored)
    assert missing == trainer.cards.counts[0]
    for other in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        rows = stored[trainer.entries_of(other)].astype(int)
        assert set(rows.sum(1)) == ({0} if other == node else {255})
        if other != node:
            assert np.abs(rows / 255 - trainer.average(other)).max() < 1 / 255
