"""Wild hands: any agents, 2 to 10 seats, any stacks, blinds and antes; nothing illegal, no chip lost."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.protocol import Agent
from overbet.agents.registry import make_agent
from overbet.cards.evaluator import tables
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame
from tests.agents.blueprints import blueprint_agent
from tests.evaluation.log_checker import check_log

SPECS = ("random", "random-chips", "tag", "lag", "equity:0.6", "always-raise", "always-call", "always-fold")


def wild_table(rng: np.random.Generator) -> tuple[HoldemGame, list[Agent]]:
    """Return a table with stacks from less than a blind to very deep, and agents, wild ones more often."""
    players = int(rng.integers(2, 11))
    stacks = np.exp(rng.uniform(0.0, np.log(40_000), players)).astype(int) + 1
    big = int(rng.integers(1, 200))
    blinds = [int(rng.integers(0, big + 1)), big]
    if players > 3 and rng.random() < 0.2:
        blinds.append(2 * big)
    ante = int(rng.integers(0, big + 1)) if rng.random() < 0.3 else 0
    options = {"full_blind": bool(rng.random() < 0.3), "dead_antes": bool(rng.random() < 0.2)}
    game = HoldemGame(players, stacks.tolist(), blinds, ante, **options)
    chances = np.array([3, 4, 1, 1, 1, 1, 1, 0.5])
    chosen = rng.choice(SPECS, players, p=chances / chances.sum())
    agents = [make_agent(str(spec)) for spec in chosen]
    if rng.random() < 0.25:  # a blueprint that does not fit the stacks at all: it must play on, legally
        agents[0] = blueprint_agent(players, 100.0, 0.2, small=True) if players <= 3 else agents[0]
        if players <= 3:
            object.__setattr__(agents[0], "prepare", lambda _: None)
    return game, agents


def fuzz(tables_played: int, hands: int, seed: int) -> int:
    rng = np.random.default_rng(seed)
    played = 0

    def check(block: PlayedBlock) -> None:
        bad = check_log(
            block.game.root.copy(),
            tables(),
            block.seed,
            block.first_group,
            block.starts,
            block.moves,
            block.won,
        )
        assert bad == -1, f"{block.game}: hand {bad} of the block from {block.first_group}"

    for number in range(tables_played):
        game, agents = wild_table(rng)
        result = play_match(agents, game, hands, seed=seed + number, workers=2, on_block=check)
        assert (result.won.sum(1) == 0).all()
        played += result.hands
    return played


def test_wild_hands() -> None:
    assert fuzz(40, 2_000, seed=1) >= 80_000


@pytest.mark.slow
def test_a_million_wild_hands() -> None:
    assert fuzz(400, 2_500, seed=1_000) >= 1_000_000


def test_the_checker_finds_what_is_wrong() -> None:
    blocks: list[PlayedBlock] = []
    agents = [make_agent("tag"), make_agent("random-chips")]
    play_match(agents, HoldemGame(2), 40, seed=1, on_block=blocks.append)
    block = blocks[0]

    def first_bad(moves: np.ndarray, won: np.ndarray, seed: int = 1) -> int:
        return int(check_log(block.game.root.copy(), tables(), seed, 0, block.starts, moves, won))

    assert first_bad(block.moves, block.won) == -1
    assert first_bad(block.moves, block.won + np.eye(40, 2, dtype=np.int64)[::-1]) == 38
    for place, action in ((0, 101), (0, 20_000), (1, -2)):
        moves = block.moves.copy()
        moves[place] = action
        assert first_bad(moves, block.won) == 0
    assert first_bad(block.moves, block.won, seed=2) >= 0
