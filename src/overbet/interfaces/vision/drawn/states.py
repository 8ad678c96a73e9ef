"""What tables show: moments of hands that our agents played, and how amounts are written.

Hands are played by scripted agents at tables of 2 to 9 with stacks of 8 to 250 big blinds; a moment is a
decision of somebody, or the showdown. Amounts become what a site would show: big blinds, money, chips, in
French or English numbers. The truth is what is shown, rounded as it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CHANCE, HIDDEN_CARD, TERMINAL

BACK = (-1, -1)  # a hand that lies face down


class AmountStyle(NamedTuple):
    """How a site writes amounts. big_blind: in hundredths of the unit; decimals: "2", "1" or "0"; "trim"
    leaves
    out what is not needed; symbol before or after the number, as `pattern` says with `{}` for the number.
    """

    pattern: str = "{}"
    point: str = "."
    thousands: str = ","
    decimals: str = "trim"
    big_blind: int = 100

    def rounded(self, hundredths: int) -> int:
        """Return an amount as it can be shown."""
        if self.decimals == "0":
            return 100 * ((hundredths + 50) // 100)
        if self.decimals == "1":
            return 10 * ((hundredths + 5) // 10)
        return hundredths

    def text(self, hundredths: int) -> str:
        """Return an amount as text."""
        whole, part = divmod(self.rounded(hundredths), 100)
        number = f"{whole:,}".replace(",", self.thousands)
        if self.decimals == "2" or (self.decimals == "trim" and part % 10):
            number += f"{self.point}{part:02d}"
        elif self.decimals == "1" or (self.decimals == "trim" and part):
            number += f"{self.point}{part // 10}"
        return self.pattern.format(number)


FRENCH_MONEY = AmountStyle("{} €", ",", " ", "2", 50)
FRENCH_BB = AmountStyle("{} BB", ",", " ", "1", 100)
FRENCH_CHIPS = AmountStyle("{}", ",", " ", "0", 20_000)
ENGLISH_MONEY = AmountStyle("${}", ".", ",", "2", 100)
ENGLISH_TRIMMED = AmountStyle("€{}", ".", ",", "trim", 25)
ENGLISH_BB = AmountStyle("{} bb", ".", ",", "trim", 100)
ENGLISH_BB_TIGHT = AmountStyle("{}BB", ".", ",", "1", 100)
ENGLISH_CHIPS = AmountStyle("{}", ".", ",", "0", 10_000)


@dataclass(frozen=True)
class ShownState:
    """What one picture of a table shows. Amounts in hundredths of `style`'s unit, as shown; per seat.

    hole: the two cards, `BACK` face down, None without cards. all_in: the stack says so instead of a number.
    """

    style: AmountStyle
    occupied: tuple[bool, ...]
    hole: tuple[tuple[int, int] | None, ...]
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    pot: int
    board: tuple[int, ...]
    button: int
    turn: int | None
    hero: int | None

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.occupied)


def played_states(seed: int, seats: int) -> Iterator[tuple[HoldemState, tuple[int, ...], bool]]:
    """Yield (state, seat of each player, whether it is a showdown) without end: a few moments of each
    hand."""
    rng = np.random.default_rng([seed, seats])
    agents = [make_agent(name) for name in ("tag", "lag", "equity:0.5", "random")]
    hand = 0
    while True:
        hand += 1
        players = int(rng.integers(max(2, seats - 3), seats + 1))
        taken = sorted(int(s) for s in rng.choice(seats, players, replace=False))
        if 0 not in taken and rng.random() < 0.9:
            taken[0] = 0
        turn = int(rng.integers(players))
        at_seats = tuple(taken[turn:] + taken[:turn])
        stacks = [int(100 * s) for s in rng.uniform(8, 250, players)]
        ante = int(rng.choice([0, 0, 0, 10, 12]))
        game = HoldemGame(players, stacks, (50, 100), ante=ante)
        state = game.initial_state()
        who = rng.integers(0, 4, players)
        moments: list[tuple[HoldemState, bool]] = []
        while state.current_player() != TERMINAL:
            player = state.current_player()
            if player == CHANCE:
                legal = state.legal_actions().cards
                state = state.apply(int(rng.choice(legal)))
                continue
            moments.append((state, False))
            state = state.apply(agents[who[player]].act(Observation.of(state, seed, hand)))
        if sum(state.in_hand) > 1:
            moments.append((state, True))
            moments = moments if rng.random() < 0.5 else moments[:-1]
        later = np.array([1.0 + 2.0 * len(m.board) for m, _ in moments])
        for place in rng.choice(len(moments), min(2, len(moments)), replace=False, p=later / later.sum()):
            yield (*moments[place][:1], at_seats, moments[place][1])


def shown(
    state: HoldemState,
    at_seats: tuple[int, ...],
    showdown: bool,
    seats: int,
    style: AmountStyle,
    pot_with_bets: bool,
) -> ShownState:
    """Return what a table of `seats` shows of a state; its big blind becomes that of the style."""

    def amount(chips: int) -> int:
        return style.rounded(chips * style.big_blind // state.game.big_blind)

    occupied, button = [False] * seats, at_seats[-1]
    hole: list[tuple[int, int] | None] = [None] * seats
    stacks, bets = [0] * seats, [0] * seats
    given = state.game.initial_state()
    first = [s + p for s, p in zip(given.stacks, given.put_in)]
    for player, seat in enumerate(at_seats):
        occupied[seat] = True
        left = first[player] - state.put_in[player]
        stacks[seat] = amount(left)
        if not showdown:
            bets[seat] = amount(state.bets[player])
        if state.in_hand[player]:
            own = (state.hole[player][0], state.hole[player][1])
            hole[seat] = own if (seat == 0 or showdown) and HIDDEN_CARD not in own else BACK
    pot = sum(state.put_in)
    if not (pot_with_bets or showdown):
        pot -= sum(state.bets)
    turn = None if showdown else at_seats[state.current_player()]
    return ShownState(
        style,
        tuple(occupied),
        tuple(hole),
        tuple(stacks),
        tuple(bets),
        amount(pot),
        state.board,
        button,
        turn,
        0 if occupied[0] else None,
    )
