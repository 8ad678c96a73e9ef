"""Ranges before the flop by position and depth: opens, limps, calls, 3-bets and 4-bets of a blueprint.

A range is what its player holds when the action is taken: how much of every hand gets to the decision, times
how often it takes the action. Pots of more than two players are left out, and so are lines and actions that
are hardly ever taken. Short stacks have the exact chart of push or fold.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.catalogue import find_blueprint, shipped_blueprints
from overbet.blueprint.query import Blueprint
from overbet.cards.range import Range
from overbet.solvers.pushfold import solve_pushfold
from overbet.study.line_walk import ends

_LEAST_COMBOS = 5.0  # of 1,326: rarer actions are noise of the training
_MOST_RAISES = 2  # a decision behind so many raises is the last one: the 3-bet is called or 4-bet
_MOST_OVER_LIMPS = 1
_DECIMALS = 2
_PUSHED = (5, 8, 10, 12, 15)  # big blinds
_RAISES = (("opens", "opened"), ("3-bets", "3-bet"), ("4-bets", "4-bet"))
_OVER_LIMPS = (("raises to", "raised to"), ("re-raises to", "re-raised to"), ("re-raises to", "re-raised to"))
_TITLES = {"heads-up": "Heads-up", "expresso": "Expresso", "six-max": "Six-handed"}
Floats = npt.NDArray[np.float64]


class StrategyRange(NamedTuple):
    """A range of a strategy. group: game and stacks; line: of the blueprint, empty where there is none."""

    group: str
    position: str
    name: str
    line: str
    held: Range


class _Seen(NamedTuple):
    """What was done so far. story: in words; reach: [1326] of every player who has put chips in by choice."""

    story: tuple[str, ...]
    raises: int
    limped: bool
    reach: dict[int, Floats]


@lru_cache(maxsize=1)
def shipped_ranges() -> tuple[StrategyRange, ...]:
    """Return the ranges of the shipped strategies: of every family those of even stacks."""
    found: list[StrategyRange] = []
    for one in shipped_blueprints():
        if len(set(one.stacks_bb)) == 1:
            found += strategy_ranges(Blueprint.load(find_blueprint(one.name)), _TITLES[one.family])
    for depth in _PUSHED:
        found += push_or_fold_ranges(depth)
    return tuple(found)


def push_or_fold_ranges(stack_bb: float) -> list[StrategyRange]:
    """Return both ranges of push or fold, two players with stacks of `stack_bb` big blinds."""
    chart, group = solve_pushfold(stack_bb), f"Heads-up, push or fold, {stack_bb:g} bb"
    push, call = (Range(np.round(held.weights, _DECIMALS)) for held in (chart.push_range, chart.call_range))
    return [
        StrategyRange(group, "SB", "SB goes all-in", "", push),
        StrategyRange(group, "BB", "BB calls (SB went all-in)", "", call),
    ]


def strategy_ranges(blueprint: Blueprint, title: str) -> list[StrategyRange]:
    """Return the ranges of a strategy by position. title: the game's name in the group."""
    game = blueprint.game
    group = f"{title}, {'/'.join(dict.fromkeys(f'{stack / game.big_blind:g}' for stack in game.start))} bb"
    found = [*_walk(blueprint, "r:0", _Seen((), 0, False, {}), group)]
    first = blueprint.player("r:0")
    seats = [game.position((first + place) % game.num_players) for place in range(game.num_players)]
    return [each for seat in seats for each in found if each.position == seat]


def _walk(blueprint: Blueprint, line: str, seen: _Seen, group: str) -> Iterator[StrategyRange]:
    most = _MOST_OVER_LIMPS if seen.limped else _MOST_RAISES
    if seen.raises > most or ends(blueprint, line) != "decision":
        return
    player = blueprint.player(line)
    if len(seen.reach) == 2 and player not in seen.reach:  # a pot of three is left out: the third one folds
        if "f" in blueprint.tokens(line):
            yield from _walk(blueprint, f"{line}:f", seen, group)
        return
    position = blueprint.game.position(player)
    shares = np.nan_to_num(blueprint.strategy_for_all_hands(line, (), allow_missing=True))
    held = seen.reach.get(player, np.ones(len(shares)))
    tokens, amounts = blueprint.tokens(line), blueprint.actions(line)
    for place, token in enumerate(tokens):
        taken, longer = held * shares[:, place], f"{line}:{token}"
        reach = {**seen.reach, player: taken}
        if token == "f":
            yield from _walk(blueprint, longer, seen, group)
        elif len(reach) <= 2 and taken.sum() >= _LEAST_COMBOS:
            now, past = _words(blueprint, amounts[place], seen, can_fold="f" in tokens)
            name = f"{position} {now}" + (f" ({', '.join(seen.story)})" if seen.story else "")
            rounded = Range(np.clip(np.round(taken, _DECIMALS), 0, 1))
            yield StrategyRange(group, position, name, longer, rounded)
            raises = seen.raises + token.startswith("b")
            story = (*seen.story, f"{position} {past}")
            yield from _walk(blueprint, longer, _Seen(story, raises, seen.limped or not raises, reach), group)


def _words(blueprint: Blueprint, amount: int, seen: _Seen, *, can_fold: bool) -> tuple[str, str]:
    """Return an action in words, as it is done and as it was done."""
    if amount <= 0:
        now, past = ("calls", "called") if seen.raises else ("limps", "limped")
        return (now, past) if can_fold else ("checks", "checked")
    all_in = amount >= min(blueprint.game.start)
    size = "all-in" if all_in else f"{amount / blueprint.game.big_blind:g}bb"
    now, past = (_OVER_LIMPS if seen.limped else _RAISES)[seen.raises]
    if seen.limped and all_in:
        return "goes all-in", "went all-in"
    return f"{now} {size}", f"{past} {size}"
