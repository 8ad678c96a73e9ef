"""Logs of the Annual Computer Poker Competition: a line a hand, `STATE:9:f:Jc8d|TdQd:50|-50:p2|p1`.

A log does not say its stacks and blinds. What we write has the game's definition in comments; of another the
first line names the game's file, and the competition's own no-limit tables are known by their names. Every
hand is played again by the rules and has to end with the chips that the log states. The competition's dealer
halves odd chips of a split pot; here they go whole to one player, so that less than a chip is no difference.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace

from overbet.errors import OverbetError, quoted, short
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.phh_writer import record_of, write_hand
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault, HandRecord, Place
from overbet.interfaces.protocols.acpc.game_file import game_called, read_acpc_game
from overbet.interfaces.protocols.acpc.match_state import state_of

LOG = re.compile(rb"^(?:STATE:\d+:|# ?name/game/hands/seed )", re.MULTILINE)
_HEAD = re.compile(r"# ?name/game/hands/seed (\S{1,200}) (\S{1,200}) ")
_NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?")


def read_log(lines: Iterator[str], source: str, first: int = 1) -> Iterator[PlayedHand | HandFault]:
    """Yield the hands of a log in order, and a `HandFault` for each that is left out."""
    match, game, definition = "", None, list[str]()
    unknown = "the log does not say its game: put the line `# name/game/hands/seed ...` back at its top"
    for number, raw in enumerate(lines, first):
        line = raw.strip()
        if line.startswith("#"):
            head = _HEAD.match(line)
            if head:
                match, definition = head[1], []
                game = game_called(head[2])
                unknown = (
                    f"the table of {quoted(head[2])} is not known here, and no GAMEDEF stands in the log"
                )
            definition.append(line[1:].strip())
            if line[1:].strip().lower() == "end gamedef":
                try:
                    begun = next(n for n, text in enumerate(definition) if text.lower() == "gamedef")
                    game = read_acpc_game("\n".join(definition[begun:]), source)
                except (OverbetError, StopIteration) as error:
                    game, unknown = None, short(error, 300) or unknown
        elif line.startswith("STATE:"):
            yield _hand(line, match, game, unknown, Place(source, short(line.split(":")[1], 40), number))


def _hand(
    line: str, match: str, game: HoldemGame | None, unknown: str, place: Place
) -> PlayedHand | HandFault:
    """Return the hand of one line, or why not."""
    parts = line.split(":")
    if len(parts) != 6 or not re.fullmatch(r"[0-9]{1,12}", parts[1]):
        return HandFault(place, "is not STATE:hand:betting:cards:chips:names")
    _, hand, betting, cards, chips, names = parts
    if re.search(r"r(?![0-9])", betting):
        return HandFault(place, "is a hand of a limit game", unsupported=True)
    if game is None:
        return HandFault(place, unknown)
    players, stated = names.split("|"), chips.split("|")
    try:
        state = state_of(game, betting, cards)
    except OverbetError as error:
        return HandFault(place, str(error))
    if len(players) != game.num_players or len({*players}) != len(players):
        return HandFault(place, f"has {len({*players})} names for {game.num_players} players")
    trouble = _differs(state, stated)
    if trouble:
        return HandFault(place, trouble)
    record = record_of(state, {"players": players, "hand": int(hand), **({"table": match} if match else {})})
    lines = (place.line,) * len(record.actions)
    return _played(replace(record, place=place, action_lines=lines), players, match, state)


def _differs(state: HoldemState, stated: list[str]) -> str:
    """Return how the chips that a log states differ from those of the rules; empty where they do not."""
    if not state.is_terminal():
        return f"ends before the hand does: {state}"
    won = state.returns()
    if len(stated) != len(won) or not all(_NUMBER.fullmatch(one) for one in stated):
        return "does not state what each player won"
    if any(abs(ours - float(theirs)) >= 1 for ours, theirs in zip(won, stated, strict=True)):
        ours = "|".join(f"{chips:.0f}" for chips in won)
        return f"the rules end with {ours}, the log with {'|'.join(stated)}"
    return ""


def _played(record: HandRecord, players: list[str], match: str, state: HoldemState) -> PlayedHand:
    start = state.game.start
    return PlayedHand(
        record=record,
        site="acpc",
        number=hashlib.sha256(write_hand(record).encode()).hexdigest()[:16],
        place=record.place,
        played=None,
        format="cash",
        table=match,
        tournament="",
        currency="",
        unit=1,
        players=tuple(players),
        hero=None,
        won=tuple(
            after - before + put for before, after, put in zip(start, state.stacks, state.put_in, strict=True)
        ),
        rake=0,
    )
