"""What a network sees of an information set or a history: a row of numbers made from the game's own text.

| game | numbers | what they are |
|---|---|---|
| Kuhn, two players | 10 | the player (1), the card (3), three moves of two letters each (6) |
| Leduc | 26 | the player (1); own and public card: rank (3), suit (1) each; pair (1); eight moves (16) |
| any other | depends | the player (1); each place of the text one-hot over the letters that occur |

All three can be read back: `decoded` returns the player and the text. Ranks and suits stand apart, so that
what is learned for one suit holds for the other from the start. Kuhn with more players and Leduc with other
numbers of raises are encoded in the same way, with more cards or moves.

A history (what a baseline sees) is the row of every player, side by side: what all of them know together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, RulesError
from overbet.games.kuhn import KuhnGame
from overbet.games.leduc import LeducGame
from overbet.games.protocol import Game
from overbet.games.registry import make_game
from overbet.tree.flat import FlatGame

Features = npt.NDArray[np.float32]
_NOT_KNOWN = "?"


class Encoder(Protocol):
    """From a player and the text of an information set to numbers, and back."""

    @property
    def name(self) -> str:
        """What files call it."""

    @property
    def size(self) -> int:
        """How many numbers a row has."""

    def encoded(self, player: int, text: str) -> Features:
        """Return the row: [size] float32."""

    def decoded(self, row: Features) -> tuple[int, str]:
        """Return the player and the text that a row stands for."""


@dataclass(frozen=True)
class KuhnEncoder:
    """`Q:pb`: a card and a line of at most 2 * players - 1 moves."""

    players: int = 2
    name: str = "kuhn"
    _RANKS = "23456789TJQK"
    _LETTERS = "pb"

    @property
    def cards(self) -> str:
        return self._RANKS[-(self.players + 1) :]

    @property
    def size(self) -> int:
        return (self.players - 1) + (self.players + 1) + 2 * (2 * self.players - 1)

    def encoded(self, player: int, text: str) -> Features:
        card, _, line = text.partition(":")
        row = np.zeros(self.size, np.float32)
        if player > 0:
            row[player - 1] = 1.0
        if card != _NOT_KNOWN:
            row[self.players - 1 + self.cards.index(card)] = 1.0
        _write_moves(row[2 * self.players :], line, self._LETTERS)
        return row

    def decoded(self, row: Features) -> tuple[int, str]:
        players = self.players
        player = _first_one(row[: players - 1]) + 1
        card = _first_one(row[players - 1 : 2 * players])
        line = _read_moves(row[2 * players :], self._LETTERS)
        return player, f"{_NOT_KNOWN if card < 0 else self.cards[card]}:{line}"


@dataclass(frozen=True)
class LeducEncoder:
    """`Ks:crc/Qh:rr`: own card, first round, public card, second round."""

    raises: int = 2
    name: str = "leduc"
    _RANKS, _SUITS, _LETTERS = "JQK", "sh", "cr"

    @property
    def size(self) -> int:
        return 10 + 4 * (self.raises + 2)

    def encoded(self, player: int, text: str) -> Features:
        row = np.zeros(self.size, np.float32)
        own, public = "", ""
        first, _, second = text.partition("/")
        own, _, line = first.partition(":")
        public, _, next_line = second.partition(":")
        row[0] = player
        self._write_card(row[1:5], own)
        self._write_card(row[5:9], public)
        row[9] = bool(public) and own[0] == public[0] != _NOT_KNOWN
        moves = 2 * (self.raises + 2)
        _write_moves(row[10 : 10 + moves], line, self._LETTERS)
        _write_moves(row[10 + moves :], next_line, self._LETTERS)
        return row

    def decoded(self, row: Features) -> tuple[int, str]:
        moves = 2 * (self.raises + 2)
        own, public = self._read_card(row[1:5]), self._read_card(row[5:9])
        text = f"{own}:{_read_moves(row[10 : 10 + moves], self._LETTERS)}"
        if public != _NOT_KNOWN:
            text += f"/{public}:{_read_moves(row[10 + moves :], self._LETTERS)}"
        return int(row[0]), text

    def _write_card(self, part: Features, card: str) -> None:
        if card and card != _NOT_KNOWN:
            part[self._RANKS.index(card[0])] = 1.0
            part[3] = self._SUITS.index(card[1])

    def _read_card(self, part: Features) -> str:
        rank = _first_one(part[:3])
        return _NOT_KNOWN if rank < 0 else self._RANKS[rank] + self._SUITS[int(part[3])]


@dataclass(frozen=True)
class TextEncoder:
    """Any text: one-hot letter by letter. Knows the letters and the length of one game's texts."""

    players: int
    letters: str
    length: int
    name: str = "text"

    @classmethod
    def over(cls, players: int, texts: Iterable[str]) -> TextEncoder:
        """Return the encoder of a game whose information sets are called so."""
        kept = list(texts)
        letters = "".join(sorted({letter for text in kept for letter in text}))
        return cls(players, letters, max((len(text) for text in kept), default=0))

    @property
    def size(self) -> int:
        return (self.players - 1) + self.length * len(self.letters)

    def encoded(self, player: int, text: str) -> Features:
        row = np.zeros(self.size, np.float32)
        if player > 0:
            row[player - 1] = 1.0
        if len(text) > self.length or not set(text) <= set(self.letters):
            raise ConfigError(f"{text!r} is no information set of the game that this network is of")
        _write_moves(row[self.players - 1 :], text, self.letters)
        return row

    def decoded(self, row: Features) -> tuple[int, str]:
        player = _first_one(row[: self.players - 1]) + 1
        return player, _read_moves(row[self.players - 1 :], self.letters)


def _write_moves(part: Features, line: str, letters: str) -> None:
    """Write a line one-hot; `f` (a fold) ends a game and is never seen before a decision."""
    for place, letter in enumerate(line):
        part[place * len(letters) + letters.index(letter)] = 1.0


def _read_moves(part: Features, letters: str) -> str:
    rows = part.reshape(-1, len(letters)) if len(letters) else part.reshape(0, 1)
    return "".join(letters[_first_one(row)] for row in rows if row.any())


def _first_one(part: Features) -> int:
    """Return which number is not 0; -1 where all are."""
    found = np.flatnonzero(part)
    return int(found[0]) if len(found) else -1


def encoder_of(flat: FlatGame, game: Game | None = None) -> Encoder:
    """Return the encoder of a game: its own, or that of its texts. game: the rules, if not registered."""
    rules = game or _rules_of(flat)
    if isinstance(rules, KuhnGame):
        return KuhnEncoder(rules.num_players)
    if isinstance(rules, LeducGame):
        return LeducEncoder(rules.max_raises)
    return TextEncoder.over(flat.num_players, flat.infoset_names)


def encoded_sets(flat: FlatGame, encoder: Encoder) -> Features:
    """Return the rows of all information sets: [infoset, size] float32."""
    players = flat.tree.infoset_player.tolist()
    rows = [encoder.encoded(player, text) for player, text in zip(players, flat.infoset_names)]
    return np.stack(rows) if rows else np.zeros((0, encoder.size), np.float32)


def encoded_histories(flat: FlatGame, game: Game | None, encoder: Encoder) -> Features:
    """Return what all players know at each decision: [node, players * size] float32, 0 at other nodes.

    The rules are walked again, since a flat game keeps only what the player in turn knows. An encoder of
    texts is widened first: `history_encoder`.
    """
    rows = np.zeros((flat.num_nodes, flat.num_players * encoder.size), np.float32)
    for node, texts in _knowledge(flat, game):
        rows[node] = np.concatenate([encoder.encoded(p, text) for p, text in enumerate(texts)])
    return rows


def history_encoder(flat: FlatGame, game: Game | None, encoder: Encoder) -> Encoder:
    """Return an encoder that also knows what players know when it is not their turn."""
    if not isinstance(encoder, TextEncoder):
        return encoder
    return TextEncoder.over(flat.num_players, (t for _, texts in _knowledge(flat, game) for t in texts))


def _knowledge(flat: FlatGame, game: Game | None) -> list[tuple[int, tuple[str, ...]]]:
    """Return every decision with the information state of each player there."""
    rules = game or _rules_of(flat)
    if rules is None:
        raise ConfigError(f"a baseline walks the rules of {flat.name} again: give the game, not its arrays")
    tree, found = flat.tree, []
    stack: list[tuple[int, Any]] = [(0, rules.initial_state())]
    while stack:
        node, state = stack.pop()
        if tree.player[node] >= 0:
            texts = tuple(state.information_state(p) for p in range(flat.num_players))
            found.append((node, texts))
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        stack += [(child, state.apply(int(tree.action[child]))) for child in range(first, first + count)]
    return found


def _rules_of(flat: FlatGame) -> Game | None:
    try:
        return make_game(flat.name)
    except RulesError:  # not a registered game
        return None
