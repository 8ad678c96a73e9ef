"""The question put to the equity engines: who may hold what, on which board, without which cards.

Reads players from ranges, texts or weight vectors, takes out what the board, the dead cards and the other
players' certain cards leave impossible, and says plainly what is wrong with a question that has no answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import DECK, board, card_name, cards, cards_name
from overbet.cards.combos import COMBOS, card_mask, combo_cards, combo_masks, combo_name
from overbet.errors import CardError, RangeError, RulesError

if TYPE_CHECKING:
    from overbet.cards.range import Range

PlayerHand: TypeAlias = "str | Range | npt.ArrayLike"
"""A range text (a combo is one), a `Range`, or [1326] weights that are not negative."""

Cards: TypeAlias = str | Iterable[int]


@dataclass(frozen=True)
class EquityQuestion:
    """Players' weights: [players][1326] float64 after removal; the board; dead cards; the deck to deal from.

    `deck` holds the cards a run-out can bring: not on the board, not dead, not certainly in a hand.
    """

    names: tuple[str, ...]
    weights: tuple[npt.NDArray[np.float64], ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    deck: tuple[int, ...]

    @property
    def to_come(self) -> int:
        """The number of board cards still to come."""
        return 5 - len(self.board)

    @property
    def runouts(self) -> int:
        """The number of ways to complete the board from the deck."""
        return math.comb(len(self.deck), self.to_come)

    @property
    def symmetric(self) -> bool:
        """Whether no card is out and no renaming of the suits changes any range."""
        from overbet.cards.preflop import renamed_combos

        if self.board or self.dead:
            return False
        return all(bool((weights[renamed_combos()] == weights).all()) for weights in self.weights)

    @property
    def combos(self) -> tuple[int, ...]:
        """The number of combos each player may hold."""
        return tuple(int(np.count_nonzero(weights)) for weights in self.weights)


def read_question(players: Sequence[PlayerHand], on_board: Cards, dead: Cards) -> EquityQuestion:
    """Return the question, or raise the error that says why it has no answer."""
    if not 2 <= len(players) <= 9:
        raise RulesError(f"equity needs 2 to 9 players; {len(players)} given")
    shown, gone = read_cards(on_board, dead)
    names, given = zip(*(read_player(player, number) for number, player in enumerate(players, 1)))
    _check_single_hands(given, shown, gone)
    weights = []
    for name, own in zip(names, given):
        left = np.where(combo_masks() & np.uint64(card_mask(shown + gone)), 0.0, own)
        if not left.any():
            raise RangeError(f"no combo of {name!r} is left: {_blockers(shown, gone)}")
        weights.append(left)
    certain = _remove_certain_cards(names, weights)
    taken = card_mask(shown + gone) | certain
    deck = tuple(card for card in range(DECK) if not taken >> card & 1)
    question = EquityQuestion(names, tuple(weights), shown, gone, deck)
    needed = 2 * len(players) + question.to_come
    if DECK - len(shown) - len(gone) < needed:
        raise CardError(f"{DECK - len(shown) - len(gone)} cards are left, {needed} are to be dealt")
    return question


def read_cards(on_board: Cards, dead: Cards) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cards of the board and the dead cards, each card once."""
    shown, gone = board(on_board), cards(dead)
    for card in gone:
        if card in shown:
            raise CardError(f"{card_name(card)} is both on the board and dead")
    return shown, gone


def read_player(player: PlayerHand, number: int = 1) -> tuple[str, npt.NDArray[np.float64]]:
    """Return a name and the weights: [1326] float64 of one player."""
    from overbet.cards.range import Range

    if isinstance(player, str):
        name, weights = player.strip(), Range.parse(player).weights.astype(np.float64)
    elif isinstance(player, Range):
        name, weights = str(player), player.weights.astype(np.float64)
    else:
        name, weights = f"player {number}", np.array(player, np.float64)
        if weights.shape != (COMBOS,):
            raise RangeError(f"{name} has weights of shape {list(weights.shape)}; {COMBOS} are needed")
        if not np.isfinite(weights).all() or (weights < 0).any():
            raise RangeError(f"{name} has a weight that is negative or not a number")
    if not weights.any():
        raise RangeError(f"player {number} has an empty range")
    return name, weights


def _check_single_hands(
    given: Sequence[npt.NDArray[np.float64]], shown: tuple[int, ...], gone: tuple[int, ...]
) -> None:
    """Point at a card that a one-combo hand shares with the board, the dead cards or another such hand."""
    where = dict.fromkeys(shown, "on the board") | dict.fromkeys(gone, "dead")
    for weights in given:
        held = np.flatnonzero(weights)
        if len(held) == 1:
            index = int(held[0])
            for card in combo_cards(index):
                if card in where:
                    raise CardError(f"{card_name(card)} of {combo_name(index)} is also {where[card]}")
                where[card] = f"in {combo_name(index)}"


def _remove_certain_cards(names: Sequence[str], weights: list[npt.NDArray[np.float64]]) -> int:
    """Take combos out that hold a card another player holds for certain; return the certain cards' bits.

    A card is certain when it is in all combos a player has left, so taking some out may make others certain.
    """
    masks = combo_masks()
    certain = [0] * len(weights)
    changed = True
    while changed:
        changed = False
        for player, own in enumerate(weights):
            others = np.uint64(sum(bits for other, bits in enumerate(certain) if other != player))
            blocked = (own > 0) & (masks & others != 0)
            if blocked.any():
                own[blocked] = 0.0
                changed = True
                if not own.any():
                    raise RangeError(
                        f"no combo of {names[player]!r} is left: the other players hold its cards"
                    )
            always = int(np.bitwise_and.reduce(masks[own > 0]))
            if always != certain[player]:
                certain[player], changed = always, True
    return sum(certain)


def _blockers(shown: tuple[int, ...], gone: tuple[int, ...]) -> str:
    parts = [f"the board is {cards_name(shown)}"] if shown else []
    parts += [f"{cards_name(gone)} dead"] if gone else []
    return ", ".join(parts)
