"""A hand's record as a few hundred bytes: PHH text, compressed with the words that most hands share."""

from __future__ import annotations

import zlib

from overbet.errors import ArtefactError
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.phh_writer import write_hand
from overbet.interfaces.history.record import HandFault, HandRecord

# What hands have in common, the most frequent last. It belongs to the version of the schema: another text
# could not read what was written with this one.
_COMMON = (
    b'currency_symbol = "$" currency = "EUR" "USD" _overbet_format = "expresso" "tournament" "cash"\n'
    b'venue = "PokerStars" "GGPoker" "Winamax" \ntime = \nyear = 20\nmonth = \nday = \ntable = "\n'
    b'finishing_stacks = [10000, 10000, \nplayers = ["Hero", "", "'
    b'\nhand = \nseats = [1, 2, 3, 4, 5, 6]\n"p1 sm ", "p2 sm ", "p3 sm -", "d db ", '
    b'variant = "NT"\nante_trimming_status = false\nante_trimming_status = true\n'
    b"antes = [0, 0, 0, 0, 0, 0, 0, 0, 0]\nblinds_or_straddles = [50, 100, 0, 0, 0, 0, 0]\nmin_bet = 100\n"
    b'starting_stacks = [\nactions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "d dh p4 ????", '
    b'"d dh p5 ????", "d dh p6 ????", "p3 f", "p4 f", "p5 f", "p6 f", "p1 f", "p2 f", "p6 cbr 2.50", '
    b'"p1 cc", "p2 cc", "p3 cc", "p1 cbr "]\n'
)


def packed_record(record: HandRecord) -> bytes:
    """Return a record as compressed text."""
    engine = zlib.compressobj(9, zdict=_COMMON)
    return engine.compress(write_hand(record).encode()) + engine.flush()


def unpacked_record(content: bytes, source: str) -> HandRecord:
    """Return the record again; source: what an error names."""
    try:
        text = zlib.decompressobj(zdict=_COMMON).decompress(content).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise ArtefactError(f"{source}: its record is damaged ({error}); import it again") from error
    [found] = read_text(text, source)
    if isinstance(found, HandFault):
        raise ArtefactError(f"{source}: its record is damaged ({found.reason}); import it again")
    return found
