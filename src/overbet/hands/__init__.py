"""Hands that people played: importing histories, filtering, replaying, and every decision as a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.interfaces.decks.from_review import cards_of_review as cards_of_review
    from overbet.interfaces.decks.store import DeckStore as DeckStore
    from overbet.interfaces.hands.database import HandDatabase as HandDatabase
    from overbet.interfaces.hands.database import NoHandError as NoHandError
    from overbet.interfaces.hands.database import StoredHand as StoredHand
    from overbet.interfaces.hands.decision_table import decision_table as decision_table
    from overbet.interfaces.hands.features import DecisionRow as DecisionRow
    from overbet.interfaces.hands.features import PlayedHandFeatures as PlayedHandFeatures
    from overbet.interfaces.hands.features import SeatRow as SeatRow
    from overbet.interfaces.hands.features import features as features
    from overbet.interfaces.hands.filter_fields import filter_help as filter_help
    from overbet.interfaces.hands.filter_text import ANY as ANY
    from overbet.interfaces.hands.filter_text import FilterError as FilterError
    from overbet.interfaces.hands.importing import ImportProgress as ImportProgress
    from overbet.interfaces.hands.importing import ImportReport as ImportReport
    from overbet.interfaces.hands.importing import import_hands as import_hands
    from overbet.interfaces.hands.player_leaks import PlayerLeaks as PlayerLeaks
    from overbet.interfaces.hands.player_leaks import player_leaks as player_leaks
    from overbet.interfaces.hands.pool import PoolPlayer as PoolPlayer
    from overbet.interfaces.hands.pool import opponent as opponent
    from overbet.interfaces.hands.pool import opponents as opponents
    from overbet.interfaces.hands.review.running import ReviewProgress as ReviewProgress
    from overbet.interfaces.hands.review.running import ReviewRun as ReviewRun
    from overbet.interfaces.hands.review.running import review_hands as review_hands
    from overbet.interfaces.hands.review.settings import ReviewSettings as ReviewSettings
    from overbet.interfaces.hands.review.totals import ReviewTotals as ReviewTotals
    from overbet.interfaces.hands.review.totals import review_totals as review_totals
    from overbet.interfaces.hands.reviews import PricedAction as PricedAction
    from overbet.interfaces.hands.reviews import PricedDecision as PricedDecision
    from overbet.interfaces.hands.words import FACING as FACING
    from overbet.interfaces.hands.words import LINE_WORDS as LINE_WORDS
else:
    _TABLE = {
        "overbet.interfaces.decks.from_review": ("cards_of_review",),
        "overbet.interfaces.decks.store": ("DeckStore",),
        "overbet.interfaces.hands.database": ("HandDatabase", "NoHandError", "StoredHand"),
        "overbet.interfaces.hands.decision_table": ("decision_table",),
        "overbet.interfaces.hands.features": ("DecisionRow", "PlayedHandFeatures", "SeatRow", "features"),
        "overbet.interfaces.hands.filter_fields": ("filter_help",),
        "overbet.interfaces.hands.filter_text": ("ANY", "FilterError"),
        "overbet.interfaces.hands.importing": ("ImportProgress", "ImportReport", "import_hands"),
        "overbet.interfaces.hands.player_leaks": ("PlayerLeaks", "player_leaks"),
        "overbet.interfaces.hands.pool": ("PoolPlayer", "opponent", "opponents"),
        "overbet.interfaces.hands.review.running": ("ReviewProgress", "ReviewRun", "review_hands"),
        "overbet.interfaces.hands.review.settings": ("ReviewSettings",),
        "overbet.interfaces.hands.review.totals": ("ReviewTotals", "review_totals"),
        "overbet.interfaces.hands.reviews": ("PricedAction", "PricedDecision"),
        "overbet.interfaces.hands.words": ("FACING", "LINE_WORDS"),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
