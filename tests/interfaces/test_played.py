"""Hands of poker sites: what each form of line comes to, and that the stacks are those of the file."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError
from overbet.interfaces.cli.app import build as build_app
from overbet.interfaces.history.blocks import blocks_of, read_block, read_in_parallel
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.phh_writer import write_hand
from overbet.interfaces.history.played import read_played
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault
from overbet.interfaces.history.replay import replay, states
from overbet.interfaces.history.sites.money import MoneyError, hundredths
from tests.interfaces import invented_hands as invented
from tests.interfaces.test_history import HAND
from tests.shared_data import shared


def read(tmp_path: Path, text: str | bytes, name: str = "hands.txt") -> list[PlayedHand | HandFault]:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_played(path))


def one(tmp_path: Path, text: str | bytes) -> PlayedHand:
    (hand,) = read(tmp_path, text)
    assert isinstance(hand, PlayedHand), hand
    return hand


def fault(tmp_path: Path, text: str) -> HandFault:
    (found,) = read(tmp_path, text)
    assert isinstance(found, HandFault), found
    return found


# chips at the end, by name: worked out by hand
ENDS = {
    "raise": {"Ann": 103_20, "Bob": 1250_00, "Cy: the 2nd": 77_00},
    "dead blinds": {"Ann": 99_00, "Bob": 105_10, "Cy": 99_00, "Dee": 100_00, "Eve": 96_50},
    "no small blind": {"Ann": 204_00, "Bob": 198_00, "Cy": 198_00},
    "straddle": {"Hero": 211_50, "a1": 199_00, "b2": 198_00, "c3": 190_00},
    "run three times": {"Hero": 118_00, "a1": 59_00},
    "cash-out": {"Ann": 80_00, "Bob": 0},
    "insured": {"Hero": 93_50, "a1": 0},
    "side pots": {"Ann": 1880, "Bob": 1000, "Cy": 150, "Dee": 40},
    "gave up": {"Ann": 1110, "Bob": 1950, "Cy": 0},
    "big blind ante": {"Hero": 50_000, "a1": 39_000, "b2": 31_000},
    "button ante": {"Hero": 48_000, "a1": 39_000, "b2": 33_000},
    "expresso": {"Zoé": 1000, "José Ñ": 1480, "Hero": 20},
    "winamax cash": {"Ann": 1053_70, "Bob": 99_50, "Cy": 57_00},
    "walk": {"Ann": 100_00, "Bob": 99_50, "Cy": 100_50},
    "ten handed": {"P1": 1740, "P2": 1440, "P3": 1390} | {f"P{n}": 1490 for n in range(4, 11)},
}


@pytest.mark.parametrize("name", invented.GOOD)
def test_a_hand_ends_with_the_stacks_of_its_file(tmp_path, name):
    hand = one(tmp_path, invented.GOOD[name])
    assert dict(zip(hand.players, hand.record.finishing_stacks, strict=True)) == ENDS[name]
    assert replay(hand.record).stacks == hand.record.finishing_stacks


@pytest.mark.parametrize("name", invented.GOOD)
def test_a_played_hand_goes_through_phh_and_back(tmp_path, name):
    record = one(tmp_path, invented.GOOD[name]).record
    (again,) = read_text(write_hand(record), "again.phh")
    assert again == record
    assert replay(again).agrees


@pytest.mark.parametrize(
    "field",
    ["_as_played = 3", "_as_played = {opener = 9}", "_as_played = {rake = 'x'}", "_as_played = {unit = 7}"],
)
def test_a_wrong_field_of_ours_is_a_fault_and_no_crash(field):
    (found,) = read_text(f"{HAND}\n{field}\n", "x.phh")
    assert isinstance(found, HandFault)
    assert "_as_played" in found.reason


def test_who_where_and_when(tmp_path):
    hand = one(tmp_path, invented.RAISE)
    assert (hand.site, hand.number, hand.format, hand.table) == (
        "pokerstars",
        "100000000001",
        "cash",
        "Alpha",
    )
    assert hand.played == datetime(2024, 2, 3, 19, 15)
    assert (hand.currency, hand.unit, hand.rake) == ("USD", 100, 30)
    assert hand.players == ("Bob", "Cy: the 2nd", "Ann")
    assert hand.hero == 2
    assert hand.won == (0, 0, 620)
    expresso = one(tmp_path, invented.EXPRESSO)
    assert (expresso.format, expresso.tournament, expresso.currency, expresso.unit) == (
        "expresso",
        "987654321",
        "",
        1,
    )
    straddle = one(tmp_path, invented.STRADDLE)
    assert (straddle.site, straddle.number, straddle.rake) == ("ggpoker", "RC1000000004", 150)


def test_out_of_the_ordinary_is_noted(tmp_path):
    notes = {name: one(tmp_path, text).notes for name, text in invented.GOOD.items()}
    assert notes["dead blinds"] == ("dead blind",)
    assert notes["straddle"] == ("straddle",)
    assert notes["run three times"] == ("run it 3 times",)
    assert notes["cash-out"] == ("cashed out",)
    assert notes["insured"] == ("insured",)
    assert notes["raise"] == notes["walk"] == notes["ten handed"] == ()


def test_a_single_shown_card_is_kept_and_the_rest_hidden(tmp_path):
    assert "d dh p2 Js??" in one(tmp_path, invented.RAISE).record.actions


def test_mucked_cards_of_the_summary_are_known(tmp_path):
    assert "d dh p4 9c8c" in one(tmp_path, invented.DEAD_BLINDS).record.actions


def test_without_a_small_blind_the_first_player_is_the_big_blind(tmp_path):
    first = next(states(one(tmp_path, invented.NO_SMALL_BLIND).record))
    assert [first.game.position(player) for player in range(3)] == ["BB", "CO", "BTN"]
    assert first.current_player() == 1


def test_a_blind_posted_out_of_turn_does_not_change_who_begins(tmp_path):
    first = next(states(one(tmp_path, invented.DEAD_BLINDS).record))
    assert first.current_player() == 2
    assert first.pot == 50 + 100 + 150 + 100


def test_a_winner_with_a_name_that_is_nobodys_is_known_by_the_seat(tmp_path):
    text = invented.RAISE.replace("Ann collected", "Xyz qwertyuio").replace(
        "Ann (button) collected", "Xyz (zzz) qwertyuio"
    )
    assert one(tmp_path, text).won == (0, 0, 620)


def test_a_hidden_winner_beats_the_hands_that_got_nothing(tmp_path):
    text = invented.DEAD_BLINDS.replace("Bob: shows [Jc Td] (a pair of Jacks)\n", "").replace(
        "showed [Jc Td] and won", "won"
    )
    assert one(tmp_path, text).won == (810, 0, 0, 0, 0)


@pytest.mark.parametrize(
    "name", ["Al (5)", "(50) Bo", "Cy folds", "Dee: raises", "E [Ah Kh]", "*** FLOP ***x"]
)
def test_names_that_look_like_something_else(tmp_path, name):
    assert name in one(tmp_path, invented.RAISE.replace("Ann", name)).players
    assert name in one(tmp_path, invented.WINAMAX_CASH.replace("Ann", name)).players


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings(tmp_path, encoding, newline):
    text = invented.EXPRESSO.replace("\n", newline).encode(encoding)
    assert one(tmp_path, text).players == ("Hero", "Zoé", "José Ñ")


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        ("$2,418.66", 2418_66),
        ("10,000", 10_000_00),
        ("0.05€", 5),
        ("1 500,50 €", 1500_50),
        ("1\u00a0500\u202f000", 1_500_000_00),
        ("1.234,5", 1234_50),
        ("1.234.567", 1_234_567_00),
        ("0,125", None),
        ("¥4", 4_00),
        ("12274288", 12_274_288_00),
        ("2.2", 2_20),
        ("CA$5", 5_00),
        ("â‚¬0.50", 50),
        ("none", None),
    ],
)
def test_amounts(text, chips):
    if chips is None:
        with pytest.raises(MoneyError):
            hundredths(text)
    else:
        assert hundredths(text) == chips


@pytest.mark.parametrize(("name", "game"), [("omaha", "Omaha Pot Limit"), ("limit", "Hold'em Limit")])
def test_other_games_are_named_and_counted(tmp_path, name, game):
    found = fault(tmp_path, invented.OTHER[name])
    assert found.unsupported
    assert game in found.reason


def test_a_tournament_whose_name_speaks_of_another_game_is_no_limit_holdem(tmp_path):
    text = invented.BIG_BLIND_ANTE.replace("Daily Hold'em", "Omaha Pot Limit Players' Special, $5 Hold'em")
    assert one(tmp_path, text).number == "TM1000000010"


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("Ann collected $6.20", "Ann collected $5.20", 18, "do not add up"),
        ("Cy: the 2nd: calls $2", "Cy: the 2nd: calls $1", 18, "do not add up"),
        ("Ann: raises $2 to $3", "Ann: raises $200 to $300", 18, "do not add up"),
        ("Seat #1 is the button", "", 1, "button"),
        ("Seat 2: Bob", "Seat 2: Ann", 1, "same name"),
        ("[2c 7d Jh]\nCy", "[2c 7d Ah]\nCy", 15, "Ah"),
        ("Bob: folds\n", "", 13, "p1 is to act"),
    ],
)
def test_a_wrong_hand_is_named_with_file_hand_line_and_reason(tmp_path, old, new, line, reason):
    text = invented.RAISE.replace("collected ($6.20)", "collected")
    assert old in text
    found = fault(tmp_path, text.replace(old, new))
    assert found.place.source == "hands.txt"
    assert found.place.hand == "100000000001"
    assert found.place.line == line, found
    assert reason in found.reason


def test_the_wrong_winner_is_found(tmp_path):
    text = invented.SIDE_POTS.replace("Cy collected", "Bob collected").replace("and won (150)", "and lost")
    text = text.replace("[Kd Kc] and lost", "[Kd Kc] and won (150)")
    assert "ends with" in fault(tmp_path, text).reason


def test_chips_that_nobody_wins_are_a_fault_where_no_rake_is_told(tmp_path):
    text = invented.BIG_BLIND_ANTE.replace("4,000 | Rake 0", "4,000").replace("4,000", "1,000")
    assert "won by nobody" in fault(tmp_path, text).reason


def test_merged_files_with_summaries_and_half_hands(tmp_path):
    half = invented.SIDE_POTS[:500]  # cut in mid-line, the next header behind it
    lost = invented.WINAMAX_CASH.split("\n", 1)[1].replace("#7654321", "")  # a hand without its header
    parts = [
        invented.SUMMARY_FILE,
        invented.RAISE,
        lost,
        "\ufeff" + invented.STRADDLE,
        half + invented.WALK,
        invented.OMAHA,
        invented.EXPRESSO,
        invented.RUN_THRICE[:300],
    ]
    found = read(tmp_path, "\n\n".join(parts))
    good = [hand.number for hand in found if isinstance(hand, PlayedHand)]
    assert good == ["100000000001", "RC1000000004", "100000000012", "1234567-1-1700000000"]
    faults = [hand for hand in found if isinstance(hand, HandFault)]
    assert [(one.place.hand, one.unsupported) for one in faults] == [
        ("100000000008", False),
        ("100000000013", True),
        ("HD1000000005", False),
    ]
    assert "breaks off" in faults[0].reason
    assert "breaks off" in faults[2].reason


@pytest.mark.parametrize("name", invented.GOOD)
def test_a_hand_cut_anywhere_is_read_right_or_named(tmp_path, name):
    """A cut hand that is read all the same, since the cut is behind its last pot, has the right stacks."""
    text = invented.GOOD[name]
    lines = text.split("\n")
    for end in range(2, len(lines)):
        for hand in read(tmp_path, "\n".join(lines[:end])):
            if isinstance(hand, PlayedHand):
                assert dict(zip(hand.players, hand.record.finishing_stacks, strict=True)) == ENDS[name], end
                assert end > next(n for n, line in enumerate(lines) if "collected" in line or "won (" in line)


def test_a_file_without_hands_and_a_missing_one_are_told(tmp_path):
    assert "holds no hand" in fault(tmp_path, "nothing\n").reason
    assert "holds no hand" in fault(tmp_path, "").reason
    with pytest.raises(ArtefactError, match="does not exist"):
        list(read_played(tmp_path / "missing"))


def test_folders_and_archives_within_archives(tmp_path):
    folder = tmp_path / "all"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "stars.txt").write_text(invented.RAISE)
    (folder / "one.phh").write_text(HAND)
    (folder / ".hidden").write_text(invented.WALK)
    (folder / "packed.gz").write_bytes(gzip.compress(invented.STRADDLE.encode()))
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("winamax.txt", invented.EXPRESSO)
    with tarfile.open(folder / "some.tar.gz", "w:gz") as tar:
        info = tarfile.TarInfo("inner.zip")
        info.size = len(inner.getvalue())
        tar.addfile(info, io.BytesIO(inner.getvalue()))
    (folder / "broken.zip").write_bytes(inner.getvalue()[:60])
    found = list(read_played(folder))
    assert [hand.site for hand in found if isinstance(hand, PlayedHand)] == [
        "pokerstars",
        "phh",
        "ggpoker",
        "winamax",
    ]
    (broken,) = [hand for hand in found if isinstance(hand, HandFault)]
    assert broken.archive
    assert "broken.zip" in broken.place.source
    assert found[-1].place.source == "some.tar.gz/inner.zip/winamax.txt"


def _many(count: int) -> str:
    texts = list(invented.GOOD.values())
    return "\n\n".join(texts[number % len(texts)] for number in range(count))


def test_a_file_cut_into_blocks_gives_the_same_hands_and_lines(tmp_path):
    path = tmp_path / "many.txt"
    text = _many(60).replace("Rake $0.40", "Rake $0.90").replace('"Ann: folds"', '"Hand #12"')
    path.write_text("no hand\n" * 1_000 + text)
    blocks = list(blocks_of(path, 4_000))
    assert len(blocks) > 5
    pieces = [hand for block in blocks for hand in read_block(block)]
    assert pieces == list(read_played(path))
    assert sum(isinstance(hand, HandFault) for hand in pieces) == 4


def _folder(place: Path) -> None:
    (place / "deep").mkdir()
    (place / "deep" / "many.txt").write_text(_many(40))
    (place / "deep" / "one.phh").write_text(HAND)
    (place / "more.gz").write_bytes(gzip.compress(_many(20).encode()))


def test_the_blocks_of_a_folder_name_the_same_files(tmp_path):
    _folder(tmp_path)
    pieces = [hand for block in blocks_of(tmp_path, 4_000) for hand in read_block(block)]
    assert [(hand.place, hand) for hand in pieces] == [(hand.place, hand) for hand in read_played(tmp_path)]
    with pytest.raises(ArtefactError, match="does not exist"):
        list(blocks_of(tmp_path / "missing"))


@pytest.mark.slow
def test_reading_in_parallel_gives_the_same_hands(tmp_path):
    _folder(tmp_path)
    assert list(read_in_parallel(tmp_path, 2)) == list(read_played(tmp_path))


def test_overbet_replay_reads_site_histories(tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text(f"{invented.RAISE}\n{invented.EXPRESSO}\n{invented.OMAHA}")
    result = CliRunner().invoke(build_app(), ["replay", str(path), "--out", str(tmp_path / "all.phhs")])
    assert result.exit_code == 0, result.output
    assert "2  hands end with the recorded stacks" in result.stdout
    assert "1  hands of another game" in result.stdout
    again = CliRunner().invoke(build_app(), ["replay", str(tmp_path / "all.phhs")])
    assert "2  hands end with the recorded stacks" in again.stdout


def test_two_records_differ_by_what_the_site_did(tmp_path):
    record = one(tmp_path, invented.RAISE).record
    assert record != replace(record, as_played=replace(record.as_played, rake=1))


def test_the_shared_hands_of_three_sites():
    found = list(read_played(shared("hand-histories.tar.gz")))
    good = [hand for hand in found if isinstance(hand, PlayedHand)]
    other = [hand for hand in found if isinstance(hand, HandFault) and hand.unsupported]
    wrong = [hand for hand in found if isinstance(hand, HandFault) and not hand.unsupported]
    assert len(good) >= 770
    assert len(other) == 10
    assert len(wrong) <= 3, [str(one) for one in wrong]  # two are cut off, one bets more than it has
    assert len(good) >= 0.99 * (len(good) + len(wrong))
