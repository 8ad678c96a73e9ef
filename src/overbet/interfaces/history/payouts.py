"""Comparing what the rules pay with the stacks that a site's history ends with.

The site may have kept a rake, split odd chips its own way, run the hand several times, and paid players
beside the pots; nothing else may differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from overbet.errors import RulesError
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.record import HandRecord


def check_payouts(record: HandRecord, finals: Sequence[HoldemState]) -> tuple[int, ...]:
    """Return the stacks at the end, by player; `RulesError` says how the file's differ from the rules'.

    finals: the end of the hand, one for each board it was run on; each board is worth the same share.
    """
    recorded, site = record.finishing_stacks, record.as_played
    assert site is not None  # asked for hands of sites alone
    runs = len(finals)
    behind = [start - put for start, put in zip(record.starting_stacks, finals[0].put_in, strict=True)]
    shares = [sum(final.stacks[player] - behind[player] for final in finals) for player in range(len(behind))]
    by_rules = tuple(there + share // runs for there, share in zip(behind, shares, strict=True))
    if recorded is None:
        return by_rules
    beside = site.beside or (0,) * len(behind)
    odd = site.odd * (
        max(len(finals[0].pots), 1) * runs + runs
    )  # chips that do not divide: a few a pot and board
    took, added = max(site.rake, 0), max(-site.rake, 0)
    kept = sum(by_rules) + sum(beside) - sum(recorded)
    if abs(kept - site.rake) > site.odd * runs * len(behind):
        raise RulesError(
            f"{record.amount(kept)} is missing at the end, the rake is {record.amount(site.rake)}"
        )
    for player, (rule, told, extra) in enumerate(zip(by_rules, recorded, beside, strict=True)):
        less = rule + extra - told
        if shares[player] == 0:
            fits = abs(less) < site.odd  # a returned bet of half a chip is rounded too
        else:
            fits = -odd - added <= less <= took + odd
        if not fits:
            name = record.players[player]
            raise RulesError(
                f"{name} ends with {record.amount(told)}, the rules give {record.amount(rule + extra)}"
                + (f" before a rake of {record.amount(took)}" if took else "")
            )
    return recorded
