"""A stretch of a match: deals first, first + 1, ..., each played in every rotation, and what happened.

Slot s at the table is filled by one agent for the whole match; in rotation r the player p is slot (p + r)
mod players. A block's hands are in the order of their numbers: deal * players + rotation. Blocks have a
fixed size and depend on nothing but the seed, so a match is the same for any number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from overbet.agents.compiled import CompiledAgent, blueprint_arrays_of, match_of
from overbet.agents.protocol import Agent
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.kernels.match.play import BLUEPRINTS, COUNTS, Log, Match, play_groups

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
SHOWDOWN_MARK = 4  # added to the street in `ended`
_ROOM = 24  # actions a hand, to begin with


@dataclass(frozen=True, eq=False)
class PlayedBlock:
    """Hands that were played.

    agents: by slot; won: [hand, slot] int64 chips; ended: [hand] int8, the street of the last decision, 4
    more at a showdown; hand h's actions are moves[starts[h] : starts[h + 1]]; counts: [slot, 4] int64,
    decisions, off the tree, untrained rows, bets mapped (the last three of blueprints).
    """

    game: HoldemGame
    agents: tuple[Agent, ...]
    seed: int
    first_group: int
    groups: int
    won: Ints
    ended: npt.NDArray[np.int8]
    starts: Ints
    moves: Ints
    counts: Ints

    @property
    def hands(self) -> int:
        """How many hands."""
        return self.groups * self.game.num_players

    def number(self, hand: int) -> int:
        """Return the number of the hand in the match: what its random numbers are named by."""
        return self.first_group * self.game.num_players + hand

    def slot(self, hand: int, player: int) -> int:
        """Return the slot that plays for a player."""
        players = self.game.num_players
        return (player + hand % players) % players

    def dealt(self, hand: int) -> HoldemState:
        """Return the hand before its first action: hole cards dealt, board fixed."""
        return self.game.deal(self.seed, self.first_group + hand // self.game.num_players)

    def state(self, hand: int) -> HoldemState:
        """Return the hand at its end."""
        state = self.dealt(hand)
        for action in self.moves[self.starts[hand] : self.starts[hand + 1]].tolist():
            state = state.apply(action)
        return state


class Estimator(Protocol):
    """Another estimate of what each hand was worth, such as AIVAT."""

    name: str

    def estimate(self, block: PlayedBlock) -> Floats:
        """Return the estimate of chips won: [hand, slot] float64. Called by several threads at a time."""


def compiled_match(agents: Sequence[Agent], game: HoldemGame, seed: int) -> Match | None:
    """Return what the kernels need, or None where an agent is not compiled or blueprints are too many."""
    compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
    if len(compiled) < len(agents) or len(blueprint_arrays_of(compiled)) > BLUEPRINTS:
        return None
    return match_of(compiled, game, seed)


def call_of_play(match: Match, players: int) -> tuple[Any, tuple[Any, ...]]:
    """Return the kernel that plays a block and arguments of its types, to compile it ahead."""
    return play_groups, (match, 0, 0, _new_log(players, players, _ROOM))


def play_compiled(
    match: Match, game: HoldemGame, agents: tuple[Agent, ...], first: int, groups: int
) -> PlayedBlock:
    """Play a block in the kernels."""
    players = game.num_players
    parts: list[Log] = []
    done, room = 0, _ROOM * players * groups
    while done < groups:
        log = _new_log((groups - done) * players, players, room)
        played = int(play_groups(match, first + done, groups - done, log))
        hands = played * players
        if played:
            parts.append(
                Log(
                    log.won[:hands],
                    log.ended[:hands],
                    log.starts[: hands + 1],
                    log.moves[: log.starts[hands]],
                    log.counts,
                )
            )
        done += played
        room *= 2  # the log was full before the block was done
    return joined(game, agents, int(match.seed), first, parts)


def joined(
    game: HoldemGame, agents: tuple[Agent, ...], seed: int, first: int, parts: Sequence[Log]
) -> PlayedBlock:
    """Return one block of the logs of neighbouring deals."""
    starts = [parts[0].starts]
    for part in parts[1:]:
        starts.append(part.starts[1:] + starts[-1][-1])
    won = np.concatenate([part.won for part in parts])
    return PlayedBlock(
        game,
        agents,
        seed,
        first,
        len(won) // game.num_players,
        won,
        np.concatenate([part.ended for part in parts]),
        np.concatenate(starts),
        np.concatenate([part.moves for part in parts]),
        np.sum([part.counts for part in parts], axis=0),
    )


def lone_hand(
    final: HoldemState, agents: Sequence[Agent], seed: int, deal: int, rotation: int
) -> PlayedBlock:
    """Return the block of one deal that was played in one rotation only; in the others everybody folds.

    What an estimator says of hand `rotation` of it is what it says of the hand. agents: by slot.
    """
    game, players = final.game, final.num_players
    folded = game.deal(seed, deal)
    while not folded.is_terminal():
        folded = folded.apply(FOLD if folded.legal_actions().fold else CALL)
    hands = [final if hand == rotation else folded for hand in range(players)]
    moves = [[action for _, _, action in hand.history] for hand in hands]
    won = np.zeros((players, players), np.int64)
    for hand, state in enumerate(hands):
        for player, chips in enumerate(state.returns()):
            won[hand, (player + hand) % players] = int(chips)
    log = Log(
        won,
        np.zeros(players, np.int8),
        np.concatenate(([0], np.cumsum([len(made) for made in moves]))).astype(np.int64),
        np.array([action for made in moves for action in made], np.int64),
        np.zeros((players, COUNTS), np.int64),
    )
    return joined(game, tuple(agents), seed, deal, [log])


def _new_log(hands: int, slots: int, room: int) -> Log:
    return Log(
        won=np.zeros((hands, slots), np.int64),
        ended=np.zeros(hands, np.int8),
        starts=np.zeros(hands + 1, np.int64),
        moves=np.zeros(room, np.int64),
        counts=np.zeros((slots, COUNTS), np.int64),
    )
