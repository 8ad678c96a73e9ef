"""Gifts on the way to a subgame: a case worked out by hand, and that no more is promised than was given."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import ConfigError
from overbet.search.reach import PastDecision, gifts, reach_alternatives

Doubles = npt.NDArray[np.float64]


def test_a_case_by_hand() -> None:
    """Two hands. The first gave 6 away against a range of weight 3; the second took its best action.

    The subgame is met with weight 1 and 2 (of 3): a gift of 2 chips for each unit met is promised again.
    """
    first = PastDecision(best=[16.0, 5.0], taken=[10.0, 5.0], met=[3.0, 3.0])
    assert gifts(first).tolist() == [6.0, 0.0]
    assert reach_alternatives([4.0, 7.0], [1.0, 2.0], [first]).tolist() == [4.0 + 6 * 1 / 3, 7.0]
    # a second decision on the way, met with weight 2: both gave 1 away there
    second = PastDecision(best=[9.0, 4.0], taken=[8.0, 3.0], met=[2.0, 2.0])
    found = reach_alternatives([4.0, 7.0], [1.0, 2.0], [first, second])
    assert found.tolist() == [4.0 + 2.0 + 0.5, 7.0 + 1.0]
    # no decision, no gift; the values given are not changed
    values = np.array([4.0, 7.0])
    assert reach_alternatives(values, [1.0, 2.0]).tolist() == [4.0, 7.0]
    # bounds: a best action known to be worth 12 at least gave away 2 at least
    bounded = first._replace(best=[12.0, 0.0])
    assert reach_alternatives(values, [1.0, 2.0], [bounded]) == pytest.approx([4.0 + 2 / 3, 7.0])
    assert values.tolist() == [4.0, 7.0]


def test_a_hand_that_meets_nobody_there() -> None:
    """Rounding where a hand blocks the whole range is no share."""
    decision = PastDecision(best=[2.0, 2.0], taken=[1.0, 1.0], met=[1e-17, 4.0])
    assert reach_alternatives([0.0, 0.0], [1e-17, 2.0], [decision]).tolist() == [0.0, 0.5]
    with pytest.raises(ConfigError, match="give one a hand"):
        reach_alternatives([1.0, 2.0], [1.0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_promises_never_exceed_the_gifts(seed: int) -> None:
    """A random tree below a decision: cards, the searcher's actions and the opponent's, in any order.

    Whatever the opponent's actions below are, the subgames they lead to together promise what was given.
    """
    random = np.random.default_rng(seed)
    hands = 3

    def most(met: Doubles, past: tuple[PastDecision, ...], depth: int) -> Doubles:
        """Return the largest sum of promises below a point that one plan of the opponent can collect."""
        kind = random.choice(["end", "subgame", "searcher", "cards", "opponent"]) if depth else "subgame"
        if kind == "end":  # a fold: no subgame
            return np.zeros(hands)
        if kind == "subgame":
            return reach_alternatives(np.zeros(hands), met, past)
        if kind == "opponent":  # it takes the best of its actions, hand by hand
            worth = random.normal(size=(2, hands)) * met
            best = worth.max(0)
            below = [most(met, (*past, PastDecision(best, own, met)), depth - 1) for own in worth]
            lost = [best - own for own in worth]
            # a gift given back makes the action as good as the best one and no better
            return np.maximum(*(promised - gift for promised, gift in zip(below, lost)))
        shares = random.dirichlet(np.ones(3), hands).T
        if kind == "searcher":
            return sum((most(met * share, past, depth - 1) for share in shares), np.zeros(hands))
        # values after a card are summed over cards by their chance
        return sum(
            (most(met * share * 3, past, depth - 1) / 3 for share in shares),
            np.zeros(hands),
        )

    met = random.uniform(0.1, 5.0, hands)
    lost = random.uniform(0.0, 3.0, hands) * met
    first = PastDecision(lost, np.zeros(hands), met)
    assert (most(met, (first,), 5) <= lost + 1e-9).all()
