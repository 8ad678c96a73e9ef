"""The rules of no-limit hold'em for 2 to 10 players: one transition function on a small int vector.

`begin` posts antes and blinds, `apply` deals a card or carries out a player's action and runs on to the
next decision, `settle` (in `pots.py`) compares the hands. What the player to act may do stands in the vector
(`TO_CALL`, `RAISE_MIN`, `RAISE_MAX`); `apply` trusts its caller to stay within it. The layout is documented
in `layout.py`, the rules with their sources in docs/rules.md.
"""

from __future__ import annotations

from overbet.kernels.holdem.layout import (
    ACTED,
    ACTIVE,
    ACTOR,
    BET,
    BOARD,
    CALL,
    CHANCE,
    COMING,
    DEAD,
    DEALT,
    FOLD,
    HOLE,
    HOUSE,
    HOUSE_DEAD_ANTES,
    HOUSE_FULL_BLIND,
    LAST_RAISE,
    MIN_BET,
    NO_CARD,
    PLAYERS,
    POT,
    PREFLOP,
    PUT_IN,
    QUEUE,
    RAISE_MAX,
    RAISE_MIN,
    RAKE_CAP,
    RAKE_PPM,
    RIVER,
    SHOWDOWN,
    STACK,
    STREET,
    TO_CALL,
    TO_MATCH,
)
from overbet.kernels.holdem.pots import Vector, pay_last
from overbet.kernels.jit import lean, lean_inlined


@lean
def begin(state: Vector, stacks: Vector, blinds: Vector, antes: Vector, table: Vector) -> None:
    """Post antes and blinds and wait for the first card.

    state: [SIZE] int64, overwritten; stacks, blinds, antes: [players] int64 by player;
    table: [4] int64 = minimum bet, rake in millionths, rake cap or -1, house rules.
    """
    players = stacks.shape[0]
    state[:] = 0
    state[HOLE : COMING + 5] = NO_CARD
    state[PLAYERS], state[ACTOR], state[STREET] = players, CHANCE, PREFLOP
    state[MIN_BET], state[RAKE_PPM], state[RAKE_CAP], state[HOUSE] = table[0], table[1], table[2], table[3]
    state[ACTIVE] = (1 << players) - 1
    for player in range(players):
        state[STACK + player] = stacks[player]
        _put_in(state, player, min(antes[player], stacks[player]))
    if state[HOUSE] & HOUSE_DEAD_ANTES:
        for player in range(players):
            state[DEAD + player] = state[PUT_IN + player]
    else:
        _return_uncalled(state)
    for player in range(players):
        state[BET + player] = 0
    largest = 0
    for player in range(players):
        _put_in(state, player, min(blinds[player], state[STACK + player]))
        posted = blinds[player] if state[HOUSE] & HOUSE_FULL_BLIND else state[BET + player]
        largest = max(largest, posted)
    state[TO_MATCH] = largest


@lean
def apply(state: Vector, action: int) -> None:
    """Deal the card `action`, or carry out FOLD, CALL or a bet or raise to `action` chips.

    Runs on until a player has to act, a card has to be dealt that is not fixed in COMING, hands have to be
    compared (SHOWDOWN) or all but one have folded (TERMINAL, paid).
    """
    player = state[ACTOR]
    if player == CHANCE:
        _deal(state, action)
        return
    bit = 1 << player
    state[QUEUE] &= ~bit
    state[ACTED] |= bit
    if action == FOLD:
        state[ACTIVE] &= ~bit
    elif action == CALL:
        _put_in(state, player, state[TO_CALL])
    else:
        _put_in(state, player, action - state[BET + player])
        state[LAST_RAISE] = max(state[LAST_RAISE], action - state[TO_MATCH])
        state[TO_MATCH] = action
        state[QUEUE] = _with_chips(state) & ~bit
    active = state[ACTIVE]
    if state[QUEUE] == 0 or active & (active - 1) == 0:
        _run_on(state)
    else:
        _turn_to(state, player + 1)


@lean_inlined
def _put_in(state: Vector, player: int, chips: int) -> None:
    state[STACK + player] -= chips
    state[BET + player] += chips
    state[PUT_IN + player] += chips
    state[POT] += chips


@lean_inlined
def _with_chips(state: Vector) -> int:
    """Return the players in the hand who are not all in."""
    players = 0
    for player in range(state[PLAYERS]):
        if state[STACK + player] > 0:
            players |= 1 << player
    return players & int(state[ACTIVE])


@lean_inlined
def _cards_by(street: int) -> int:
    """Return how many board cards lie when betting on `street` begins."""
    return street + 2 if street > PREFLOP else 0


@lean_inlined
def _return_uncalled(state: Vector) -> None:
    """Give back what the largest bet has above the second largest."""
    largest, second, bettor = 0, 0, 0
    for player in range(state[PLAYERS]):
        bet = state[BET + player]
        if bet > largest:
            largest, second, bettor = bet, largest, player
        elif bet > second:
            second = bet
    _put_in(state, bettor, second - largest)


@lean_inlined
def _deal(state: Vector, card: int) -> None:
    """Deal one card: two to player 0, two to player 1, ..., then the board."""
    dealt, holes = state[DEALT], 2 * state[PLAYERS]
    state[DEALT] = dealt + 1
    if dealt < holes:
        state[HOLE + dealt] = card
        if dealt + 1 < holes:
            return
    else:
        state[BOARD + dealt - holes] = card
    if _deal_coming(state) and not _open_betting(state):
        _run_on(state)


@lean_inlined
def _deal_coming(state: Vector) -> bool:
    """Deal the cards of this street that are fixed in advance; return whether the street is complete."""
    holes = 2 * state[PLAYERS]
    wanted = holes + _cards_by(state[STREET])
    while state[DEALT] < wanted:
        place = state[DEALT] - holes
        if state[COMING + place] == NO_CARD:
            state[ACTOR] = CHANCE
            return False
        state[BOARD + place] = state[COMING + place]
        state[DEALT] += 1
    return True


@lean_inlined
def _open_betting(state: Vector) -> bool:
    """Line the players up for this street; return False when nobody has anything to decide."""
    players = state[PLAYERS]
    state[LAST_RAISE], state[ACTED] = state[MIN_BET], 0
    opener, largest_bet = 0, -1
    largest, second = -1, -1  # chips two players in the hand can still bring to this street
    for player in range(players):
        if (
            state[BET + player] >= largest_bet
        ):  # the last of the largest blinds; the button when there is none
            largest_bet, opener = state[BET + player], player
        if state[ACTIVE] >> player & 1:
            reach = state[BET + player] + state[STACK + player]
            if reach > largest:
                largest, second = reach, largest
            elif reach > second:
                second = reach
    queue = _with_chips(state)
    for player in range(players):
        if state[BET + player] >= second:  # nobody can make this player pay more
            queue &= ~(1 << player)
    state[QUEUE] = queue
    if queue == 0:
        return False
    if queue & (queue - 1) == 0:
        for player in range(players):
            if queue >> player & 1 and state[BET + player] >= largest_bet:
                return False
    _turn_to(state, opener + 1)
    return True


@lean_inlined
def _turn_to(state: Vector, seat: int) -> None:
    """Give the turn to the first queued player from `seat` on and write down what is legal."""
    players = state[PLAYERS]
    player = seat % players
    while not state[QUEUE] >> player & 1:
        player = (player + 1) % players
    state[ACTOR] = player
    bet, stack = state[BET + player], state[STACK + player]
    to_match = state[TO_MATCH]
    others = 0  # the most another player in the hand can bring to this street
    for other in range(players):
        if other != player and state[ACTIVE] >> other & 1:
            others = max(others, state[BET + other] + state[STACK + other])
    state[TO_CALL] = min(stack, max(min(to_match, others) - bet, 0))
    reopened = not state[ACTED] >> player & 1 or to_match - bet >= state[LAST_RAISE]
    if reopened and others > to_match and bet + stack > to_match:
        state[RAISE_MAX] = bet + stack
        state[RAISE_MIN] = min(bet + stack, to_match + state[LAST_RAISE])
    else:
        state[RAISE_MAX] = 0
        state[RAISE_MIN] = 0


@lean
def _run_on(state: Vector) -> None:
    """Close the betting of this street and go on to the next decision, card or end."""
    state[TO_CALL], state[RAISE_MIN], state[RAISE_MAX], state[QUEUE] = 0, 0, 0, 0
    players, active = state[PLAYERS], state[ACTIVE]
    while True:
        _return_uncalled(state)
        if active & (active - 1) == 0:
            for player in range(players):
                if active >> player & 1:
                    pay_last(state, player)
            return
        if state[STREET] == RIVER:
            state[ACTOR] = SHOWDOWN
            return
        for player in range(players):
            state[BET + player] = 0
        state[TO_MATCH] = 0
        state[STREET] += 1
        if not _deal_coming(state) or _open_betting(state):
            return
