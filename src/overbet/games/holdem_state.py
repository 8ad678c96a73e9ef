"""One moment of a hand of hold'em, immutable: a thin coat over the kernel's state vector.

`apply` copies the vector and calls the one transition function, `overbet.kernels.holdem.rules.apply`;
everything else is read from the vector when it is asked for.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import DECK, card_name, cards_name, check_distinct
from overbet.cards.cards import cards as parse_cards
from overbet.cards.evaluator import tables
from overbet.errors import CardError, IllegalActionError, RulesError
from overbet.games import lines
from overbet.games.legal_actions import LegalActions
from overbet.games.line_following import action_at, followed, possible
from overbet.games.lines import Token
from overbet.kernels.holdem import layout as at
from overbet.kernels.holdem import rules
from overbet.kernels.holdem.layout import CALL, CHANCE, FOLD, HIDDEN_CARD, NO_CARD, TERMINAL
from overbet.kernels.holdem.pots import settle, side_pots

if TYPE_CHECKING:
    from overbet.games.holdem import HoldemGame

STREETS = ("preflop", "flop", "turn", "river")
Move = tuple[int, int, int]  # street, player, action


class HoldemState:
    """A hand in progress. Actions: -1 fold, 0 check or call, n > 0 bet or raise to n on this street."""

    game: HoldemGame
    history: tuple[Move, ...]
    _vector: npt.NDArray[np.int64]

    def __init__(
        self, game: HoldemGame, vector: npt.NDArray[np.int64], history: tuple[Move, ...] = ()
    ) -> None:
        """Wrap `vector`: [SIZE] int64, which the state owns from now on."""
        self.__dict__.update(game=game, history=history, _vector=vector)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a state cannot be changed (here: {name}); apply returns a new one")

    @classmethod
    def settled(
        cls, game: HoldemGame, vector: npt.NDArray[np.int64], history: tuple[Move, ...]
    ) -> HoldemState:
        """Wrap `vector` after comparing the hands, where it stands at the showdown."""
        if vector[at.ACTOR] == at.SHOWDOWN:
            settle(vector, tables())
        return cls(game, vector, history)

    @cached_property
    def _values(self) -> list[int]:
        return list(self._vector.tolist())

    @property
    def vector(self) -> npt.NDArray[np.int64]:
        """A copy of the state vector: [SIZE] int64, laid out as kernels.holdem.layout says."""
        return self._vector.copy()

    # the protocol of every game

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""
        return self._values[at.ACTOR]

    def is_terminal(self) -> bool:
        return self._values[at.ACTOR] == TERMINAL

    def legal_actions(self) -> LegalActions:
        """Return what may be done now, ascending, as intervals (see `LegalActions`)."""
        values = self._values
        if values[at.ACTOR] >= 0:
            call, least, most = values[at.TO_CALL], values[at.RAISE_MIN], values[at.RAISE_MAX]
            return LegalActions(call > 0, call, least or None, most or None)
        if values[at.ACTOR] == CHANCE:
            gone = set(values[at.HOLE : at.SIZE])
            return LegalActions(cards=tuple(card for card in range(DECK) if card not in gone))
        return LegalActions()

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """Return every card that can come with its probability: all the same."""
        if self._values[at.ACTOR] != CHANCE:
            return ()
        remaining = self.legal_actions().cards
        return tuple((card, 1.0 / len(remaining)) for card in remaining)

    def apply(self, action: int) -> HoldemState:
        """Return the state after `action`, or after dealing the card `action` at a chance node."""
        if type(action) is not int:
            action = self._whole(action)
        values = self._values
        player = values[at.ACTOR]
        if player >= 0:
            if action > CALL:
                legal = values[at.RAISE_MIN] <= action <= values[at.RAISE_MAX]
            else:
                legal = action == CALL or (action == FOLD and values[at.TO_CALL] > 0)
            history = (*self.history, (values[at.STREET], player, action))
        else:
            legal = player == CHANCE and 0 <= action < DECK and action not in values[at.HOLE : at.SIZE]
            history = self.history
        if not legal:
            raise IllegalActionError(self._refusal(action))
        vector = self._vector.copy()
        rules.apply(vector, action)
        return HoldemState.settled(self.game, vector, history)

    def returns(self) -> tuple[float, ...]:
        """Return the chips each player won or lost in the hand."""
        if not self.is_terminal():
            raise IllegalActionError("returns are known only once the hand is over")
        return tuple(float(now - before) for now, before in zip(self.stacks, self.game.start, strict=True))

    def information_state(self, player: int) -> str:
        """Return what `player` knows: own cards (higher first), then the public line.

        The order in which two hole cards or the three flop cards came tells nothing and is left out.
        """
        self.game.position(player)  # refuses a player who is not at the table
        own = cards_name(sorted((card for card in self.hole[player] if 0 <= card < DECK), reverse=True))
        dealt = min(self._values[at.DEALT], 2 * self.num_players)
        dealing = f" {dealt} cards dealt" if dealt < 2 * self.num_players else ""
        return f"p{player} {own or '?'}{dealing} {self._line(sort_flop=True)}"

    def action_name(self, action: int) -> str:
        """Return the action in words, such as `call 50`, `raise to 300` or `all-in 2000`."""
        values = self._values
        player = values[at.ACTOR]
        if player < 0:
            return card_name(action)
        if action == FOLD:
            return "fold"
        if action == CALL:
            chips = values[at.TO_CALL]
            all_in = " (all-in)" if chips == values[at.STACK + player] else ""
            return f"call {chips}{all_in}" if chips else "check"
        if action == values[at.BET + player] + values[at.STACK + player]:
            return f"all-in {action}"
        return f"{'raise to' if values[at.TO_MATCH] else 'bet'} {action}"

    # what is on the table

    @property
    def num_players(self) -> int:
        return self._values[at.PLAYERS]

    @property
    def street(self) -> str:
        """`preflop`, `flop`, `turn` or `river`."""
        return STREETS[self._values[at.STREET]]

    @property
    def pot(self) -> int:
        """Chips put in by everybody, this street's bets included."""
        return self._values[at.POT]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by player; once the hand is over, with what was won."""
        return self._row(at.STACK)

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips put in on this street, by player."""
        return self._row(at.BET)

    @property
    def put_in(self) -> tuple[int, ...]:
        """Chips put in over the whole hand, by player, antes included."""
        return self._row(at.PUT_IN)

    @property
    def to_call(self) -> int:
        """Chips the player to act has to add to call."""
        return self._values[at.TO_CALL]

    @property
    def raked(self) -> int:
        """Chips the house took, once the hand is over."""
        return self._values[at.RAKED]

    @property
    def in_hand(self) -> tuple[bool, ...]:
        """Whether each player has not folded."""
        active = self._values[at.ACTIVE]
        return tuple(bool(active >> player & 1) for player in range(self.num_players))

    @property
    def board(self) -> tuple[int, ...]:
        """The board cards dealt so far."""
        return tuple(card for card in self._values[at.BOARD : at.BOARD + 5] if card != NO_CARD)

    @property
    def hole(self) -> tuple[tuple[int, ...], ...]:
        """The hole cards dealt so far, by player; 52 is a card nobody has seen."""
        cards = self._values[at.HOLE : at.HOLE + 2 * self.num_players]
        pairs = (cards[2 * player : 2 * player + 2] for player in range(self.num_players))
        return tuple(tuple(card for card in pair if card != NO_CARD) for pair in pairs)

    @property
    def pots(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Main pot and side pots: (chips, players who can win them)."""
        amounts, winners = np.zeros(at.MAX_PLAYERS + 1, np.int64), np.zeros(at.MAX_PLAYERS + 1, np.int64)
        count = side_pots(self._vector.copy(), self._values[at.ACTIVE], amounts, winners)
        players = range(self.num_players)
        return tuple(
            (int(amounts[pot]), tuple(player for player in players if int(winners[pot]) >> player & 1))
            for pot in range(count)
        )

    @property
    def line(self) -> str:
        """The public line, such as `r:0:b300:c:Td9d6h:c:b400`.

        `c` checks or calls, `f` folds, `bN` is a bet or raise after which the player has put in N chips in
        all since the hand began, antes apart; cards stand where they were dealt. See `games.lines`.
        """
        return self._line(sort_flop=False)

    def token(self, action: int) -> str:
        """Return how a line writes an action of the player to act: `f`, `c` or `bN`."""
        player = self.current_player()
        if player < 0:
            raise IllegalActionError(f"no player acts here: {possible(self)}")
        return str(lines.token_of(action, lines.earlier_chips(self.game.root, self._vector, player)))

    def action(self, token: str) -> int:
        """Return the action of the player to act that a line writes as `token`."""
        found = lines.parse_token(token)
        action = action_at(self, found)
        if action is None:
            raise IllegalActionError(f"{found} is not possible here; {possible(self)}")
        return action

    # conveniences

    def with_cards(
        self, hole: Sequence[str | Iterable[int] | None] | None = None, board: str | Iterable[int] = ()
    ) -> HoldemState:
        """Return the state with hole cards dealt and board cards fixed, to come when their street does.

        hole: one text (`AhKh`) or pair of cards a player, None for cards nobody sees; only before the deal.
        board: up to five cards; the first ones repeat those that lie already.
        """
        coming = parse_cards(board)
        if len(coming) > 5:
            raise CardError(f"a board has at most 5 cards; {cards_name(coming)!r} has {len(coming)}")
        if coming[: len(self.board)] != self.board[: len(coming)]:
            raise CardError(
                f"{cards_name(coming)!r} does not begin with the board {cards_name(self.board)!r}"
            )
        pairs = self._pairs(hole) if hole is not None else []
        held = pairs or [card for pair in self.hole for card in pair]
        check_distinct(card for card in (*coming, *held) if card != HIDDEN_CARD)
        vector = self._vector.copy()
        vector[at.COMING : at.COMING + len(coming)] = coming
        vector[at.COMING + len(coming) : at.SIZE] = NO_CARD
        for card in pairs:
            rules.apply(vector, card)
        if not pairs and vector[at.ACTOR] == CHANCE:
            self._deal_coming(vector)
        return HoldemState.settled(self.game, vector, self.history)

    def with_mucked(self, players: Iterable[int]) -> HoldemState:
        """Return the state in which these players, should it come to a showdown, throw their hands away."""
        vector = self._vector.copy()
        for player in players:
            vector[at.MUCKED] |= 1 << player
        return HoldemState(self.game, vector, self.history)

    def follow(self, line: str) -> HoldemState:
        """Return the state after the actions and cards of a line such as `b300:c:Td9d6h:c:b700`.

        Amounts count from the beginning of the hand, wherever this state stands in it. A leading `r:0:` is
        passed over; cards that come by themselves may be left out.
        """
        return followed(self, line)

    def _pairs(self, hole: Sequence[str | Iterable[int] | None]) -> list[int]:
        if self._values[at.DEALT]:
            raise RulesError("hole cards can be fixed only before the deal; start from initial_state()")
        if len(hole) != self.num_players:
            raise RulesError(f"hole cards for {len(hole)} players given, {self.num_players} are at the table")
        dealt: list[int] = []
        for cards in hole:
            pair = (HIDDEN_CARD, HIDDEN_CARD) if cards is None else parse_cards(cards)
            if len(pair) != 2:
                raise CardError(f"a hand has two hole cards; {cards_name(pair)!r} has {len(pair)}")
            dealt.extend(pair)
        return dealt

    def _deal_coming(self, vector: npt.NDArray[np.int64]) -> None:
        """Deal the first fixed card by hand: the kernel goes on with the others."""
        place = int(vector[at.DEALT]) - 2 * self.num_players
        if place >= 0 and vector[at.COMING + place] != NO_CARD:
            rules.apply(vector, int(vector[at.COMING + place]))

    def _row(self, start: int) -> tuple[int, ...]:
        return tuple(self._values[start : start + self.num_players])

    def _line(self, sort_flop: bool) -> str:
        board = self.board
        flop = tuple(sorted(board[:3], reverse=True)) if sort_flop else board[:3]
        streets = [Token(lines.CARDS, cards=cards) for cards in (flop, board[3:4], board[4:5]) if cards]
        moves = lines.tokens_of(self.game.root, [action for _, _, action in self.history])
        tokens, shown = list[Token](), 0
        for (street, _, _), move in zip(self.history, moves):
            tokens.extend(streets[shown:street])
            shown = max(shown, street)
            tokens.append(move)
        return lines.text([*tokens, *streets[shown:]])

    def _whole(self, action: object) -> int:
        try:
            return operator.index(action)  # type: ignore[arg-type]  # the error for other types is the point
        except TypeError:
            raise IllegalActionError(
                f"{action!r} is not an action; actions are whole numbers, legal: {self.legal_actions()}"
            ) from None

    def _refusal(self, action: int) -> str:
        player, legal = self._values[at.ACTOR], self.legal_actions()
        if player == TERMINAL:
            return "the hand is over; nothing can be done any more"
        if player == CHANCE:
            if 0 <= action < DECK:
                return f"{card_name(action)} has been dealt already; deal {legal}"
            return f"{action} is not a card; deal {legal}, 0 (2c) to 51 (As)"
        asked = "fold" if action == FOLD else f"raise to {action}" if action > CALL else f"action {action}"
        return f"{asked} is not legal for player {player} ({self.game.position(player)}); legal: {legal}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HoldemState):
            return NotImplemented
        return (
            self.game == other.game
            and self.history == other.history
            and bool(np.array_equal(self._vector, other._vector))
        )

    def __hash__(self) -> int:
        return hash((self.history, self._vector.tobytes()))

    def __repr__(self) -> str:
        board = f" {cards_name(self.board)}" if self.board else ""
        where = f"{self.street}{board}, pot {self.pot}, stacks {' '.join(map(str, self.stacks))}"
        player = self.current_player()
        if player >= 0:
            return (
                f"<hold'em {where}; player {player} ({self.game.position(player)}): {self.legal_actions()}>"
            )
        if player == CHANCE:
            return f"<hold'em {where}; a card is to be dealt>"
        won = " ".join(f"{chips:+.0f}" for chips in self.returns())
        return f"<hold'em {where}; over: {won}>"
