"""Cards, combos, ranges, hand ranks, equity and renaming of suits.

`overbet.equity` is the function; `overbet.cards.equity` is the module it stands in. The exact table of all
pairs of hands before the flop is `overbet.cards.preflop`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.cards.cards import board as board
    from overbet.cards.cards import card as card
    from overbet.cards.cards import card_name as card_name
    from overbet.cards.cards import cards_name as cards_name
    from overbet.cards.combos import class_index as class_index
    from overbet.cards.combos import class_name as class_name
    from overbet.cards.combos import class_of_combos as class_of_combos
    from overbet.cards.combos import combo_cards as combo_cards
    from overbet.cards.combos import combo_index as combo_index
    from overbet.cards.combos import combo_name as combo_name
    from overbet.cards.combos import combos_of_class as combos_of_class
    from overbet.cards.equity import EquityResult as EquityResult
    from overbet.cards.equity import hand_equities as hand_equities
    from overbet.cards.evaluator import category as category
    from overbet.cards.evaluator import category_name as category_name
    from overbet.cards.evaluator import evaluate as evaluate
    from overbet.cards.evaluator import evaluate_batch as evaluate_batch
    from overbet.cards.isomorphism import CanonicalBoard as CanonicalBoard
    from overbet.cards.isomorphism import Isomorphism as Isomorphism
    from overbet.cards.isomorphism import board_isomorphism as board_isomorphism
    from overbet.cards.isomorphism import board_symmetries as board_symmetries
    from overbet.cards.isomorphism import canonical_boards as canonical_boards
    from overbet.cards.isomorphism import canonical_flops as canonical_flops
    from overbet.cards.isomorphism import hand_isomorphism as hand_isomorphism
    from overbet.cards.isomorphism import rename_suits as rename_suits
    from overbet.cards.preflop import Matchup as Matchup
    from overbet.cards.preflop import equity_169 as equity_169
    from overbet.cards.preflop import matchup as matchup
    from overbet.cards.preflop import pair_counts_169 as pair_counts_169
    from overbet.cards.range import Range as Range
else:
    _TABLE = {
        "overbet.cards.cards": (
            "board",
            "card",
            "card_name",
            "cards_name",
        ),
        "overbet.cards.combos": (
            "class_index",
            "class_name",
            "class_of_combos",
            "combo_cards",
            "combo_index",
            "combo_name",
            "combos_of_class",
        ),
        "overbet.cards.equity": (
            "EquityResult",
            "hand_equities",
        ),
        "overbet.cards.evaluator": (
            "category",
            "category_name",
            "evaluate",
            "evaluate_batch",
        ),
        "overbet.cards.isomorphism": (
            "CanonicalBoard",
            "Isomorphism",
            "board_isomorphism",
            "board_symmetries",
            "canonical_boards",
            "canonical_flops",
            "hand_isomorphism",
            "rename_suits",
        ),
        "overbet.cards.preflop": (
            "Matchup",
            "equity_169",
            "matchup",
            "pair_counts_169",
        ),
        "overbet.cards.range": ("Range",),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
