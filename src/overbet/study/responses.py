"""Answers to a model of an opponent in a postflop spot: how much they win, and how much they give away.

    equilibrium = overbet.solve("river.yaml", target=0.1)
    lock = model_lock(equilibrium, "r:0:b75", {"fold": 0.25, "call": 0.7, "raise": 0.05})
    answer = restricted_response(equilibrium, [lock], p=0.5)
    answer.gain, answer.risk             # in % of the pot, against the model and against the worst opponent

The opponent is bound to the model at the modelled lines with probability p, and otherwise plays what hurts
most; elsewhere it always does. p = 0 is the equilibrium, p = 1 trusts the model entirely; between them an
answer gives little away for what it wins. The idea is the restricted Nash response (Johanson, Zinkevich &
Bowling, 2007) in the form in which the choice is made anew at each modelled decision, the data biased
response (Johanson & Bowling, 2009).

The engine solves with the modelled decisions fixed at p times the model and 1 - p times a free part. Before
each iteration the free part learns by regret matching from the values of its actions, which the judge finds.
How far all of it is from the solution of the restricted game is measured (`unsolved`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels.vector.response import BEST, FOLLOW
from overbet.solvers.vector.layout import rows_of
from overbet.solvers.vector.lines import PLAYERS
from overbet.solvers.vector.locking import Fixed, Lock, fixed, tree_for
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Solver
from overbet.solvers.vector.tables import Table
from overbet.solvers.vector.view import action_values, hand_values

Doubles = npt.NDArray[np.float64]
_POWER = 2  # of the iteration, by which the free part's average weighs strategies
_LOOK = 50  # iterations between two looks at what is unsolved


@dataclass(frozen=True, eq=False)
class RestrictedResponse:
    """An answer to a model. All in % of the starting pot but p and iterations.

    player: who answers. gain: what the answer wins from the model, which plays the equilibrium where nothing
    is locked, more than the equilibrium does; most: what the best response to it would. risk: what the worst
    opponent wins from the answer more than from the equilibrium. unsolved: half of what both sides could
    still gain in the restricted game. solution: the answer and what it was found against, to be looked at.
    """

    p: float
    player: str
    gain: float
    most: float
    risk: float
    unsolved: float
    iterations: int
    solution: Solution

    def __str__(self) -> str:
        return (
            f"p {self.p:g}: {self.player.upper()} gains {self.gain:.2f}% of the pot from the model (at most "
            f"{self.most:.2f}%) and risks {self.risk:.2f}%; unsolved {self.unsolved:.2f}%"
        )


def model_lock(
    equilibrium: Solution, line: str, mix: Mapping[str, float], usual: Mapping[str, float] | None = None
) -> Lock:
    """Return the lock of a line at which an opponent does each kind of action as often as `mix` says.

    mix: by kind (fold, check, call, bet, raise), such as `OpponentModel.mix`. usual: what the strategy does
    at such lines (`OpponentModel.strategy_mix`); then not the frequencies themselves are fixed but how far
    they lie from the usual: the odds of the spot's own strategy are multiplied by mix / usual. Bets and
    raises of several sizes keep their proportions.
    """
    node = equilibrium.node(line)
    if node.kind not in PLAYERS:
        raise ConfigError(f"nobody decides at {line}: model a line where a player acts")
    tokens, shares = [action.token for action in node.actions], node.seat().frequencies()
    kinds = [_kind(token, node.to_call > 0) for token in tokens]
    for kind in mix:
        if mix[kind] < 0 or (usual is not None and mix[kind] > 0 and not usual.get(kind, 0.0) > 0):
            raise ConfigError(f"the share of {kind} is below 0, or the usual one is not above 0")
    wanted = np.zeros(len(shares))
    for kind in dict.fromkeys(kinds):
        these = np.array([other == kind for other in kinds])
        total = float(shares[these].sum())
        goal = (
            mix.get(kind, 0.0)
            if usual is None
            else total * mix.get(kind, 0.0) / max(usual.get(kind, 0.0), 1e-9)
        )
        wanted[these] = goal * (shares[these] / total if total > 0 else 1.0 / these.sum())
    if not wanted.sum() > 0:
        raise ConfigError(f"the model does none of the actions at {line}: {', '.join(dict.fromkeys(kinds))}")
    found = wanted / wanted.sum()
    return Lock(line=line, frequencies=dict(zip(tokens, found.tolist())))


def restricted_response(
    equilibrium: Solution, locks: Sequence[Lock], p: float, *, target: float = 0.2, iterations: int = 1000
) -> RestrictedResponse:
    """Return the answer to an opponent who is bound to the locks with probability p.

    equilibrium: the whole spot, solved without locks; total frequencies start from its strategy. target: of
    `unsolved`, in % of the pot. iterations: at most so many.
    """
    game = _Restricted(equilibrium, locks, p)
    unsolved = float("inf")
    while game.solver.engine.iteration < iterations and unsolved > target:
        for _ in range(_LOOK):
            game.learn()
        unsolved = game.unsolved()
    return game.answer(unsolved)


class _Restricted:
    """The restricted game, being solved. free, regret, total: of each modelled decision, [actions, H]."""

    def __init__(self, equilibrium: Solution, locks: Sequence[Lock], p: float) -> None:
        if not 0.0 <= p <= 1.0:
            raise ConfigError(f"p is a probability, not {p}")
        if equilibrium.locks or len(equilibrium.streets) < 3 - equilibrium.spot.first_street:
            raise ConfigError(
                "answers need the equilibrium of the whole spot, without locks and with all streets"
            )
        if equilibrium.settings.precision == "int16":
            raise ConfigError("answers need exact tables: solve the spot with precision float32")
        tree = tree_for(equilibrium.spot, locks)
        if tree.spot.isomorphism != equilibrium.tree.spot.isomorphism:
            raise ConfigError("a lock is not the same for all suits: solve the spot with isomorphism: false")
        self.equilibrium, self.p, self.tree = equilibrium, p, equilibrium.tree
        self.models: list[Fixed] = [fixed(self.tree, lock, equilibrium.reader) for lock in locks]
        acting = {int(self.tree.betting.kind[model.place.node]) for model in self.models}
        if len(acting) != 1:
            raise ConfigError("a model is of one player: give locks of lines where the same player acts")
        [self.opponent] = acting
        self.player = 1 - self.opponent
        settings = equilibrium.settings.model_copy(update={"precision": "float32", "device": "cpu"})
        self.solver = Solver(self.tree.spot, settings, (), None, self.tree)
        self.free = [equilibrium.reader.strategy(m.place.node, m.place.board) for m in self.models]
        self.regret = [np.zeros_like(free) for free in self.free]
        self.total = [np.zeros_like(free) for free in self.free]
        engine = self.solver.engine
        self.now = [np.zeros_like(table) for table in engine.play]  # what both play now, unnormalised
        self.current = TreeReader(self.tree, engine.layout, list(self.now))
        self.average = TreeReader(self.tree, engine.layout, list(engine.average))
        self._fix(self.free)

    def learn(self) -> None:
        """Run an iteration, in which the free part learns as the engine's hands do."""
        engine = self.solver.engine
        if self.p < 1.0:
            for play, now in zip(engine.play, self.now):
                np.maximum(play, 0.0, out=now)
            self.current.forget()
            weight = float(engine.iteration + 1)
            for number, values in enumerate(self._values(self.current, FOLLOW)):
                free, regret = self.free[number], self.regret[number]
                self.total[number] += weight**_POWER * free
                regret += weight * (values - (free * values).sum(0))
                np.maximum(regret, 0.0, out=regret)
                sums = regret.sum(0)
                self.free[number] = np.where(sums > 0, regret / np.maximum(sums, 1e-300), 1.0 / len(regret))
            self._fix(self.free)
        engine.run(1)

    def unsolved(self) -> float:
        """Return half of what both sides could gain, in % of the pot, the free part being its average."""
        average = [self._average(number) for number in range(len(self.models))]
        self._fix(average)
        engine = self.solver.engine
        chips = engine.judge.exploitability()
        if self.p < 1.0:
            reader = self.average
            reader.forget()
            for model, free, values in zip(self.models, average, self._values(reader, BEST)):
                facts = hand_values(reader, self.opponent, FOLLOW, model.place.node, model.place.board)
                gained = (
                    (1.0 - self.p)
                    * (values.max(0) - (free * values).sum(0))
                    * facts.own
                    * facts.met
                    * model.hands
                )
                chips += float(gained.sum()) / reader.judge.pair_weight / 2
        self._fix(self.free)
        return 100.0 * chips / self.tree.spot.pot

    def answer(self, unsolved: float) -> RestrictedResponse:
        """Return what was found."""
        self._fix([self._average(number) for number in range(len(self.models))])
        self.solver.engine.judge  # noqa: B018  # fills in what no hand reaches
        old, own = list(self.equilibrium.reader.average), Solution.of(self.solver).reader.average
        model = np.array(old[self.opponent], np.float32, copy=True)
        for one in self.models:
            rows, places = rows_of(self.tree, self.equilibrium.layout, one.place.node, one.place.board)
            chosen = one.hands & (places >= 0)
            for action, row in enumerate(rows):
                model[row + places[chosen]] = one.strategy[action, chosen]
        answered = self._judge(own[self.player], model)
        usual, settled = (
            self._judge(old[self.player], model),
            self._judge(old[self.player], old[self.opponent]),
        )
        before = usual.expected(self.player, FOLLOW)
        worst = self._judge(own[self.player], old[self.opponent]).expected(self.opponent, BEST)
        share = 100.0 / self.tree.spot.pot
        return RestrictedResponse(
            self.p,
            PLAYERS[self.player],
            share * (answered.expected(self.player, FOLLOW) - before),
            share * (usual.expected(self.player, BEST) - before),
            share * (worst - settled.expected(self.opponent, BEST)),
            unsolved,
            self.solver.engine.iteration,
            Solution.of(self.solver),
        )

    def _judge(self, player: Table, opponent: Table) -> Judge:
        pair = [player, opponent] if self.player == 0 else [opponent, player]
        return Judge(self.tree, self.equilibrium.layout, pair)

    def _average(self, number: int) -> Doubles:
        """Return the free part's average strategy: later lessons count more."""
        total = self.total[number]
        return total / total.sum(0) if total.any() else self.free[number]

    def _fix(self, free: Sequence[Doubles]) -> None:
        """Fix the modelled decisions: p of the model and the rest of the free part; other hands are free."""
        for model, part in zip(self.models, free):
            mixed = self.p * model.strategy + (1.0 - self.p) * part
            self.solver.engine.lock(
                model.place.node, model.place.board, mixed.astype(np.float32), model.hands
            )

    def _values(self, reader: TreeReader, mode: int) -> list[Doubles]:
        """Return what each action of each modelled decision is worth to the free part: [actions, H] chips."""
        found = []
        for model in self.models:
            node, board = model.place.node, model.place.board
            met = hand_values(reader, self.opponent, mode, node, board).met
            values = action_values(reader, self.opponent, mode, node, board, met)
            found.append(np.nan_to_num(values).T)
        return found


def _kind(token: str, facing: bool) -> str:
    """Return the kind of an action by its part of the line."""
    if token == "f":
        return "fold"
    if token == "c":
        return "call" if facing else "check"
    return "raise" if facing else "bet"
