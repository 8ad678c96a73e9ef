"""Logs of the ACPC as hands: the competition's own, ours, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from overbet.games.holdem import HoldemGame
from overbet.interfaces.history.played import read_played, read_records
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault, HandRecord
from overbet.interfaces.history.replay import Replay, replay_all
from overbet.interfaces.protocols.acpc.game_file import acpc_game_text
from tests.interfaces.protocols.recorded import LIMIT, THREE_PLAYERS, TWO_PLAYERS


def _hands(tmp_path: Path, text: str) -> list[PlayedHand | HandFault]:
    log = tmp_path / "match.log"
    log.write_bytes(text.encode())
    return list(read_played(log))


@pytest.mark.parametrize(
    ("text", "names"), [(TWO_PLAYERS, ("p1", "p2")), (THREE_PLAYERS, ("p1", "p2", "p3"))]
)
def test_the_competitions_logs_are_hands(text: str, names: tuple[str, ...], tmp_path: Path) -> None:
    hands = _hands(tmp_path, text)
    assert len(hands) == 10
    total = dict.fromkeys(names, 0)
    for hand in hands:
        assert isinstance(hand, PlayedHand)
        assert hand.record.finishing_stacks is not None
        assert hand.site == "acpc"
        for name, start, end in zip(hand.players, hand.record.starting_stacks, hand.record.finishing_stacks):
            total[name] += end - start
    score = text.splitlines()[-1].split(":")
    assert [str(total[name]) for name in names] == score[1].split("|")
    log = tmp_path / "match.log"
    replays = list(replay_all(read_records(log)))
    assert all(isinstance(one, Replay) and one.agrees for one in replays)


def test_a_table_of_ones_own_is_read_from_the_comments(tmp_path: Path) -> None:
    game = HoldemGame(2, 400, (1, 2))
    head = "".join(f"# {line}\n" for line in acpc_game_text(game).splitlines())
    [hand] = _hands(tmp_path, f"# name/game/hands/seed x mine.game 1 0\n{head}STATE:0:f:Jc8d|TdQd:1|-1:a|b\n")
    assert isinstance(hand, PlayedHand)
    assert isinstance(hand.record, HandRecord)
    assert hand.record.starting_stacks == (400, 400)
    assert (hand.table, hand.players) == ("x", ("a", "b"))


def test_halves_of_odd_chips_are_no_difference(tmp_path: Path) -> None:
    head = THREE_PLAYERS.splitlines()[0]
    # whoever folded the flop left 201 chips, so that two who share the pot of 1,001 have 500.5 each
    tied = "STATE:0:r201cc/cr400cf/cc/cc:2c7d|3c8h|3s8c/AsKsQs/Js/Ts"
    [hand] = _hands(tmp_path, f"{head}\n{tied}:-201|100.5|100.5:a|b|c\n")
    assert isinstance(hand, PlayedHand)
    assert hand.record.finishing_stacks == (19_799, 20_101, 20_100)
    [fault] = _hands(tmp_path, f"{head}\n{tied}:-201|99.5|101.5:a|b|c\n")
    assert isinstance(fault, HandFault)
    assert "the rules end with" in fault.reason


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("STATE:0:f:Jc8d|TdQd:50|-50", "is not STATE"),
        ("STATE:0:f:Jc8d|TdQd:50|-50:p|p", "names"),
        ("STATE:0:f:Jc8d|TdQd:51|-51:p1|p2", "the rules end with"),
        ("STATE:0:f:Jc8d|TdQd:x|y:p1|p2", "does not state"),
        ("STATE:0:c:Jc8d|TdQd:0|0:p1|p2", "ends before the hand does"),
        ("STATE:0:r150f:Jc8d|TdQd:0|0:p1|p2", "not legal"),
        ("STATE:0:f:Jc8d|JcQd:50|-50:p1|p2", "twice"),
        ("STATE:0:zz:Jc8d|TdQd:50|-50:p1|p2", "no betting"),
        ("STATE:0:f:Jc8d:50|-50:p1|p2", "cards of 1 players"),
        ("STATE:x:f:Jc8d|TdQd:50|-50:p1|p2", "is not STATE"),
        ("STATE:\r\x1b:f:Jc8d|TdQd:50|-50:p1|p2", "is not STATE"),
    ],
)
def test_a_line_that_is_no_hand_is_named_and_the_others_go_on(line: str, said: str, tmp_path: Path) -> None:
    lines = TWO_PLAYERS.splitlines()
    found = _hands(tmp_path, "\n".join([*lines[:3], line, *lines[3:]]))
    faults = [one for one in found if isinstance(one, HandFault)]
    assert len(found) == 11
    assert [fault.place.line for fault in faults] == [4]
    assert said in faults[0].reason
    assert str(faults[0]).isprintable()


def test_limit_games_and_unknown_tables(tmp_path: Path) -> None:
    [limit] = _hands(tmp_path, LIMIT)
    assert isinstance(limit, HandFault)
    assert limit.unsupported
    hands = _hands(tmp_path, TWO_PLAYERS.replace("holdem.nolimit.2p.reverse_blinds", "club.special"))
    assert all(isinstance(one, HandFault) and "is not known here" in one.reason for one in hands)
    [alone] = _hands(tmp_path, "STATE:0:f:Jc8d|TdQd:50|-50:p1|p2\n")
    assert isinstance(alone, HandFault)
    assert "does not say its game" in alone.reason
