"""Training for prizes: what a hand changes by the independent chip model, and what that does to the play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.query import Blueprint
from overbet.blueprint.store import save_blueprint
from overbet.blueprint.trainer import Trainer
from overbet.cards.evaluator import evaluate
from overbet.errors import ConfigError
from overbet.games.icm import prize_ev
from overbet.kernels.holdem.layout import COMING
from overbet.kernels.training.walks import Hand, end_value

PUSH = {"preflop": {"sizes": ["a"], "raises": 3, "limp": False}}
SPLIT = [0.8, 0.12, 0.08]


def config(stacks: list[float], prizes: list[float] | None, **solver: object) -> BlueprintConfig:
    game = {"players": 3, "stack_bb": stacks, "small_blind": 10, "big_blind": 20, "prizes": prizes}
    return BlueprintConfig.parse({"game": game, "menu": PUSH, "cards": {"kind": "preflop"}, "solver": solver})


@pytest.mark.parametrize("stacks", [(25, 25, 25), (4, 8, 8), (3, 9.5, 14), (6, 6, 6)])
@pytest.mark.parametrize("prizes", [SPLIT, [0.8, 0.2]])
def test_ends_are_worth_what_they_change_in_the_prizes(
    stacks: tuple[float, ...], prizes: list[float]
) -> None:
    """Hand by hand as the rules end it, and priced by `games.icm`."""
    given = config(list(stacks), prizes)
    trainer = Trainer(given)
    game, tree = trainer.tree.game, trainer.tree
    paid = [*prizes, 0.0][:3]
    before = prize_ev(list(game.start), paid)
    all_chips = sum(game.start)
    busts = 0
    ends = np.flatnonzero(tree.nodes.player < 0).tolist()
    for seed in range(40):
        for end in ends:
            state = game.deal(seed).follow(tree.line(end))
            board = game.deal(seed).vector[COMING : COMING + 5].tolist()
            strength = np.array([evaluate([*hand, *board]) for hand in game.deal(seed).hole], np.int32)
            equity = np.full((3, 3), np.nan, np.float32)  # must not be asked
            after = [int(start + won) for start, won in zip(game.start, state.returns())]
            expected = placed(after, list(game.start), paid)
            busts += after.count(0)
            for player in range(3):
                hand = Hand(np.zeros((3, 4), np.int32), strength, equity, player)
                found = float(end_value(trainer.game, hand, int(trainer.game.record[end, 0]), end))
                # an odd chip is split in the tree
                assert found == pytest.approx((expected[player] - before[player]) * all_chips / 20, abs=0.06)
    assert busts > 40


def placed(after: list[int], before: list[int], paid: list[float]) -> list[float]:
    """Return the prizes: of two who are out, who had more before the hand has the better place."""
    if after.count(0) == 2 and len({start for start, left in zip(before, after) if not left}) == 2:
        order = sorted(range(3), key=lambda player: (after[player] == 0, -before[player]))
        return [paid[order.index(player)] for player in range(3)]
    return list(prize_ev(after, paid))


@pytest.mark.parametrize(("prizes", "calls"), [(None, True), ([0.5, 0.5], False)])
def test_a_big_stack_avoids_the_other_while_a_small_one_is_nearly_out(
    prizes: list[float] | None, calls: bool, tmp_path: Path
) -> None:
    """Ten big blinds and one in the small blind, two places paid alike: queens fold to an all-in."""
    trainer = Trainer(config([1, 10, 10], prizes, seed=3, discount_every=20_000, average_lines=4))
    trainer.run(200_000, 1)
    blueprint = Blueprint.load(save_blueprint(trainer, tmp_path / "bubble.h5"))
    for hand in ("QhQs", "AhJh"):
        share = blueprint.strategy("r:0:b200:f", hand)[1]
        assert share > 0.8 if calls else share < 0.1


def test_prizes_of_another_game_are_refused() -> None:
    for prizes, words in (
        ([0.5, 0.4], "add up to 1"),
        ([float("nan")] * 2, "add up to 1"),
        ([1.0], "winner takes all"),
        ([0.1, 0.9], "largest first"),
    ):
        with pytest.raises(ConfigError, match=words):
            config([10, 10, 10], prizes)
    with pytest.raises(ConfigError, match="three players, not 2"):
        BlueprintConfig.parse({"game": {"players": 2, "prizes": SPLIT}, "menu": PUSH})
    with pytest.raises(ConfigError, match="dense, not with keyed"):
        config([10, 10, 10], SPLIT, tables="keyed")
