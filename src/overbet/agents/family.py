"""A blueprint at the stacks of the table: of a shipped family, the one that is nearest.

`blueprint:heads-up` is the strategy at 100 big blinds; at a table of other stacks the one of its family whose
stacks are nearest (`blueprint.catalogue.nearest`) plays for it. The hand is followed by shares of the pot,
and all in is all in (`kernels.betting.mapping`). Heads up with at most `PUSH_BB` big blinds exact push or
fold plays. A blueprint that is one table's, such as `blueprint:heads-up-25bb` or a file, stays there and
refuses others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.blueprint.catalogue import FAMILIES, nearest
from overbet.errors import ArtefactError
from overbet.games.holdem import HoldemGame

if TYPE_CHECKING:
    from overbet.agents.protocol import Agent

PUSH_BB = 6.0  # effective stack up to which nothing but push or fold is played heads up (docs/records.md)


def stacks_in_bb(game: HoldemGame) -> list[float]:
    """Return the stacks of a table in big blinds, by player."""
    return [stack / game.big_blind for stack in game.start]


def depth_bb(game: HoldemGame) -> float:
    """Return how deep a table is: the most that anybody can lose to another, in big blinds."""
    return sorted(game.start)[-2] / game.big_blind


def member_at(family: str, game: HoldemGame, name: str) -> Agent | None:
    """Return who plays for a family at a table, None where the family has other seats or blinds."""
    from overbet.agents.any_stacks import AnyStacksAgent
    from overbet.agents.blueprint import load_blueprint_agent, same_blinds

    if len(FAMILIES.get(family, ())) != game.num_players:
        return None
    try:
        member = nearest(family, stacks_in_bb(game))
    except ArtefactError:
        return None
    agent = load_blueprint_agent(member.name)
    if not same_blinds(agent.own_table, game):  # type: ignore[attr-defined]  # of blueprints
        return None
    if game.num_players == 2 and depth_bb(game) <= PUSH_BB:
        return AnyStacksAgent([agent], name)
    return agent.at_stacks(name, depth_bb(game))  # type: ignore[attr-defined, no-any-return]
