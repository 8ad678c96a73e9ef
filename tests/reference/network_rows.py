"""What a network sees of hold'em, in plain Python, from states and cards as a person reads them."""

from __future__ import annotations

import math
from itertools import permutations

from overbet.games.holdem_state import STREETS, HoldemState

NO_CARD = 52


def card_row(hole: tuple[int, ...], board: tuple[int, ...]) -> list[int]:
    """Return the row of a hand: of all ways to rename suits the one with the largest ranks by suit."""
    groups = [board[:3], board[3:4], board[4:5], hole]

    def sets(names: tuple[int, ...]) -> list[list[int]]:
        """Return by new suit, the last first, which ranks it has in every group, as numbers."""
        return [
            [sum(1 << (card // 4) for card in group if names[card % 4] == suit) for group in groups]
            for suit in (3, 2, 1, 0)
        ]

    names = max(permutations(range(4)), key=sets)
    renamed = [sorted((card // 4 * 4 + names[card % 4] for card in group), reverse=True) for group in groups]
    flop, turn, river, own = renamed
    padded = [*flop, *[NO_CARD] * (3 - len(flop)), *(turn or [NO_CARD]), *(river or [NO_CARD])]
    return [*own, *padded]


def betting_row(state: HoldemState, actions: tuple[int, ...], level: int) -> list[float]:
    """Return the row of a decision. actions: of the tree; level: bets and raises made on the street."""
    game, player = state.game, state.current_player()
    row = [0.0] * 92
    row[STREETS.index(state.street)] = 1.0
    row[4] = float(player)
    pot, asked, behind = state.pot, state.to_call, min(state.stacks)
    row[5] = math.log2(pot / game.big_blind) / 8
    row[6] = asked / (pot + asked)
    row[7] = math.log(1 + behind / pot) / 5
    row[8] = behind / min(game.start)
    row[9] = level / 4
    most = state.legal_actions().raise_max
    raises = 0
    for action in actions:
        if action <= 0:
            slot = action + 1
        elif action == most:
            slot = 5
        else:
            slot, raises = 2 + raises, raises + 1
        row[10 + slot] = 1.0
        if action > 0:
            share = (action - max(state.bets)) / (pot + asked)
            row[16 + slot - 2] = math.log(1 + share)
    now, moves = game.deal(0), [0] * 4
    for street, _, action in state.history:
        place = 20 + (street * 6 + moves[street]) * 3
        moves[street] += 1
        row[place] = 1.0
        if action > 0:
            share = (action - max(now.bets)) / (now.pot + now.to_call)
            row[place + 1] = math.log(1 + share)
            row[place + 2] = float(action == now.legal_actions().raise_max)
        now = now.apply(action)
    return row
