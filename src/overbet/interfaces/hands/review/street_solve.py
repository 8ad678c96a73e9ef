"""The street of a real hand as a solved spot: real pot, stacks and board, the bets really made in the menu.

What is read off: what each action is worth to a hand, by both players' solved strategies, and the ranges with
which both leave the street. A line that a player's whole range never takes leaves the range as it was.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS, class_of_combos, live_combos
from overbet.cards.range import Range
from overbet.errors import TooLargeError
from overbet.games import lines
from overbet.interfaces.hands.review.settings import MENUS, THRESHOLDS, ReviewSettings
from overbet.search.beliefs import on_board, scaled
from overbet.search.street_start import tokens_of
from overbet.search.subgame import with_equal_suits
from overbet.solvers.vector.estimate import estimate
from overbet.solvers.vector.lines import PLAYERS
from overbet.solvers.vector.node import Node
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Solver
from overbet.tree.public import public_tree
from overbet.tree.spot import RakeConfig, RangesConfig, Spot

Floats = npt.NDArray[np.float64]
_DECIMALS = 3  # of weights
_FLOOR = 10.0**-_DECIMALS  # of the hand that was really held, where its range does not hold it
_TAIL = 0.01  # of a flop range's weight: its rarest hands up to this are left out, which halves the work
_SPREAD = 3.0  # so many times the mean over hands is what one hand can lose: benchmarks/review_accuracy.py
_NEVER = 1e-6  # a reach below this part of the range: the line is never taken


class StreetQuestion(NamedTuple):
    """A street between two players, chips of the record. Pairs are of (out of position, in position).

    street: 0 flop to 2 river. ranges: [2, 1326] float64 when it began. held: the reviewed player's place in
    the pair and combo. edges: the actions of the street, 0 for a check or call, otherwise all that the player
    put in on it, at most the effective stack; a fold is left out.
    """

    street: int
    board: tuple[int, ...]
    pot: int
    stacks: tuple[int, int]
    ranges: Floats
    held: tuple[int, int]
    edges: tuple[int, ...]
    big_blind: int
    least_bet: int
    rake: tuple[float, float]


class SolvedStreet:
    """A street that was solved."""

    def __init__(self, question: StreetQuestion, solution: Solution) -> None:
        self.question, self.solution = question, solution

    def accuracy_bb(self, actions: int, tokens: Collection[str]) -> float:
        """Return how well the values of actions are known for the hand that is held, in big blinds.

        actions: of the street, before the decision; tokens: the actions that are compared. What the hand
        itself could still gain after each of them is known and counts whole. What the opponent could gain is
        a mean over all hands, and one hand may lose some times as much: it counts `_SPREAD` times. It is the
        solve's exploitability, or, where it is more, the gain after one of these actions: a line that is
        hardly ever taken is known less well than the whole.
        """
        question = self.question
        found = self.solution.exploitability / 100 * question.pot
        other = 1 - PLAYERS.index(str(self.node(actions).player))
        for token in tokens:
            if token != lines.FOLD:
                gain = self.solution.best_response(other, f"{self.line(actions)}:{token}").gain_chips
                found = max(found, gain if np.isfinite(gain) else float(question.pot))
        return (_SPREAD * found + self._own_gain(actions, tokens)) / question.big_blind

    def _own_gain(self, actions: int, tokens: Collection[str]) -> float:
        """Return what the hand that is held could still gain after each of some actions, added up."""
        player, combo = self.question.held
        best = self.solution.best_response(player, self.line(actions))
        node = self.node(actions)
        [row] = np.flatnonzero(best.combos == combo)
        seat = node.seat()
        [place] = np.flatnonzero(seat.combos == combo)
        assert best.action_ev_chips is not None
        assert seat.action_ev_chips is not None
        gains = best.action_ev_chips[row] - seat.action_ev_chips[place]
        own = [gain for gain, action in zip(gains, node.actions) if action.token in tokens]
        return float(np.nansum(np.maximum(own, 0.0)))

    def node(self, actions: int) -> Node:
        """Return the spot after so many actions of the street."""
        return self.solution.node(self.line(actions))

    def line(self, actions: int) -> str:
        """Return the line of the spot after so many actions of the street."""
        return lines.text(tokens_of(self.question.edges[:actions]))

    def ranges_after(self) -> Floats:
        """Return both ranges after all actions of the street: [2, 1326] float64, never empty."""
        node, found = self.node(len(self.question.edges)), self.question.ranges.copy()
        for player, seat in enumerate((node.oop, node.ip)):
            if seat.reach.max() > _NEVER * found[player].max():
                found[player] = 0.0
                found[player, seat.combos] = scaled(seat.reach)
        return found

    def facts(self, actions: int) -> dict[str, Any]:
        """Return what opens the spot elsewhere: fields of `Spot`, and `line` up to a decision."""
        spot = self.solution.spot.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return {**spot, "line": self.line(actions)}


def solve_street(question: StreetQuestion, settings: ReviewSettings) -> SolvedStreet:
    """Solve a street; Ctrl-C ends it."""
    spot = spot_of_street(question)
    chosen = SolveSettings(
        target=settings.target_of(question.street),
        iterations=settings.iterations,
        seconds=settings.seconds,
        threads=settings.threads,
        device=settings.device,
    )
    size = estimate(spot, chosen)
    try:
        size.require()
    except TooLargeError:
        chosen = chosen.model_copy(update={"precision": "int16"})
        estimate(spot, chosen).require()
    solver = Solver(spot, chosen, tree=public_tree(spot, betting=size.tree.betting))
    solver.run()
    if solver.interrupted:
        raise KeyboardInterrupt
    return SolvedStreet(question, Solution.of(solver))


def spot_of_street(question: StreetQuestion) -> Spot:
    """Return the spot of a street."""
    share, cap = question.rake
    ranges = [Range(weights).text(decimals=_DECIMALS) for weights in _written(question)]
    return Spot(
        board=cards_name(question.board),
        pot=question.pot,
        stacks=question.stacks,
        ranges=RangesConfig(oop=ranges[0], ip=ranges[1]),
        bets=MENUS[question.street],
        thresholds=THRESHOLDS,
        rake=RakeConfig(share=share, cap=cap),
        min_bet=question.least_bet,
        big_blind=question.big_blind,
        played=question.edges if any(question.edges) else (),
    )


def _written(question: StreetQuestion) -> Floats:
    """Return the ranges as they are solved: rounded, suits that mirror each other alike, the hand in them."""
    player, combo = question.held
    ranges = on_board(question.ranges, question.board)
    kinds = class_of_combos()
    alike = np.zeros(COMBOS, np.bool_)
    alike[(kinds == kinds[combo]) & live_combos(question.board)] = True  # suits stay interchangeable
    found = np.round(with_equal_suits(ranges, question.board)[0], _DECIMALS)
    if question.street == 0:
        found = np.stack([_without_tail(weights) for weights in found])
    found[player, alike] = np.maximum(found[player, alike], _FLOOR)
    rounded: Floats = np.clip(found, 0.0, 1.0)
    return rounded


def _without_tail(weights: Floats) -> Floats:
    """Return a range without its rarest hands; hands of one weight stay or go together."""
    place = np.unique(weights, return_inverse=True)[1]
    below = np.cumsum(np.bincount(place, weights))
    kept: Floats = np.where(below[place] > _TAIL * below[-1], weights, 0.0)
    return kept
