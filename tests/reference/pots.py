"""Plain-Python side pots: chip by chip, with no layers and no masks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def payouts(
    put_in: Sequence[int],
    dead: Sequence[int],
    strength: Sequence[int | None],
    share: float = 0.0,
    cap: int | None = None,
) -> tuple[list[int], int]:
    """Return what each player gets and the rake. strength: None for a player who has folded.

    Every level of one chip is a little pot of its own: who put it in, who may win it, who wins it. Levels
    with the same winners and the same claims are joined, because odd chips depend on it.
    """
    live = [chips - ante for chips, ante in zip(put_in, dead, strict=True)]
    levels = []
    for level in range(max(live) + 1):
        chips = sum(dead) if level == 0 else sum(player >= level for player in live)
        able = [p for p, hand in enumerate(strength) if hand is not None and live[p] >= level]
        levels.append((chips, able))
    winners_anywhere = set()
    for chips, able in levels:
        if chips:
            winners_anywhere |= set(_best(able, strength))
    claims = [(tuple(p for p in able if p in winners_anywhere), chips) for chips, able in levels if chips]
    got, taken, seen = [0] * len(put_in), 0, 0
    for claim, group in groupby(claims, key=lambda one: one[0]):
        pot = sum(chips for _, chips in group)
        seen += pot
        rake = int(seen * round(share * 1_000_000)) // 1_000_000
        rake = rake if cap is None else min(rake, cap)
        pot, taken = pot - (rake - taken), rake
        best = _best(claim, strength)
        for player in best:
            got[player] += pot // len(best)
        got[best[0]] += pot % len(best)
    return got, taken


def _best(players: Sequence[int], strength: Sequence[int | None]) -> list[int]:
    top = max(strength[player] or 0 for player in players)
    return [player for player in players if strength[player] == top]
