"""A KL anchor: equilibrium play that stays near a blueprint (piKL; Jacob et al. 2022), on a small game.

Each player maximises what it wins less `strength` times the sum, over its decisions on the way, of the
divergence KL(strategy || anchor). At every information set, with Q the mean over iterations of an action's
value per visit (later divergences taken off) and tau the anchor,

    strategy(a)  in proportion to  exp[(Q(a) + strength log tau(a)) / (kappa + strength)]

where kappa, the step of the method, goes to 0. With strength 0 that is Hedge, whose average goes to an
equilibrium; with an infinite one it is the anchor. In between the fixed point is tau(a) exp(Q(a) / strength).

The strength is in the units of the payoffs: an action that the anchor never plays is never played, and one it
plays often is left only for a gain that is large beside the strength.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.games.protocol import CHANCE
from overbet.search.tabular.walks import Floats, levels, sums
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.tabular import TabularBestResponse, best_response
from overbet.tree.passes import build_passes

DEFAULT_STEP = 32.0


class AnchoredSolver:
    """piKL over every information set of a small game; players are updated in turn.

    strength: lambda, one number or [infoset] float64 (a street of its own, say); `math.inf` is allowed
    step: kappa after t iterations is (largest return - smallest return) / (step sqrt(t))
    """

    def __init__(self, anchor: TabularPolicy, strength: npt.ArrayLike, step: float = DEFAULT_STEP) -> None:
        self.anchor, self.flat = anchor, anchor.game
        build_passes(self.flat)  # refuses a game of imperfect recall
        tree = self.flat.tree
        given = np.asarray(strength, dtype=np.float64)
        if given.shape not in ((), (self.flat.num_infosets,)) or not (given >= 0.0).all():
            raise ConfigError(
                f"the strength of an anchor is one number, or one for each of {self.flat.num_infosets} "
                "information sets, none negative"
            )
        if not 0.0 < step < np.inf:
            raise ConfigError(f"the step must be positive, not {step}")
        self.strength: Floats = np.broadcast_to(given, (self.flat.num_infosets,))[tree.slot_infoset]
        self._range = float(np.ptp(tree.returns)) or 1.0
        self._step = step
        tau = anchor.probabilities
        self._log_tau = np.log(tau, out=np.full_like(tau, -np.inf), where=tau > 0.0)
        self._pull = np.where(self.strength > 0.0, self._log_tau, 0.0)  # where nothing pulls, all is allowed
        self._levels = levels(tree)
        self._mover = np.full(self.flat.num_nodes, CHANCE, dtype=np.int64)
        self._mover[1:] = tree.player[tree.parent[1:]]
        self._strategy = tau.copy()
        self._average = np.zeros(self.flat.num_slots)
        self._value_sum = np.zeros(self.flat.num_slots)
        self._visits = np.zeros(self.flat.num_infosets)
        self.iterations = 0

    def run(self, iterations: int) -> None:
        """Run that many further iterations."""
        if iterations < 0:
            raise ConfigError(f"the number of iterations cannot be negative: {iterations}")
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.flat.num_players):
                self._learn(player)

    def _learn(self, player: int) -> None:
        """Add to the player's averages and make its next strategy."""
        tree = self.flat.tree
        own = tree.infoset_player[tree.slot_infoset] == player
        self._average[own] += self.iterations * (self._own_reach(player) * self._strategy)[own]
        values, reach = self.action_values(player)
        self._value_sum += values
        self._visits += reach
        visits = self._visits[tree.slot_infoset]
        mean = np.divide(self._value_sum, visits, out=np.zeros_like(visits), where=visits > 0.0)
        kappa = self._range / (self._step * np.sqrt(self.iterations))
        with np.errstate(invalid="ignore"):  # an infinite strength is dealt with below
            exponent = (mean + np.where(self.strength > 0.0, self.strength, 0.0) * self._pull) / (
                kappa + self.strength
            )
        exponent = np.where(np.isinf(self.strength), self._pull, exponent)
        highest = np.maximum.reduceat(exponent, tree.infoset_offset[:-1])[tree.slot_infoset]
        self._strategy[own] = self.flat.normalise(np.exp(exponent - highest))[own]

    def _own_reach(self, player: int) -> Floats:
        """Return the player's own probability of playing to each slot's set, [slot] float64."""
        tree = self.flat.tree
        edge = np.where(self._mover == player, self._strategy[np.maximum(tree.slot, 0)], 1.0)
        reach = np.ones(self.flat.num_nodes)
        for level in self._levels[1:]:
            reach[level] = reach[tree.parent[level]] * edge[level]
        before = np.ones(self.flat.num_infosets)
        here = tree.infoset >= 0
        before[tree.infoset[here]] = reach[here]  # all histories of a set agree, with perfect recall
        return before[tree.slot_infoset]

    def action_values(self, player: int) -> tuple[Floats, Floats]:
        """Return the player's counterfactual action values now, and how often the others lead to each set.

        Shapes [slot] and [infoset] float64; zero for the other players. Divergences at later decisions are
        taken off.
        """
        flat, tree = self.flat, self.flat.tree
        edge = np.where(tree.slot >= 0, self._strategy[np.maximum(tree.slot, 0)], tree.probability)
        factor = np.where(self._mover == player, 1.0, edge)
        reach = np.ones(flat.num_nodes)
        for level in self._levels[1:]:
            reach[level] = reach[tree.parent[level]] * factor[level]
        cost = np.where(tree.player == player, self._costs()[tree.infoset], 0.0)
        value = np.zeros(flat.num_nodes)
        over = tree.terminal >= 0
        value[over] = tree.returns[tree.terminal[over], player]
        for level, above in zip(self._levels[:0:-1], self._levels[-2::-1]):
            parents = tree.parent[level] - above.start
            means = sums(parents, edge[level] * value[level], above.stop - above.start)
            value[above] += np.where(over[above], 0.0, means - cost[above])
        into = self._mover == player
        values = sums(tree.slot[into], (reach * value)[into], flat.num_slots)
        here = tree.player == player
        return values, sums(tree.infoset[here], reach[here], flat.num_infosets)

    def _costs(self) -> Floats:
        """Return the strength times KL(strategy || anchor) of each information set, [infoset] float64."""
        played = (self._strategy > 0.0) & (self.strength > 0.0) & np.isfinite(self.strength)
        terms = np.zeros_like(self._strategy)
        logs = np.log(self._strategy[played]) - self._log_tau[played]
        terms[played] = self.strength[played] * self._strategy[played] * logs
        return np.add.reduceat(terms, self.flat.tree.infoset_offset[:-1])

    def current_strategy(self) -> Floats:
        """Return the strategy the next iteration will play, [slot] float64."""
        return self._strategy.copy()

    def average_strategy(self) -> Floats:
        """Return the average strategy, iteration t with weight t: [slot] float64."""
        tree = self.flat.tree
        seen = np.add.reduceat(self._average, tree.infoset_offset[:-1])[tree.slot_infoset]
        return self.flat.normalise(np.where(seen > 0.0, self._average, self.anchor.probabilities))

    def policy(self) -> TabularPolicy:
        """Return the average strategy as a policy."""
        strengths = np.unique(self.strength)
        origin: dict[str, str | int | float | bool | None] = {
            "solver": "anchored",
            "strength": float(strengths[0]) if len(strengths) == 1 else "by information set",
            "iterations": self.iterations,
        }
        return TabularPolicy(self.flat, self.average_strategy(), origin)

    def best_response(self) -> TabularBestResponse:
        """Return the best responses to the average strategy."""
        return best_response(self.flat, self.average_strategy())

    def exploitability(self) -> float:
        """Return NashConv of the average strategy divided by the number of players."""
        return self.best_response().exploitability
