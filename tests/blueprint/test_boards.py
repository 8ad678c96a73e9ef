"""Training by whole boards: against plain arithmetic, against what is known exactly, beside sampled deals."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint.board_trainer import BoardTrainer
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.run import Run
from overbet.blueprint.sampled_response import sampled_response
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import combo_index
from overbet.cards.evaluator import evaluate_batch
from overbet.errors import ConfigError
from overbet.solvers.pushfold import evaluate_pushfold, solve_pushfold
from overbet.solvers.vector.devices import has_gpu
from tests.reference.short_deck import ShortDeck, exploitability

SHORT = [card for card in range(52) if card >= 32 and card % 4 < 2]  # T to A in two suits
PUSH = {"preflop": {"sizes": "a", "raises": 1, "limp": False}}
STREET = {"sizes": ["100%, a", "a"], "raises": 2}
WHOLE = {"preflop": {"sizes": ["2bb", "a"], "raises": 2}, "flop": STREET, "turn": STREET, "river": STREET}
BOARD = 1000  # iterations that a board counts as


def config(menu: object = WHOLE, stack: float = 8, **solver: object) -> BlueprintConfig:
    values = {
        "game": {"players": 2, "stack_bb": stack, "rake": 0.05, "rake_cap": 100},
        "menu": menu,
        "cards": {"kind": "preflop"},
        "solver": {"method": "boards", "discount_every": 10_000, "discounts": 1000, **solver},
    }
    return BlueprintConfig.parse(values)


def plain(trainer: BoardTrainer, board: list[int]) -> dict[tuple[int, int], float]:
    """Return what one board adds to regret and average of every entry, pair of hands by pair of hands."""
    deck = [card for card in trainer.cards.deck.tolist() if card not in board]
    hands = list(combinations(deck, 2))
    buckets = [trainer.cards.of_board(board[:cards]) for cards in (0, 3, 4, 5)]
    held = np.array([(*hand, *board) for hand in hands], np.int8)
    rank = dict(zip(hands, evaluate_batch(held).tolist()))
    nodes, tree, unit = trainer.tree.nodes, trainer.tree, trainer.tree.game.big_blind
    tremble = trainer.config.solver.tremble
    added: dict[tuple[int, int], float] = defaultdict(float)
    pairs = [(one, two) for one in hands for two in hands if not set(one) & set(two)]

    def paid(end: int, player: int, cards: tuple[tuple[int, int], tuple[int, int]]) -> float:
        worth = float(nodes.won[end, player])
        for pot in range(nodes.pot_first[end], nodes.pot_first[end + 1]):
            inside = [p for p in (0, 1) if nodes.pot_mask[pot] >> p & 1]
            best = max(rank[cards[p]] for p in inside)
            winners = [p for p in inside if rank[cards[p]] == best]
            worth += float(nodes.pot_chips[pot]) / len(winners) if player in winners else 0.0
        return worth / unit

    def walk(node: int, cards, reach: tuple[float, float]) -> tuple[float, float]:  # type: ignore[no-untyped-def]
        """Return what a pair of hands wins from here; note the actor's regrets against this opponent."""
        who = int(nodes.player[node])
        if who < 0:
            end = int(nodes.first[node])
            return paid(end, 0, cards), paid(end, 1, cards)
        bucket = int(buckets[nodes.street[node]][combo_index(*cards[who])])
        shares, row = trainer_current[node][bucket], trainer.row(node, bucket).start
        played = [(1 - tremble) * share + tremble / len(shares) for share in shares]
        below = []
        for a, child in enumerate(tree.children(node)):
            onward = [reach[0], reach[1]]
            onward[who] *= played[a]
            below.append(walk(child, cards, (onward[0], onward[1])))
        steady = sum(share * worth[who] for share, worth in zip(shares, below))
        mine = sum(share * worth[who] for share, worth in zip(played, below))
        other = sum(share * worth[1 - who] for share, worth in zip(played, below))
        for a, worth in enumerate(below):
            scale = BOARD * reach[1 - who] / len(pairs)
            added[row + a, 0] += scale * (worth[who] - steady)
            # every pair shows the hand again: its share is counted once a hand
            partners = len(pairs) / len(hands)
            added[row + a, 1] += BOARD * reach[who] * shares[a] / len(hands) / partners
        return (mine, other) if who == 0 else (other, mine)

    decisions = [n for n in range(len(nodes.player)) if nodes.player[n] >= 0]
    trainer_current = {n: trainer.current(n) for n in decisions}
    for cards in pairs:
        walk(0, cards, (1.0, 1.0))
    return added


@pytest.mark.parametrize("tremble", [0.0, 0.3])
def test_a_sweep_is_the_sum_over_all_pairs_of_hands(tremble: float) -> None:
    menu = {
        "preflop": {"sizes": ["2bb", "a"], "raises": 2},
        "flop": {"sizes": ["a"], "raises": 1},
        "turn": {"raises": 0},
        "river": {"sizes": ["50%"], "raises": 1},
    }
    trainer = BoardTrainer(config(menu, tremble=tremble), ShortDeck(SHORT[1:]))
    random = np.random.default_rng(4)
    trainer.table[0::2] = random.normal(size=trainer.entries)
    before = trainer.table.copy()
    board = trainer.source.boards(7, 1)[0].tolist()
    wanted = np.zeros(len(before))
    for (entry, column), amount in plain(trainer, board).items():
        wanted[2 * entry + column] = amount
    trainer._seat(1, 1)
    trainer._train(0, 7 * BOARD, BOARD, trainer._step(0))
    np.testing.assert_allclose(trainer.table - before, wanted, atol=2e-4, rtol=1e-4)
    assert (abs(wanted) > 0.01).sum() > 100


def test_push_or_fold_is_the_exact_solution() -> None:
    values = config(PUSH, 10).model_dump(mode="json")
    values["game"].update(rake=0.0, rake_cap=None)
    trainer = make_trainer(None, BlueprintConfig.parse(values))
    assert isinstance(trainer, BoardTrainer)
    trainer.run(60 * BOARD, workers=1)
    exact = solve_pushfold(10)
    push, call = trainer.average(0)[:, 1], trainer.average(trainer.tree.find("b1000"))[:, 1]
    found = evaluate_pushfold(exact.game, push, call)
    assert 0 <= found.exploitability_bb < 0.01


def test_it_learns_a_whole_game_and_either_trainer_goes_on_with_the_others_tables(tmp_path: Path) -> None:
    cards = ShortDeck(SHORT)
    swept = Run.start(tmp_path / "run", config(), cards)
    curve = []
    for boards in (10, 40, 160):
        swept.go(boards * BOARD, workers=1)
        assert swept.trainer.iterations == boards * BOARD
        assert isinstance(swept.trainer, Trainer)
        curve.append(exploitability(swept.trainer, cards))
    assert all(later < 0.8 * earlier for earlier, later in pairwise(curve))
    sampled = Run.resume(tmp_path / "run", config(method="external"), cards)
    assert not isinstance(sampled.trainer, BoardTrainer)
    assert sampled.trainer.iterations == 160 * BOARD
    sampled.go(200 * BOARD, workers=1)
    assert isinstance(sampled.trainer, Trainer)
    assert exploitability(sampled.trainer, cards) < 2 * curve[-1]  # noise, but nothing is lost
    again = Run.resume(tmp_path / "run", config(), cards)
    again.go(240 * BOARD, workers=1)
    assert isinstance(again.trainer, BoardTrainer)
    assert exploitability(again.trainer, cards) < 1.2 * curve[-1]


def test_a_run_of_a_gpu_is_looked_at_and_gone_on_with_where_there_is_none(tmp_path: Path) -> None:
    cards = ShortDeck(SHORT)
    Run.start(tmp_path / "run", config(), cards).go(10 * BOARD, workers=1)
    text = (tmp_path / "run" / "config.yaml").read_text().replace("device: auto", "device: cuda")
    assert "device: cuda" in text
    (tmp_path / "run" / "config.yaml").write_text(text)
    assert Run.look(tmp_path / "run", cards).iterations == 10 * BOARD
    if not has_gpu():
        with pytest.raises(ConfigError, match="use --device cpu"):
            Run.resume(tmp_path / "run", None, cards)
    assert Run.resume(tmp_path / "run", config(), cards).trainer.iterations == 10 * BOARD


def test_one_worker_makes_the_same_bits_again_and_two_learn_as_much() -> None:
    cards = ShortDeck(SHORT)
    one, same, two = (BoardTrainer(config(), cards) for _ in range(3))
    one.run(40 * BOARD, workers=1)
    same.run(20 * BOARD, workers=1)
    same.run(40 * BOARD, workers=1)
    two.run(40 * BOARD, workers=2)
    assert one.table.tobytes() == same.table.tobytes()
    assert two.iterations == 40 * BOARD
    assert exploitability(two, cards) < 2 * exploitability(one, cards)


def test_what_boards_taught_is_measured_as_any_strategy() -> None:
    trainer = BoardTrainer(config(), ShortDeck(SHORT))
    trainer.run(40 * BOARD, workers=1)
    learned = sampled_response(trainer, 20_000, 20_000, 1, 1)
    exact = 2 * exploitability(trainer, trainer.cards)
    assert 0.2 * exact < learned.nash_conv_bb < exact + 4 * learned.nash_conv_interval_bb


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ({"mode": "deterministic", "batch": 100}, "mode: shared"),
        ({"numbers": "int32"}, "goes with method: external, not with boards"),
        ({"tables": "keyed"}, "goes with method: external, not with boards"),
        ({"discount_every": 1500}, "not a multiple of 1000"),
        ({"pruned": 0.5}, "pruned: 0"),
        ({"method": "external", "tremble": 0.1}, "tremble goes with method: boards, not with external"),
    ],
)
def test_what_sweeps_have_no_path_for_is_refused(solver: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        config(**solver)


def test_sweeps_are_for_two_players() -> None:
    values = config(PUSH).model_dump(mode="json")
    values["game"]["players"] = 3
    with pytest.raises(ConfigError, match="boards is for two players, not 3"):
        BlueprintConfig.parse(values)
