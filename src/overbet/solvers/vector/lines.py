"""Lines of a solved spot, `r:0:c:b75:c:8h`, to a place in its tree and back; `games.lines` has the grammar.

Every card that can come may be named: where the tree keeps one board for several that mirror each other, the
place says by which swaps of suits the real board becomes the kept one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import card_name
from overbet.errors import IllegalActionError, quoted
from overbet.games import lines
from overbet.games.lines import ROOT, Token
from overbet.tree.betting import CALL_EDGE, CHANCE, CONTINUATION, FOLD, FOLD_EDGE, SHOWDOWN, BettingTree
from overbet.tree.boards import SWAPS
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, Spot

PLAYERS = ("oop", "ip")


class Action(NamedTuple):
    """One action of a decision.

    token: its part of a line. label: in words, `bet 75`, amounts as the player's total on this street, in big
    blinds where the spot has them. chips: what it adds to the pot. pot_share: a bet's or raise's size as a
    share of the pot (after calling), 0 for the others.
    """

    token: str
    label: str
    chips: int
    pot_share: float


class LinePlace(NamedTuple):
    """Where a line leads. node: betting node; board: number of the kept board on its street; cards: the real
    board; swaps: one for each dealt card, in order: applied to the real board's suits they give the kept one.
    """

    line: str
    node: int
    board: int
    cards: tuple[int, ...]
    swaps: tuple[int, ...]


def renamed(tree: PublicTree, player: int, swaps: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Return the kept board's hand for each hand of the real board: [H] int64. swaps: of a `LinePlace`."""
    hands = tree.hands[player]
    order = np.arange(hands.size)
    for swap in swaps:
        order = hands.swapped[swap][order].astype(np.int64)
    return order


def root_place(tree: PublicTree) -> LinePlace:
    """Return the place of the root."""
    return LinePlace(ROOT, 0, 0, tree.spot.cards, ())


def read_line(tree: PublicTree, line: str) -> LinePlace:
    """Return the place of a line; an error names the first part that is not possible, and what is."""
    if not lines.is_rooted(line):
        raise IllegalActionError(
            f"line {quoted(line)} does not begin with {ROOT}; write {ROOT}:c:b75, for example"
        )
    place = root_place(tree)
    for token in lines.parse(line):
        place = follow(tree, place, token)
    return place


def follow(tree: PublicTree, place: LinePlace, part: Token | str) -> LinePlace:
    """Return the place one action or card further."""
    token = lines.parse_token(part) if isinstance(part, str) else part
    kind = int(tree.betting.kind[place.node])
    if kind == CHANCE:
        return _dealt(tree, place, token)
    if kind in (FOLD, SHOWDOWN):
        ended = "somebody folded" if kind == FOLD else "it comes to the showdown"
        raise IllegalActionError(f"nothing follows {place.line}: {ended}; leave out '{token}' and the rest")
    children = {_token(tree.betting, child): child for child in tree.betting.children(place.node)}
    if token not in children:
        raise IllegalActionError(
            f"'{token}' is not possible after {place.line}{_nearest_bet(token, children)}; possible: "
            + ", ".join(f"{a.token} ({a.label})" for a in actions_at(tree.betting, tree.spot, place.node))
        )
    return place._replace(line=f"{place.line}:{token}", node=children[token])


def token_of(betting: BettingTree, node: int) -> str:
    """Return the part of a line that leads from a decision to this child."""
    return str(_token(betting, node))


def _token(betting: BettingTree, node: int) -> Token:
    edge = int(betting.edge[node])
    if edge <= CONTINUATION:
        return Token(lines.CONTINUATION, CONTINUATION - edge)
    if edge in (FOLD_EDGE, CALL_EDGE):
        return Token(lines.FOLD if edge == FOLD_EDGE else lines.CALL)
    return Token(lines.BET, edge)


def line_of(tree: PublicTree, node: int, cards: Sequence[int]) -> str:
    """Return the line of a betting node on a board; `cards`: the board, at least up to the node's street."""
    betting = tree.betting
    tokens: list[Token] = []
    while node:
        above = int(betting.parent[node])
        if betting.kind[above] == CHANCE:
            tokens.append(Token(lines.CARDS, cards=(cards[2 + int(betting.street[node])],)))
        else:
            tokens.append(_token(betting, node))
        node = above
    return lines.text(reversed(tokens))


def actions_at(betting: BettingTree, spot: Spot, node: int) -> list[Action]:
    """Return the actions of a decision node, fold first, bets ascending; none at other nodes."""
    player = int(betting.kind[node])
    if player not in (OOP, IP):
        return []
    put, other = (int(betting.put[node, p]) for p in (player, 1 - player))
    base = int(betting.put[betting.line_start[betting.line[node]]].min())  # when the street began
    pot_after_call = spot.pot + 2 * other
    found = []
    for child in betting.children(node):
        edge, token = int(betting.edge[child]), token_of(betting, child)
        if edge == FOLD_EDGE:
            found.append(Action(token, "fold", 0, 0.0))
        elif edge <= CONTINUATION:
            found.append(Action(token, f"continuation {CONTINUATION - edge}", 0, 0.0))
        elif edge == CALL_EDGE:
            found.append(Action(token, "call" if other > put else "check", other - put, 0.0))
        else:
            word = "all-in" if edge >= spot.effective_stack else "raise" if other > base else "bet"
            label = f"{word} {amount_text(spot, edge - base)}"
            found.append(Action(token, label, edge - put, (edge - other) / pot_after_call))
    return found


def amount_text(spot: Spot, chips: float) -> str:
    """Return an amount of chips for people: in big blinds where the spot says what one is."""
    if spot.big_blind:
        return f"{chips / spot.big_blind:.2f}".rstrip("0").rstrip(".") + "bb"
    return f"{chips:.10g}"


def next_cards(tree: PublicTree, place: LinePlace) -> dict[int, LinePlace]:
    """Return the place after every real card that can come at a CHANCE node, in card order."""
    found: dict[int, LinePlace] = {}
    below = int(tree.betting.first_child[place.node])
    boards = tree.street_boards(int(tree.betting.street[below]))
    assert boards is not None
    for number in range(int(boards.child_start[place.board]), int(boards.child_start[place.board + 1])):
        kept = int(boards.cards[number, -1])
        for swap in boards.mirrors[boards.mirror_start[number] : boards.mirror_start[number + 1]].tolist():
            real = swap_card(kept, swap)
            for earlier in reversed(place.swaps):
                real = swap_card(real, earlier)
            found[real] = LinePlace(
                f"{place.line}:{card_name(real)}", below, number, (*place.cards, real), (*place.swaps, swap)
            )
    return dict(sorted(found.items()))


def _dealt(tree: PublicTree, place: LinePlace, token: Token) -> LinePlace:
    if len(token.cards) != 1:
        street = ("flop", "turn", "river")[len(place.cards) - 2]
        raise IllegalActionError(f"after {place.line} comes a {street} card, such as 8h; '{token}' is none")
    wanted = token.cards[0]
    if wanted in place.cards:
        raise IllegalActionError(f"{card_name(wanted)} cannot come after {place.line}: it is on the board")
    return next_cards(tree, place)[wanted]


def swap_card(number: int, swap: int) -> int:
    """Return a card with the two suits of a numbered swap exchanged; swap 0 leaves it."""
    if swap:
        one, two = SWAPS[swap - 1]
        if number & 3 in (one, two):
            return number ^ (one ^ two)
    return number


def _nearest_bet(token: Token, known: Iterable[Token]) -> str:
    """Suggest the closest amount for a bet that is not there."""
    bets = [other.number for other in known if other.kind == lines.BET]
    if token.kind != lines.BET or not bets:
        return ""
    return f" (did you mean 'b{min(bets, key=lambda bet: abs(bet - token.number))}'?)"
