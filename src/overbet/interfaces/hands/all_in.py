"""The result of a hand with the luck of the last cards taken out: all-in EV.

Where the betting was over before the river and the hole cards of all who were still in are known, each pot is
worth its equity over all run-outs, counted exactly, instead of what the cards that came gave. Known cards of
players who folded are out of the deck. The rake is shared as the pots are; chips that nobody called go back.
A hand that was run several times is worth the same: each board has the same chances. Who had something from
the house beside the pots (a cash-out, insurance) keeps the result the record has: the luck was sold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from overbet.cards.cards import cards_name
from overbet.cards.equity import equity
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.filter_text import HandFilter
from overbet.interfaces.hands.record_text import unpacked_record
from overbet.interfaces.hands.words import FLAGS
from overbet.interfaces.history.record import HandRecord
from overbet.interfaces.history.replay import states
from overbet.kernels.holdem.layout import HIDDEN_CARD

TABLE = "all_in_values"  # a temporary table: hand, player, ev in chips
_BOARD_CARDS = (0, 3, 4, 5)
_NETS = "SELECT net FROM seats WHERE hand = ? ORDER BY player"
_SHOWN_DOWN = f"SELECT hand, player, NULL FROM seats WHERE hand = ? AND flags & {FLAGS['showdown']}"
_CANDIDATES = f"""
SELECT DISTINCT hands.id, ifnull((SELECT street FROM decisions WHERE decisions.hand = hands.id
    ORDER BY number DESC LIMIT 1), 0) AS last
FROM seats JOIN hands ON hands.id = seats.hand
WHERE seats.flags & {FLAGS["showdown"]} AND length(hands.board) = 10 AND last < 3 AND %s ORDER BY hands.id
"""


def all_in_values(
    database: HandDatabase, where: HandFilter, progress: Callable[[int, int], object] | None = None
) -> None:
    """Fill the temporary table `TABLE` with what players of chosen hands won or lost by all-in EV, in chips.

    Where all were in before the river but some cards are not known it is NULL. Players whose result stays as
    it was are left out.
    """
    connection = database.connection
    connection.execute(
        f"CREATE TEMP TABLE IF NOT EXISTS {TABLE} (hand INTEGER, player INTEGER, ev REAL, "
        "PRIMARY KEY (hand, player)) WITHOUT ROWID"
    )
    connection.execute(f"DELETE FROM {TABLE}")
    chosen = connection.execute(_CANDIDATES % where.sql, where.values).fetchall()
    for done, (hand, street) in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        [(content,)] = connection.execute("SELECT record FROM hands WHERE id = ?", (hand,))
        nets = [net for (net,) in connection.execute(_NETS, (hand,))]
        values = all_in_nets(unpacked_record(content, f"hand {hand}"), nets, street)
        if values is None:
            connection.execute(f"INSERT INTO {TABLE} {_SHOWN_DOWN}", (hand,))
        else:
            rows = ((hand, player, value) for player, value in enumerate(values) if value is not None)
            connection.executemany(f"INSERT INTO {TABLE} VALUES (?, ?, ?)", rows)


def all_in_nets(record: HandRecord, nets: Sequence[int], street: int) -> list[float | None] | None:
    """Return what each player wins or loses on average once the betting is over, in chips.

    nets: what they won or lost; street: of the last decision. None for a player whose result stays as it was;
    None for all where the cards of somebody who was in are not known.
    """
    *_, final = states(record)
    inside = [player for player, still in enumerate(final.in_hand) if still]
    if any(HIDDEN_CARD in final.hole[player] for player in inside):
        return None
    site = record.as_played
    beside = site.beside if site is not None and site.beside else (0,) * len(nets)
    taken = sum(beside) - sum(nets)  # what the house kept of the pots
    values: list[float | None] = [None] * len(nets)
    shares = pot_shares(final, _BOARD_CARDS[street], taken)
    for player in inside:
        if not beside[player]:
            values[player] = shares[player] - final.put_in[player]
    return values


def pot_shares(final: HoldemState, lying: int, taken: int = 0) -> list[float]:
    """Return the chips that each player gets of the pots on average, `lying` board cards being known.

    final: the end of the hand, the cards of all who are in known. taken: chips that the house keeps of the
    pots that more than one can win.
    """
    hole, inside = final.hole, [player for player, still in enumerate(final.in_hand) if still]
    folded = [card for player, pair in enumerate(hole) if player not in inside for card in pair]
    dead = {card for card in folded if card != HIDDEN_CARD}
    contested = sum(chips for chips, able in final.pots if len(able) > 1)
    kept = 1.0 - taken / contested if contested else 1.0
    shares = [0.0] * final.num_players
    for chips, able in final.pots:
        if len(able) == 1:
            shares[able[0]] += chips
            continue
        out = dead | {card for player in inside if player not in able for card in hole[player]}
        hands = tuple(tuple(sorted(hole[player])) for player in able)
        for player, share in zip(able, _equities(hands, final.board[:lying], tuple(sorted(out)))):
            shares[player] += kept * chips * share
    return shares


@lru_cache(maxsize=4096)
def _equities(
    hands: tuple[tuple[int, ...], ...], board: tuple[int, ...], dead: tuple[int, ...]
) -> tuple[float, ...]:
    """Return the exact equities of hands."""
    names = [cards_name(hand) for hand in hands]
    return equity(*names, board=cards_name(board), dead=cards_name(dead), method="exact").equity
