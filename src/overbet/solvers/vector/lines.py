"""Lines in the notation of PioSOLVER: `r:0:c:b75:c:8h` and back to a place in the tree.

`r:0` is the root; `c` a check or a call; `f` a fold; `bN` a bet or raise after which the player has put N
chips in since the root; a card such as `8h` a dealt street. Every card that can come may be named: where the
tree keeps one board for several that mirror each other, the place says by which swaps of suits the real
board becomes the kept one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import card, card_name
from overbet.errors import CardError, IllegalActionError, nearest
from overbet.tree.betting import CALL_EDGE, CHANCE, CONTINUATION, FOLD, FOLD_EDGE, SHOWDOWN, BettingTree
from overbet.tree.boards import SWAPS
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, Spot

ROOT = "r:0"
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


class Place(NamedTuple):
    """Where a line leads. node: betting node; board: number of the kept board on its street; cards: the real
    board; swaps: one for each dealt card, in order: applied to the real board's suits they give the kept one.
    """

    line: str
    node: int
    board: int
    cards: tuple[int, ...]
    swaps: tuple[int, ...]


def renamed(tree: PublicTree, player: int, swaps: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Return the kept board's hand for each hand of the real board: [H] int64. swaps: of a `Place`."""
    hands = tree.hands[player]
    order = np.arange(hands.size)
    for swap in swaps:
        order = hands.swapped[swap][order].astype(np.int64)
    return order


def root_place(tree: PublicTree) -> Place:
    """Return the place of the root."""
    return Place(ROOT, 0, 0, tree.spot.cards, ())


def read_line(tree: PublicTree, line: str) -> Place:
    """Return the place of a line; an error names the first part that is not possible, and what is."""
    parts = [part.strip() for part in line.strip().split(":")]
    if parts[:1] != ["r"]:
        raise IllegalActionError(f"line {line!r} does not begin with {ROOT}; write {ROOT}:c:b75, for example")
    parts = parts[2:] if parts[1:2] == ["0"] else parts[1:]
    place = root_place(tree)
    for part in parts:
        place = follow(tree, place, part)
    return place


def follow(tree: PublicTree, place: Place, part: str) -> Place:
    """Return the place one action or card further."""
    kind = int(tree.betting.kind[place.node])
    if kind == CHANCE:
        return _dealt(tree, place, part)
    if kind in (FOLD, SHOWDOWN):
        ended = "somebody folded" if kind == FOLD else "it comes to the showdown"
        raise IllegalActionError(f"nothing follows {place.line}: {ended}; leave out {part!r} and the rest")
    tokens = {token_of(tree.betting, child): child for child in tree.betting.children(place.node)}
    token = part.lower()
    if token not in tokens:
        raise IllegalActionError(
            f"{part!r} is not possible after {place.line}{_nearest_action(token, list(tokens))}; possible: "
            + ", ".join(f"{a.token} ({a.label})" for a in actions_at(tree.betting, tree.spot, place.node))
        )
    return place._replace(line=f"{place.line}:{token}", node=tokens[token])


def token_of(betting: BettingTree, node: int) -> str:
    """Return the part of a line that leads from a decision to this child."""
    edge = int(betting.edge[node])
    if edge <= CONTINUATION:
        return f"k{CONTINUATION - edge}"
    return {FOLD_EDGE: "f", CALL_EDGE: "c"}.get(edge, f"b{edge}")


def line_of(tree: PublicTree, node: int, cards: Sequence[int]) -> str:
    """Return the line of a betting node on a board; `cards`: the board, at least up to the node's street."""
    betting = tree.betting
    parts: list[str] = []
    while node:
        above = int(betting.parent[node])
        if betting.kind[above] == CHANCE:
            parts.append(card_name(cards[2 + int(betting.street[node])]))
        else:
            parts.append(token_of(tree.betting, node))
        node = above
    return ":".join([ROOT, *reversed(parts)])


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
        edge = int(betting.edge[child])
        if edge == FOLD_EDGE:
            found.append(Action("f", "fold", 0, 0.0))
        elif edge <= CONTINUATION:
            found.append(Action(token_of(betting, child), f"continuation {CONTINUATION - edge}", 0, 0.0))
        elif edge == CALL_EDGE:
            found.append(Action("c", "call" if other > put else "check", other - put, 0.0))
        else:
            word = "all-in" if edge >= spot.effective_stack else "raise" if other > base else "bet"
            label = f"{word} {amount_text(spot, edge - base)}"
            found.append(Action(f"b{edge}", label, edge - put, (edge - other) / pot_after_call))
    return found


def amount_text(spot: Spot, chips: float) -> str:
    """Return an amount of chips for people: in big blinds where the spot says what one is."""
    if spot.big_blind:
        return f"{chips / spot.big_blind:.2f}".rstrip("0").rstrip(".") + "bb"
    return f"{chips:.10g}"


def next_cards(tree: PublicTree, place: Place) -> dict[int, Place]:
    """Return the place after every real card that can come at a CHANCE node, in card order."""
    found: dict[int, Place] = {}
    below = int(tree.betting.first_child[place.node])
    boards = tree.street_boards(int(tree.betting.street[below]))
    assert boards is not None
    for number in range(int(boards.child_start[place.board]), int(boards.child_start[place.board + 1])):
        kept = int(boards.cards[number, -1])
        for swap in boards.mirrors[boards.mirror_start[number] : boards.mirror_start[number + 1]].tolist():
            real = swap_card(kept, swap)
            for earlier in reversed(place.swaps):
                real = swap_card(real, earlier)
            found[real] = Place(
                f"{place.line}:{card_name(real)}", below, number, (*place.cards, real), (*place.swaps, swap)
            )
    return dict(sorted(found.items()))


def _dealt(tree: PublicTree, place: Place, part: str) -> Place:
    try:
        wanted = card(part)
    except CardError as error:
        street = ("flop", "turn", "river")[len(place.cards) - 2]
        raise IllegalActionError(
            f"after {place.line} comes a {street} card, such as 8h; {part!r} is none"
        ) from error
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


def _nearest_action(token: str, known: list[str]) -> str:
    """Suggest the closest amount for a bet, the closest text otherwise."""
    if token[:1] == "b" and token[1:].isdecimal() and len(token) < 20:
        bets = [int(other[1:]) for other in known if other[0] == "b"]
        if bets:
            return f" (did you mean 'b{min(bets, key=lambda bet: abs(bet - int(token[1:])))}'?)"
    return nearest(token, known)
