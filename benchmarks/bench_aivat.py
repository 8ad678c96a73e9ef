"""What AIVAT costs and what it saves: matches of the heads-up blueprint against the scripted agents.

Cost: time of a match with AIVAT over that of the match alone. Gain: by how much the standard deviation of a
hand falls with both strategies known, and with the blueprint's alone. Last, how many standard errors the
means of raw and AIVAT lie apart, by deals. Run: python benchmarks/bench_aivat.py [hands] [seed]
"""

from __future__ import annotations

import sys
import time

from overbet.agents.registry import make_agent
from overbet.evaluation.aivat import MatchAivat
from overbet.evaluation.match_blocks import compiled_match, play_compiled

TARGET_COST, TARGET_BOTH, TARGET_ONE = 3.0, 0.60, 0.35
AGAINST = ("tag", "lag", "equity", "random", "always-raise", "always-call")


def main() -> None:
    deals = int(sys.argv[1]) // 2 if len(sys.argv) > 1 else 5000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    blueprint = make_agent("blueprint:heads-up")
    game = blueprint.blueprint.tree.game  # type: ignore[attr-defined]
    print(f"targets: both known {TARGET_BOTH:.0%}, one known {TARGET_ONE:.0%}, cost {TARGET_COST:g}x")
    print(
        f"{'against':<14}{'hands/s':>10}{'with AIVAT':>12}{'cost':>8}{'both':>8}{'one':>8}"
        f"{'deal, both':>12}{'apart':>8}"
    )
    for spec in AGAINST:
        agents = (blueprint, make_agent(spec))
        both, one = MatchAivat(agents, game), MatchAivat(agents, game, known=[0])
        match = compiled_match(agents, game, seed)
        assert match is not None
        both.estimate(play_compiled(match, game, agents, 0, 10))
        begun = time.process_time()
        block = play_compiled(match, game, agents, 0, deals)
        raw = time.process_time() - begun
        begun = time.process_time()
        estimates = both.estimate(block)
        spent = raw + time.process_time() - begun
        alone = one.estimate(block)
        sd = block.won[:, 0].std()
        by_deal = [values.reshape(-1, 2, 2).mean(1)[:, 0].std() for values in (block.won, estimates)]
        gap = (block.won - estimates).reshape(-1, 2, 2).mean(1)[:, 0]
        apart = gap.mean() / (gap.std() / len(gap) ** 0.5)
        print(
            f"{spec:<14}{2 * deals / raw:>10.0f}{2 * deals / spent:>12.0f}{spent / raw:>7.1f}x"
            f"{1 - estimates[:, 0].std() / sd:>8.1%}{1 - alone[:, 0].std() / sd:>8.1%}"
            f"{1 - by_deal[1] / by_deal[0]:>12.1%}{apart:>8.1f}"
        )


if __name__ == "__main__":
    main()
