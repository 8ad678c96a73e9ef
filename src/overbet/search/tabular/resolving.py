"""Subgames of a small game solved again, safely or not, and the whole strategy that comes of it.

    blueprint = overbet.TabularSolver("leduc", "cfr"); blueprint.run(20)
    found = resolve_all(blueprint.policy(), "maxmargin")
    found.policy.exploitability()       # exact, by best responses; at most the blueprint's + found.error

The gadgets (o is the opponent of the player who searches; a its root information set's value in the
blueprint, against o's best response):

    unsafe           deal the root histories as the blueprint believes; promises nothing
    resolve          o chooses at each root set between entering and a       (Burch, Johanson & Bowling 2014)
    maxmargin        o picks a root set; the searcher maximises the least margin a - v  (Moravcik et al. 2016)
    reach            maxmargin with a raised by what o gave away before      (Brown & Sandholm 2017)
    reach-estimates  the same with a estimated: what the new strategy may be expected to let o have

Estimates are taken from a first, unsafe solve (o's best response to it), or from the blueprint's own values
(both players keep to it). The result is never more exploitable than the first solve was.

With an exact solver, resolve, maxmargin and reach are never more exploitable than the blueprint, whatever the
blueprint. With an inexact one they are so up to `error`: a strategy that is worse than the best by g in the
augmented game lets o gain g per visit at most, and o's root sets are visited with weight k in all, so that
k g bounds what is lost. NashConv in the augmented game bounds g.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, unknown
from overbet.search.tabular.alternatives import (
    Gifts,
    OpponentView,
    Values,
    alternatives,
    checked_gifts,
    gifts,
)
from overbet.search.tabular.augmented import AugmentedGame, Beginning, choice, deal, pick
from overbet.search.tabular.subgames import PublicSubgame, given_subgames
from overbet.search.tabular.walks import Floats
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.tabular import TabularSolver, best_response
from overbet.tree.flat import FlatGame

GadgetName = Literal["unsafe", "resolve", "maxmargin", "reach", "reach-estimates"]
GADGETS: tuple[GadgetName, ...] = get_args(GadgetName)
Estimates = Literal["solve", "blueprint"]
Solve = Callable[[FlatGame], Floats]
DEFAULT_ITERATIONS = 1000


def cfr_solve(iterations: int = DEFAULT_ITERATIONS, rule: str = "dcfr") -> Solve:
    """Return a function that solves a small game by that many iterations of CFR: [slot] float64."""
    if iterations < 1:
        raise ConfigError(f"a subgame needs at least one iteration, not {iterations}")

    def solve(game: FlatGame) -> Floats:
        solver = TabularSolver(game, rule)
        solver.run(iterations)
        return solver.average_strategy()

    return solve


@dataclass(frozen=True, eq=False)
class ResolvedSubgame:
    """One subgame solved again for one player.

    augmented: the game that was solved, with the gadget; None where the blueprint was kept
    solved: [slot of the augmented game] float64
    weight: how often searcher and cards lead there, whatever the opponent does
    gap: NashConv of `solved` in the augmented game
    """

    subgame: PublicSubgame
    searcher: int
    augmented: AugmentedGame | None
    solved: Floats
    weight: float
    gap: float

    @property
    def error(self) -> float:
        """How much this subgame may add to what a best response wins, for want of iterations."""
        return self.weight * self.gap


@dataclass(frozen=True, eq=False)
class ResolvedPolicy:
    """A blueprint with its subgames solved again.

    error: what the solver's inexactness may add to the exploitability of a safe gadget, at most
    """

    policy: TabularPolicy
    blueprint: TabularPolicy
    gadget: GadgetName
    subgames: tuple[ResolvedSubgame, ...]

    @property
    def error(self) -> float:
        """A bound on what solving inexactly costs, in the units of `policy.exploitability()`."""
        return sum(part.error for part in self.subgames) / 2.0


def checked_gadget(name: str) -> GadgetName:
    """Return `name` if it is a gadget's, else raise `ConfigError`."""
    for known in GADGETS:
        if name == known:
            return known
    raise ConfigError(unknown("gadget", name, GADGETS))


def augment(
    view: OpponentView, subgame: PublicSubgame, gadget: GadgetName, alternative: Floats
) -> AugmentedGame | None:
    """Return the game to solve; None where the searcher never gets to the subgame.

    alternative: [root information set of the opponent] float64, per visit. Unsafe does not use it. Where the
    opponent's part of the blueprint never gets to the subgame either, unsafe deals as if it always did.
    """
    roots, known = subgame.roots, subgame.known[view.opponent]
    weights = view.others[roots]
    if gadget == "unsafe":
        believed = weights * view.reach[view.opponent, roots]
        weights = believed if believed.sum() > 0.0 else weights
    here = weights > 0.0
    if not here.any():
        return None
    kept, classes = np.unique(known[here], return_inverse=True)
    start = Beginning(view.opponent, roots[here], weights[here], classes.astype(np.int64))
    if gadget == "unsafe":
        return deal(view.game, start)
    head = choice if gadget == "resolve" else pick
    return head(view.game, start, np.ascontiguousarray(alternative[kept]))


def resolve_subgame(
    view: OpponentView,
    subgame: PublicSubgame,
    gadget: GadgetName,
    alternative: Floats,
    solve: Solve | None = None,
) -> ResolvedSubgame:
    """Solve one subgame again for `view.searcher`; `alternative` as in `augment`."""
    game = augment(view, subgame, checked_gadget(gadget), alternative)
    if game is None:
        return ResolvedSubgame(subgame, view.searcher, None, np.zeros(0), 0.0, 0.0)
    solved = game.flat.normalise((solve or cfr_solve())(game.flat))
    weight = float(view.others[subgame.roots].sum())
    return ResolvedSubgame(
        subgame, view.searcher, game, solved, weight, best_response(game.flat, solved).nash_conv
    )


def resolve_all(
    blueprint: TabularPolicy,
    gadget: str = "maxmargin",
    at: npt.ArrayLike | Sequence[PublicSubgame] | None = None,
    players: Iterable[int] = (0, 1),
    solve: Solve | None = None,
    bound: str = "blueprint",
    estimates: str = "solve",
) -> ResolvedPolicy:
    """Solve every subgame of `players` again and return the blueprint with the new strategies in place.

    at: the subgames, or the histories at which they begin; as `find_subgames` takes and returns them
    solve: a function that solves a `FlatGame` ([slot] float64); 1,000 iterations of DCFR without one
    bound: how gifts are bounded (`gifts`), for the gadgets with reach
    estimates: "solve" (an unsafe solve comes first) or "blueprint", for reach-estimates
    """
    name, limit, source = checked_gadget(gadget), checked_gifts(bound), _checked_estimates(estimates)
    chosen = sorted({*players})
    if not {*chosen} <= {0, 1}:
        raise ConfigError(f"players are 0 and 1, not {chosen}")
    subgames = given_subgames(blueprint.game, at)
    strategy = blueprint.probabilities.copy()
    expected = blueprint
    if name == "reach-estimates" and source == "solve":
        expected = resolve_all(blueprint, "unsafe", subgames, chosen, solve).policy
    which: Values = "estimates" if name == "reach-estimates" and source == "blueprint" else "response"
    solved = []
    for player in chosen:
        view = OpponentView(blueprint.game, blueprint.probabilities, player)
        valued = OpponentView(blueprint.game, expected.probabilities, player)
        promised = promises(valued, subgames, which, limit if name.startswith("reach") else "none")
        for subgame, alternative in zip(subgames, promised):
            part = resolve_subgame(view, subgame, name, alternative, solve)
            if part.augmented is not None:
                part.augmented.into(strategy, part.solved, player)
            solved.append(part)
    origin = {**blueprint.origin, "gadget": name, "subgames": len(solved)}
    policy = TabularPolicy(blueprint.game, strategy, origin)
    return ResolvedPolicy(policy, blueprint, name, tuple(solved))


def promises(
    view: OpponentView, subgames: Iterable[PublicSubgame], which: Values = "response", bound: Gifts = "none"
) -> list[Floats]:
    """Return what the opponent may have in each subgame, per visit: its values there and its gifts.

    One [root information set] float64 for each subgame. Gifts are split over all the subgames given.
    """
    found = tuple(subgames)
    if not found:
        return []
    given = gifts(view, np.concatenate([part.roots for part in found]), which, bound)
    return [alternatives(view, part, which, given)[0] for part in found]


def _checked_estimates(name: str) -> Estimates:
    for known in get_args(Estimates):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise ConfigError(unknown("source of estimates", name, get_args(Estimates)))
