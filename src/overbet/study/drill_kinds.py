"""What kind of decision a drill may be limited to: the position, the pot, what one faces, the street.

pot: how the pot was made before the flop: `limped`, `raised` (once), `3-bet`, `4-bet` (or more). Only a hand
that was dealt from the beginning has one. facing: `nothing`, `bet` or `raise`; before the flop the blinds
count as nothing, and every raise over them as a raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from overbet.games import lines
from overbet.games.holdem_state import STREETS, HoldemState

if TYPE_CHECKING:
    from overbet.solvers.vector.node import Node

PotKind = Literal["limped", "raised", "3-bet", "4-bet"]
Facing = Literal["nothing", "bet", "raise"]
POTS: tuple[PotKind, ...] = get_args(PotKind)
_PREFLOP = "preflop"


class DrillKind(NamedTuple):
    """What a question is about, or what questions are limited to: None where anything will do.

    player: `oop` or `ip` in a solved spot, a position such as `BB` in a hand.
    """

    street: str | None = None
    player: str | None = None
    pot: PotKind | None = None
    facing: Facing | None = None

    def allows(self, other: DrillKind) -> bool:
        """Tell whether a question of another kind is one of these."""
        return all(wanted in (None, found) for wanted, found in zip(self, other))

    def words(self) -> str:
        """Return the limits in words, for who finds nothing within them."""
        pots = {"limped": "limped pots", "raised": "single-raised pots", "4-bet": "4-bet pots and larger"}
        faced = {"nothing": "with no bet yet", "bet": "facing a bet", "raise": "facing a raise"}
        parts = [
            f"for {self.player.upper()}" if self.player else "",
            f"in {pots.get(self.pot, f'{self.pot} pots')}" if self.pot else "",
            faced[self.facing] if self.facing else "",
            f"on the {self.street}" if self.street and self.street != _PREFLOP else "",
            "before the flop" if self.street == _PREFLOP else "",
        ]
        return " ".join(part for part in parts if part)


def kind_of_node(node: Node) -> DrillKind:
    """Return what a decision of a solved tree is about."""
    bets = 0  # of this street: since the last card
    for token in lines.parse(node.line):
        bets = 0 if token.kind == lines.CARDS else bets + (token.kind == lines.BET)
    facing: Facing = "nothing" if not node.to_call else "raise" if bets > 1 else "bet"
    return DrillKind(node.street, node.player, None, facing)


def kind_of_hand(state: HoldemState) -> DrillKind:
    """Return what the decision of a hand is about, for the player who acts."""
    raises = [street for street, _, action in state.history if action > 0]
    pot = POTS[min(raises.count(0), len(POTS) - 1)]
    here = STREETS.index(state.street)
    bets = raises.count(here)
    facing: Facing
    if here == 0:
        facing = "raise" if bets else "nothing"
    else:
        facing = "nothing" if not state.to_call else "raise" if bets > 1 else "bet"
    return DrillKind(state.street, state.game.position(state.current_player()), pot, facing)
