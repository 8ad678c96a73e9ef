"""The same hand here and in pokerkit, step by step.

At every decision the two agree on who acts, what a call costs, whether folding is offered and between
which bounds a raise lies; at the end on every stack. They differ in one permission, on purpose: when an
all-in short of a full raise reopens the betting (docs/rules.md). `may_differ` states exactly when, from
pokerkit's own bookkeeping; there both sides go on with an action that both allow.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from pokerkit import (
    Automation,
    BoardDealing,
    CheckingOrCalling,
    CompletionBettingOrRaisingTo,
    HoleDealing,
    NoLimitTexasHoldem,
    State,
)

from overbet.cards.cards import card_name, cards_name
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


@dataclass
class Tally:
    """What was compared."""

    hands: int = 0
    decisions: int = 0
    showdowns: int = 0
    side_pots: int = 0
    we_forbid: int = 0  # a first short all-in of the street: pokerkit lets players who have acted raise
    we_allow: int = 0  # short all-ins that add up to a full raise and then another: pokerkit does not
    seen_players: set[int] = field(default_factory=set)


def random_table(rng: random.Random) -> HoldemGame:
    """Return a table of 2 to 10 players with unequal stacks, some of them too short for the blind."""
    players = rng.randint(2, 10)
    big = rng.choice((2, 10, 100))
    deep = rng.choice((2, 5, 20, 200))
    stacks = [rng.randint(1, rng.choice((1, deep, deep, deep)) * big) for _ in range(players)]
    small = rng.choice((big // 2, big // 2, 0, rng.randint(0, big - 1)))
    kind = rng.randrange(4)
    ante = (0, rng.randint(1, big), [rng.randint(0, big) for _ in range(players)], 0)[kind]
    return HoldemGame(
        players,
        stacks,
        (small, big),
        ante,
        big_blind_ante=big if kind == 3 else 0,
        dead_antes=rng.random() < 0.3,
    )


def theirs(game: HoldemGame) -> State:
    """Return pokerkit's state of the same table."""
    return NoLimitTexasHoldem.create_state(
        AUTOMATIONS, not game.dead_antes, game.ante, game.blinds, game.min_bet, game.stacks, game.num_players
    )


def may_differ(state: State) -> tuple[bool, bool]:
    """Return whether, by pokerkit's own bookkeeping, (only pokerkit, only we) may allow a raise here."""
    player = state.actor_index
    facing = max(state.bets) - state.bets[player]
    least = state.streets[state.street_index].min_completion_betting_or_raising_amount
    largest = state.completion_betting_or_raising_amount
    shorts = sum(state.consecutive_short_all_in_amounts)
    only_theirs = _acted(state, player) and facing < least and largest < least
    only_ours = 0 < shorts < largest and facing >= max(least, largest)
    return only_theirs, only_ours


def _acted(state: State, player: int) -> bool:
    """Return whether the player has checked, called, bet or raised on this street."""
    for done in reversed(state.operations):
        if isinstance(done, HoleDealing | BoardDealing):
            return False
        if isinstance(done, CheckingOrCalling | CompletionBettingOrRaisingTo) and done.player_index == player:
            return True
    return False


def play_both(game: HoldemGame, seed: int, hand: int, rng: random.Random, tally: Tally) -> None:
    """Play one hand on both sides and compare everything."""
    mine, other, folding = game.deal(seed, hand), theirs(game), rng.choice((0.1, 0.4, 0.8))
    board = [card_name(int(card)) for card in mine.vector[-5:]]
    for pair in mine.hole:
        other.deal_hole(cards_name(pair))
    while True:
        while other.can_burn_card() or other.can_deal_board():
            if other.can_burn_card():
                other.burn_card("??")
            count = other.board_dealing_count
            cards, board = board[:count], board[count:]
            other.deal_board("".join(cards))
        if not other.status:
            break
        mine = _step(mine, other, folding, rng, tally)
    assert mine.is_terminal(), (game, hand, mine)
    assert mine.stacks == tuple(other.stacks), (game, hand, mine.line)
    assert sum(mine.stacks) == sum(game.start)
    tally.hands += 1
    tally.showdowns += sum(mine.in_hand) > 1
    tally.side_pots += len(mine.pots) > 1
    tally.seen_players.add(game.num_players)


def _step(mine: HoldemState, other: State, folding: float, rng: random.Random, tally: Tally) -> HoldemState:
    where = (mine.game, mine.line)
    legal = mine.legal_actions()
    assert mine.current_player() == other.actor_index, where
    assert legal.call == other.checking_or_calling_amount, where
    assert legal.fold == other.can_fold(), where
    assert mine.pot == other.total_pot_amount, where
    bounds = (
        other.min_completion_betting_or_raising_to_amount,
        other.max_completion_betting_or_raising_to_amount,
    )
    can_raise = legal.raise_min is not None
    if (legal.raise_min, legal.raise_max) != bounds:
        only_theirs, only_ours = may_differ(other)
        assert None in (legal.raise_min, bounds[0]), where
        assert only_ours if can_raise else only_theirs, where
        tally.we_allow += can_raise
        tally.we_forbid += not can_raise
        can_raise = False
    tally.decisions += 1
    action = _choose(mine, can_raise, folding, rng)
    if action == -1:
        other.fold()
    elif action == 0:
        other.check_or_call()
    else:
        other.complete_bet_or_raise_to(action)
    return mine.apply(action)


def _choose(state: HoldemState, can_raise: bool, folding: float, rng: random.Random) -> int:
    """Return a random action: often a fold, the smallest raise or all in."""
    legal = state.legal_actions()
    if legal.fold and rng.random() < folding:
        return -1
    if can_raise and rng.random() < 0.4:
        assert legal.raise_min is not None
        assert legal.raise_max is not None
        sizes = (legal.raise_min, legal.raise_max, rng.randint(legal.raise_min, legal.raise_max))
        return rng.choices(sizes, (4, 1, 3))[0]
    return 0
