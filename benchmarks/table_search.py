"""What search is worth at a table: one searcher against blueprints in all other seats, in every seat.

    python benchmarks/table_search.py --hands 20000 --minutes 7 --workers 16
    python benchmarks/table_search.py --agent search:heads-up,cache=false --blueprint blueprint:heads-up
    python benchmarks/table_search.py --agent "search:expresso,cache=false,threads=1,streets=[turn,river]"

Every deal is played in all seats. Two estimates of the same hands, both unbiased:

- what the searcher won;
- what it gained on the blueprint, decision by decision: the sum over its searched decisions of
  (share of search - share of the blueprint) times what an action is worth when the blueprint plays on in the
  seat. Blueprints alone win nothing on average, and the sum of these advantages on the way is the difference
  of two strategies (Kakade & Langford 2002). Actions are valued by playing on many times with hands of all
  players drawn from the ranges that they exactly have: the luck of cards and of dice is left out.

The intervals are over deals.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import Counter
from typing import Any

import numpy as np

AGENT = "search:expresso,cache=false,threads=1"
BLUEPRINT = "blueprint:expresso"
_BOARDS = 48  # on which a run that ends all in is settled
RUNS = 1000  # deals by which the actions of a decision are valued
_FIRST_RUN = 1 << 40  # hand numbers of those: far from those of the match
_CHUNK = 10
_agents: dict[str, Any] = {}


def played(agents: list[Any], game: Any, seed: int, hand: int, counts: Counter[str]) -> Any:
    """Return the state at the end of one hand. agents: by seat."""
    from overbet.agents.protocol import Observation

    now = game.deal(seed, hand)
    while not now.is_terminal():
        agent = agents[now.current_player()]
        action = agent.act(Observation.of(now, seed, hand))
        last = getattr(agent, "last", None)
        if last is not None:
            counts[f"{now.street}, {type(last.search).__name__}"] += 1
        counts["left to the blueprint"] += bool(getattr(agent, "fault", ""))
        now = now.apply(action)
    return now


def gained(final: Any, seat: int, seed: int, hand: int) -> dict[str, float]:
    """Return what the searcher gained on the blueprint by the strategies it followed, in big blinds, by
    street and players who are left. All ranges are those of the strategies really followed."""
    from overbet.agents.compiled import match_of
    from overbet.agents.protocol import PublicState
    from overbet.cards.combos import COMBOS
    from overbet.kernels.match.play import Start, new_space, roll_out, stand

    searcher, blueprint = _agents["search"], _agents["blueprint"]
    game, rng = final.game, np.random.default_rng([seed, hand])
    match = match_of([blueprint] * game.num_players, game, seed)
    seats, space = np.arange(game.num_players), new_space(game.num_players)
    won = np.empty((RUNS, game.num_players))
    state = game.initial_state().with_cards(final.hole, final.board)
    ranges, found = np.ones((game.num_players, COMBOS)), dict[str, float]()
    for _, player, action in final.history:
        public = PublicState.of(state, seed, hand)
        followed = (searcher if player == seat else blueprint).strategy_for_all_hands(public)
        if player == seat and searcher.searcher.covers(state):
            old = blueprint.strategy_for_all_hands(public)
            cards, combos = drawn_cards(ranges, state.board, rng)
            taken = np.array([done for _, _, done in state.history], np.int64)
            gain = np.zeros(len(cards))
            for one in sorted({*followed.actions, *old.actions}):
                more = np.zeros(len(cards))
                for strategy, sign in ((followed, 1.0), (old, -1.0)):
                    if one in strategy.actions:
                        more += sign * strategy.shares[combos[:, seat], strategy.actions.index(one)]
                stand(match, space, state.vector, taken, hand)
                start = Start(cards, np.array([one], np.int64), len(taken))
                roll_out(match, space, seats, start, _FIRST_RUN, _BOARDS, won)
                gain += more * won[: len(cards), seat]
            kind = f"{state.street}, {sum(state.in_hand)} left"
            found[kind] = found.get(kind, 0.0) + float(gain.mean()) / game.big_blind
        ranges[player] *= np.nan_to_num(followed.shares[:, followed.actions.index(action)])
        state = state.apply(action)
    return found


def drawn_cards(ranges: Any, board: tuple[int, ...], rng: Any) -> tuple[Any, Any]:
    """Return cards of RUNS deals, [run, 2 * players + 5] int64, drawn from ranges, and their combos."""
    from overbet.cards.combos import combo_table, live_combos

    players, kept = len(ranges), list[Any]()
    weights = ranges * live_combos(board)
    while sum(map(len, kept)) < RUNS:
        combos = np.stack([rng.choice(len(one), 4 * RUNS, p=one / one.sum()) for one in weights], axis=1)
        held = np.sort(combo_table()[combos].reshape(len(combos), -1), axis=1)
        kept.append(combos[(held[:, 1:] != held[:, :-1]).all(1)])
    combos = np.concatenate(kept)[:RUNS]
    holes = combo_table()[combos].reshape(RUNS, 2 * players).astype(np.int64)
    order = rng.random((RUNS, 52))
    np.put_along_axis(order, holes, 2.0, axis=1)
    order[:, list(board)] = 2.0
    coming = np.argsort(order, axis=1)[:, : 5 - len(board)]
    lying = np.tile(np.array(board, np.int64), (RUNS, 1))
    return np.concatenate([holes, lying, coming], axis=1), combos


def begin(spec: str, other: str) -> None:
    """Make the agents of a worker."""
    from overbet.agents.registry import make_agent

    _agents["search"], _agents["blueprint"] = make_agent(spec), make_agent(other)


def chunk(task: tuple[int, int, float]) -> tuple[list[tuple[float, float]], Counter[str], dict[str, float]]:
    """Play some deals; return by deal what was won and gained in mbb a hand, and gains by kind."""
    seed, first, until = task
    searcher, blueprint = _agents["search"], _agents["blueprint"]
    game, found, counts, kinds = searcher.own_table, [], Counter[str](), dict[str, float]()
    for hand in range(first, first + _CHUNK):
        if time.time() > until:
            break
        won, more = 0.0, 0.0
        for seat in range(game.num_players):
            agents = [blueprint] * game.num_players
            agents[seat] = searcher
            number = game.num_players * hand + seat
            final = played(agents, game, seed, number, counts)
            won += final.returns()[seat] / game.big_blind
            for kind, gain in gained(final, seat, seed, number).items():
                kinds[kind] = kinds.get(kind, 0.0) + 1000 * gain
                more += gain
        found.append((1000 * won / game.num_players, 1000 * more / game.num_players))
    return found, counts, kinds


def warm(spec: str, other: str) -> None:
    """Have every kernel compiled once, before the workers ask for them."""
    from overbet.agents.protocol import PublicState

    begin(spec, other)
    searcher, state = _agents["search"], _agents["search"].own_table.deal(1, 0)
    while not state.is_terminal():  # everybody checks and calls to the river
        if searcher.searcher.covers(state):
            searcher.strategy_for_all_hands(PublicState.of(state, 1, 0))
        state = state.apply(0)
    gained(state, 0, 1, 0)
    if state.num_players == 2:
        return
    pair = searcher.own_table.deal(1, 1).apply(0).apply(-1)
    while not pair.is_terminal():
        pair = pair.apply(0)
    gained(pair, 1, 1, 1)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agent", default=AGENT)
    parser.add_argument("--blueprint", default=BLUEPRINT, help="who sits in the other seats")
    parser.add_argument("--hands", type=int, default=100_000, help="deals at most, each played in all seats")
    parser.add_argument("--minutes", type=float, default=7.0)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    begun = time.time()
    until = begun + 60 * given.minutes
    warm(given.agent, given.blueprint)
    tasks = [(given.seed, first, until) for first in range(0, given.hands, _CHUNK)]
    workers = given.workers or multiprocessing.cpu_count()
    rows, counts, kinds = [], Counter[str](), dict[str, float]()
    with multiprocessing.get_context("spawn").Pool(workers, begin, (given.agent, given.blueprint)) as pool:
        for found, seen, gains in pool.imap_unordered(chunk, tasks):
            rows.extend(found)
            counts.update(seen)
            for kind, gain in gains.items():
                kinds[kind] = kinds.get(kind, 0.0) + gain
    both = np.array(rows)
    half = 1.96 * both.std(0, ddof=1) / np.sqrt(len(both))
    mean = both.mean(0)
    players = _agents["search"].own_table.num_players
    print(f"{given.agent} against {players - 1} of {given.blueprint}: ", end="")
    print(f"{players * len(both):,} hands ({len(both):,} deals)")
    print(
        f"won {mean[0]:+.1f} ± {half[0]:.1f} mbb/hand; gained by its decisions {mean[1]:+.1f} ± {half[1]:.1f}"
    )
    for kind in sorted(kinds):
        print(f"  {kind}: {kinds[kind] / (players * len(both)):+.1f} mbb/hand")
    print(f"{time.time() - begun:.0f} s, {workers} workers; decisions: {dict(counts)}")


if __name__ == "__main__":
    main()
