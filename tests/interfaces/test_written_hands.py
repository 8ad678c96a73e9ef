"""Random hands played by our rules, written as sites write them, and read back: stacks, winnings and rake."""

from __future__ import annotations

import io
import random

import pytest

from overbet.cards.cards import cards_name
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.containers import HandFile
from overbet.interfaces.history.played import read_file
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.kernels.holdem.layout import CALL, FOLD


def _played(dice: random.Random) -> tuple[HoldemGame, list[HoldemState]]:
    """Return a random table and the states of a random hand at it, one before each action and the last."""
    players = dice.randrange(2, 11)
    stacks = [dice.choice([dice.randrange(1, 300), dice.randrange(300, 20_000)]) for _ in range(players)]
    antes = dice.choice([{}, {"ante": 25}, {"big_blind_ante": 100}])
    rake = dice.choice([{}, {"rake": 0.05, "rake_cap": 300}])
    game = HoldemGame(players, stacks, (50, 100), min_bet=100, full_blind=True, **antes, **rake)
    states = [game.deal(dice.randrange(1 << 30))]
    while not states[-1].is_terminal():
        state = states[-1]
        legal = state.legal_actions()
        raises = [amount for amount in (legal.raise_min, legal.raise_max) if amount]
        choices = [CALL, CALL, CALL, *([FOLD] if legal.fold else []), *raises]
        states.append(state.apply(dice.choice(choices)))
    return game, states


class Writer:
    """Writes one hand. `stars`: in the form of PokerStars, otherwise of Winamax."""

    def __init__(self, game: HoldemGame, states: list[HoldemState], dice: random.Random, stars: bool) -> None:
        self.game, self.states, self.final, self.stars = game, states, states[-1], stars
        self.colon = ":" if stars else ""
        self.turn = dice.randrange(game.num_players)
        self.lines: list[str] = []
        self.put = [0] * game.num_players

    def money(self, chips: int) -> str:
        if self.stars:
            return f"${chips / 100:,.2f}"
        return f"{chips / 100:,.2f}€".replace(",", "\u00a0").replace(".", ",")

    def seat(self, player: int) -> int:
        return (player + self.turn) % self.game.num_players + 1

    def says(self, player: int, words: str) -> None:
        self.lines.append(f"P{player}{self.colon} {words}")

    def text(self, number: int) -> str:
        game, players = self.game, range(self.game.num_players)
        blinds = f"({self.money(50)}/{self.money(100)})"
        button = f"Seat #{self.seat(game.num_players - 1)} is the button"
        if self.stars:
            self.lines.append(
                f"PokerStars Hand #{number}:  Hold'em No Limit {blinds} - 2024/02/03 14:15:00 ET"
            )
            self.lines.append(f"Table 'T' 9-max {button}")
        else:
            head = f"Winamax Poker - CashGame - HandId: #{number}-1-1 - Holdem no limit {blinds}"
            self.lines.append(f"{head} - 2024/02/03 14:15:00 UTC")
            self.lines.append(f"Table: 'T' 9-max (real money) {button}")
        chips = " in chips" if self.stars else ""
        for player in sorted(players, key=self.seat):
            stack = self.money(game.start[player])
            self.lines.append(f"Seat {self.seat(player)}: P{player} ({stack}{chips})")
        self._forced()
        self.lines.append("*** HOLE CARDS ***" if self.stars else "*** PRE-FLOP ***")
        self._actions()
        self._end()
        return "\n".join(self.lines) + "\n\n\n"

    def _forced(self) -> None:
        game = self.game
        order = [1, 0] if game.num_players == 2 else list(range(game.num_players))
        for place, player in enumerate(order):
            ante = min(game.antes[place], game.start[player])
            if ante:
                self.put[player] += ante
                self.says(player, f"posts {'the ' if self.stars else ''}ante {self.money(ante)}")
        for place, kind in enumerate(("small", "big")):
            player = order[place]
            blind = min(game.blinds[place], game.start[player] - self.put[player])
            if blind:
                self.put[player] += blind
                self.says(player, f"posts {kind} blind {self.money(blind)}")

    def _actions(self) -> None:
        shown = 0
        for before, after in zip(self.states, self.states[1:], strict=False):
            shown = self._board(before, shown)
            player = before.current_player()
            action = after.history[-1][2]
            bet = before.bets[player]
            if action == FOLD:
                self.says(player, "folds")
            elif action == CALL and not before.to_call:
                self.says(player, "checks")
            elif action == CALL:
                self.put[player] += before.to_call
                self.says(player, f"calls {self.money(before.to_call)}")
            else:
                self.put[player] += action - bet
                most = max(before.bets)
                by = self.money(action - most)
                words = f"raises {by} to {self.money(action)}" if most else f"bets {self.money(action)}"
                self.says(player, words)
        self._board(self.final, shown)

    def _board(self, state: HoldemState, shown: int) -> int:
        names = [cards_name([card]) for card in state.board]
        for street, (first, last) in {"FLOP": (0, 3), "TURN": (3, 4), "RIVER": (4, 5)}.items():
            if shown <= first and len(names) >= last and shown < last:
                old = f"[{' '.join(names[:first])}] " if first else ""
                self.lines.append(f"*** {street} *** {old}[{' '.join(names[first:last])}]")
        return len(names)

    def _end(self) -> None:
        final, game = self.final, self.game
        back = [put - kept for put, kept in zip(self.put, final.put_in, strict=True)]
        rows = zip(final.stacks, game.start, final.put_in, strict=True)
        won = [stack - start + put for stack, start, put in rows]
        if self.stars:
            for player, chips in enumerate(back):
                if chips:
                    self.lines.append(f"Uncalled bet ({self.money(chips)}) returned to P{player}")
        else:  # what went back is in what was collected, or in a pot of its own
            won = [chips + more for chips, more in zip(won, back, strict=True)]
        if sum(final.in_hand) > 1:
            self.lines.append("*** SHOW DOWN ***")
            for player in range(game.num_players):
                if final.in_hand[player]:
                    cards = " ".join(cards_name([card]) for card in final.hole[player])
                    self.says(player, f"shows [{cards}] (something)")
        for player, chips in enumerate(won):
            if chips:
                self.lines.append(f"P{player} collected {self.money(chips)} from pot")
        rake = f"Rake {self.money(final.raked)}" if final.raked or self.stars else "No rake"
        self.lines += ["*** SUMMARY ***", f"Total pot {self.money(sum(won) + final.raked)} | {rake}"]


@pytest.mark.parametrize("stars", [True, False])
def test_random_hands_are_read_back(stars):
    dice = random.Random(7)
    showdowns = 0
    for number in range(150):
        game, states = _played(dice)
        text = Writer(game, states, dice, stars).text(1000 + number)
        (hand,) = read_file(HandFile("x.txt", io.BytesIO(text.encode())))
        assert isinstance(hand, PlayedHand), f"{hand}\n{text}"
        assert hand.players == tuple(f"P{player}" for player in range(game.num_players))
        assert hand.record.finishing_stacks == states[-1].stacks, text
        assert hand.rake == states[-1].raked
        showdowns += sum(states[-1].in_hand) > 2
    assert showdowns > 30
