"""The two ways to search a flop side by side: to the end of the hand on drawn boards, or to a depth limit.

    python benchmarks/flop_search.py --states 3

Real states of the heads-up blueprint; some hands of each range are drawn, so that the whole game can be
solved with every board and judged. A flop strategy is judged by what it gives away when everything else is
played as well as can be: the player's flop decisions are locked, the rest of the game is solved, and what the
other player's best response gets is compared with the value of the game, in % of the pot. The judged game has
other sizes on turn and river than either search thinks of.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import numpy.typing as npt

from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.cards.combos import combo_name
from overbet.search.depth_limit import Limit, with_later_cards
from overbet.search.guide import guide_of
from overbet.search.question import Frozen
from overbet.search.searcher import Searcher
from overbet.search.settings import SearchSettings
from overbet.search.street_search import StreetSearch, search_street
from overbet.search.street_start import before_street, street_start
from overbet.search.street_strategy import StreetStrategy, node_after
from overbet.search.subgame import spot_of
from overbet.solvers.rules import dcfr
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.response import BEST
from overbet.solvers.vector.subgame import path_to
from overbet.tree.betting import build_tree
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, RangesConfig

LINES = (
    "r:0:b250:c:Td9d6h",
    "r:0:b200:b700:c:As7s2s",
    "r:0:c:b350:c:Kc8c3c",
    "r:0:b250:c:QhQd5h",
    "r:0:b300:c:7h5h4h",
    "r:0:b250:b900:c:Jd8d8s",
)
LATER = {"turn": {"bet": "60%"}, "river": {"bet": "100%"}}
WAYS = {
    "play, 4 drawn x 100": ("flop.future=play", "flop.drawn=4", "flop.iterations=100"),
    "play, 4 drawn x 300": ("flop.future=play", "flop.drawn=4", "flop.iterations=300"),
    "play, 8 drawn x 300": ("flop.future=play", "flop.drawn=8", "flop.iterations=300"),
    "blueprint": ("flop.future=limit", "flop.anchor=1000000", "flop.iterations=20"),
    "limit, 1 continuation": ("flop.future=limit", "flop.continuations=1"),
    "limit, 4, 12 boards": ("flop.future=limit", "flop.boards=12"),
    "limit, 4, 24 boards": ("flop.future=limit", "flop.boards=24"),
    "limit, 4, 48 boards": ("flop.future=limit", "flop.boards=48"),
}
LIMIT = ("flop.iterations=100", "flop.target=0.25")


def main() -> None:
    """Print a table for each state."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--states", type=int, default=3)
    options.add_argument("--first", type=int, default=0, help="of the states")
    options.add_argument("--hands", type=int, default=50, help="of each range")
    options.add_argument("--iterations", type=int, default=150, help="of a judging solve")
    options.add_argument("--ways", nargs="+", default=list(WAYS))
    chosen = options.parse_args()
    agent = make_agent("search:heads-up,streets=[flop,turn,river],cache=false")
    assert isinstance(agent, SearchAgent)
    for line in LINES[chosen.first : chosen.first + chosen.states]:
        _state(agent, line, chosen)


def _state(agent: SearchAgent, line: str, chosen: argparse.Namespace) -> None:
    state = agent.own_table.initial_state().with_cards([None, None]).follow(line)
    baseline, start = agent.baseline(), street_start(state)
    whole = Searcher(agent.searcher.settings).ranges(state, baseline)
    rng = np.random.default_rng(len(line))
    ranges = np.zeros_like(whole)
    for row, out in zip(whole, ranges):
        kept = rng.choice(len(row), chosen.hands, replace=False, p=row / row.sum())
        out[kept] = row[kept]
    settings = {name: _settings(name) for name in chosen.ways}
    found: dict[str, tuple[list[StreetStrategy], float]] = {}
    assert baseline.future is not None
    for name in chosen.ways:
        begun, strategies = with_later_cards(before_street(state, 1)), list[StreetStrategy]()
        seconds = 0.0
        for me in (OOP, IP):
            limited = settings[name].flop.future == "limit"
            limit = Limit(1 - me, begun, line, baseline.future()) if limited else None
            if me == IP and limit is None:  # the same search serves both
                strategies.append(strategies[0])
                continue
            near: tuple[Frozen, ...] = ()
            if settings[name].flop.anchor:
                betting = build_tree(spot_of(start, settings[name]))
                near = guide_of(betting, before_street(state, 1), start.stack, baseline.shares)
            clock = time.perf_counter()
            search = search_street(
                start, ranges, (), (), None, baseline.buckets, limit, near, (), settings[name]
            )
            seconds = time.perf_counter() - clock  # with what the first one left in the caches
            assert isinstance(search, StreetSearch)
            strategies.append(search.strategy)
        found[name] = strategies, seconds
    tree = _judged_tree(search, ranges)
    sizes = [hands.size for hands in tree.hands]
    print(f"\n{line}: pot {start.pot}, {start.stack} behind, {sizes[OOP]} and {sizes[IP]} hands")
    best = _solved(tree, None, OOP, chosen.iterations)
    error = 100 * (sum(best) - start.pot) / start.pot
    print(f"solved to {error / 2:.2f} % of the pot")
    print(f"{'':24} {'OOP gives':>10} {'IP gives':>10} {'both':>8} {'seconds':>8}")
    for name, (strategies, seconds) in found.items():
        lost = []
        for player in (OOP, IP):
            conceded = _solved(tree, strategies[player], player, chosen.iterations)[player]
            lost.append(100 * (conceded - best[player]) / start.pot)
        print(f"{name:24} {lost[0]:9.2f} % {lost[1]:8.2f} % {sum(lost):6.2f} % {seconds:8.2f}", flush=True)


def _settings(name: str) -> SearchSettings:
    limit = LIMIT if "limit" in name else ()
    return SearchSettings.changed(["streets=[flop, turn, river]", *limit, *WAYS[name]])


def _judged_tree(search: StreetSearch, ranges: npt.NDArray[np.float64]) -> PublicTree:
    """Return the game that judges: some hands, the search's sizes on the flop and others later."""
    texts = [
        ",".join(f"{combo_name(int(k))}:{row[k]:.6f}" for k in np.flatnonzero(row > 1e-6)) for row in ranges
    ]
    spot = search.tree.spot
    bets = {**spot.bets.model_dump(by_alias=True), **LATER}
    values = spot.model_dump(by_alias=True) | {
        "ranges": RangesConfig(oop=texts[0], ip=texts[1]).model_dump(),
        "bets": bets,
        "isomorphism": True,
    }
    return public_tree(type(spot).parse(values, "judge"))


def _solved(
    tree: PublicTree, strategy: StreetStrategy | None, player: int, iterations: int
) -> tuple[float, float]:
    """Return what best responses get against OOP and against IP in the solution of the game in which a
    player's flop is locked, in chips."""
    engine = VectorEngine(tree, dcfr(gamma=4.0), 2)
    if strategy is not None:
        for node in tree.betting.street_nodes(0):
            if tree.betting.kind[node] == player:
                there = node_after(strategy, path_to(tree, node))
                assert there is not None
                hands = tree.hands[player]
                shares = np.nan_to_num(strategy.at(there)[hands.combos].T).astype(np.float32)
                engine.lock(node, 0, shares / shares.sum(0), np.ones(hands.size, np.bool_))
    engine.run(iterations)
    judge = engine.judge
    return judge.expected(IP, BEST), judge.expected(OOP, BEST)


if __name__ == "__main__":
    main()
