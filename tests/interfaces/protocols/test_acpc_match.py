"""Whole matches between our dealer and our clients: stacks, and what happens when a client misbehaves."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from overbet.agents.registry import make_agent
from overbet.errors import OverbetError
from overbet.interfaces.history.played import read_played
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.protocols.acpc.client import AcpcClient
from overbet.interfaces.protocols.acpc.dealer import AcpcDealer, DealerOptions, StoppedError, free_names
from overbet.interfaces.protocols.acpc.game_file import competition_game
from overbet.interfaces.protocols.acpc.match_log import MatchLog
from tests.interfaces.protocols.playing import played_match
from tests.interfaces.protocols.recorded import DIALOGUE, WON

PATIENCE = 300.0  # seconds; the machine may be busy


@pytest.mark.parametrize(
    ("specs", "hands"),
    [
        (("random-chips", "tag"), 1_000),
        (("random-chips", "lag", "random-chips"), 1_000),
        (("random-chips", "tag", "random-chips", "lag", "random", "always-call"), 250),
        (("random-chips", "tag", "lag", "random", "always-call") * 2, 100),
    ],
    ids=("two", "three", "six", "ten"),
)
def test_dealer_clients_and_log_agree_in_every_hand(
    specs: tuple[str, ...], hands: int, tmp_path: Path
) -> None:
    log = tmp_path / "match.log"
    result, scores = played_match(specs, hands, log)
    _check(log, result.won, [score.won for score in scores], hands)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_ten_thousand_hands(players: int, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result, scores = played_match(("random-chips",) * players, 10_000, log, seed=players)
    _check(log, result.won, [score.won for score in scores], 10_000)


def _check(log: Path, won: tuple[float, ...], told: list[dict[int, float]], hands: int) -> None:
    """Compare the log, hand by hand, with what each client counted and with our own replay."""
    seats = len(won)
    assert sum(won) == 0
    assert list(won) == [sum(found.values()) for found in told]
    lines = [line for line in log.read_text().splitlines() if line.startswith("STATE:")]
    assert len(lines) == hands
    for number, line in enumerate(lines):
        chips = [int(part) for part in line.split(":")[4].split("|")]
        for position, stated in enumerate(chips):
            assert told[(position + number) % seats][number] == stated, line
    replayed = list(read_played(log))
    assert len(replayed) == hands
    assert all(isinstance(hand, PlayedHand) and hand.site == "acpc" for hand in replayed)
    assert log.read_text().splitlines()[-1].startswith("SCORE:")


def test_the_same_seed_deals_the_same_match(tmp_path: Path) -> None:
    played_match(("tag", "lag"), 30, tmp_path / "one.log", seed=8)
    played_match(("tag", "lag"), 30, tmp_path / "two.log", seed=8)
    assert (tmp_path / "one.log").read_bytes() == (tmp_path / "two.log").read_bytes()


def test_a_blueprint_plays_its_own_depth() -> None:
    result, scores = played_match(("blueprint:heads-up", "tag"), 40, stack=10_000)
    assert list(result.won) == [score.total for score in scores]


@pytest.mark.parametrize(
    ("specs", "hands"),
    [
        (("search:heads-up,seconds=0.2", "tag"), 6),
        pytest.param(("search:heads-up,seconds=0.5", "tag"), 20, marks=pytest.mark.slow),
        (("search:expresso,table.turn.iterations=500,table.river.iterations=500", "tag", "always-call"), 10),
    ],
    ids=("two", "two, longer", "three"),
)
def test_search_plays_too(specs: tuple[str, ...], hands: int, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result, scores = played_match(specs, hands, log, stack=10_000 if len(specs) == 2 else 2_500)
    _check(log, result.won, [score.won for score in scores], hands)


def test_a_table_the_agent_cannot_play_is_refused() -> None:
    client = AcpcClient(make_agent("blueprint:expresso"))
    with pytest.raises(OverbetError, match="--game"):
        client.answer("MATCHSTATE:1:0::|AhKh")  # three players were trained, two are here


def test_the_client_reads_the_documents_dialogue() -> None:
    """All that the document's dealer says is understood; our client answers where the document's does."""
    client = AcpcClient(make_agent("always-call"))
    answered = []
    for line in DIALOGUE.splitlines():
        way, text = line.split(" ", 1)
        if way == "S->":
            answer = client.answer(text)
            if answer is not None:
                answered.append(answer.rsplit(":", 1))
        else:
            assert answered[-1][0] == text.rsplit(":", 1)[0]
            assert answered[-1][1] == "c"
    assert client.score.won == WON


class _Seat:
    """A client that says what it is told to."""

    def __init__(self, port: int, first: bytes = b"VERSION:2.0.0\r\n") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        with contextlib.suppress(ConnectionError):  # what is too long is not read to its end
            self.socket.sendall(first)
        self.file = self.socket.makefile("rb")

    def line(self) -> str:
        return self.file.readline().decode().strip()

    def say(self, text: bytes) -> None:
        self.socket.sendall(text)

    def close(self) -> None:
        self.file.close()
        self.socket.close()


def _dealer(tmp_path: Path, hands: int = 5, seconds: float = PATIENCE) -> tuple[AcpcDealer, Path, list[str]]:
    """Return a dealer that runs in a thread, its log, and a list that gets how it ended."""
    log, ended = tmp_path / "match.log", list[str]()
    written = MatchLog(log)
    options = DealerOptions(
        free_names(2, ["alice"]), hands, 1, response_seconds=seconds, connect_seconds=PATIENCE
    )
    dealer = AcpcDealer(competition_game(2), options, written)

    def run() -> None:
        try:
            dealer.run()
            ended.append("")
        except StoppedError as error:
            ended.append(str(error))

    threading.Thread(target=run, daemon=True).start()
    return dealer, log, ended


def _wait(ended: list[str]) -> str:
    end = time.monotonic() + PATIENCE
    while not ended and time.monotonic() < end:
        time.sleep(0.01)
    return ended[0]


def _play_hand(seats: tuple[_Seat, _Seat], hand: int) -> None:
    """Have the button fold: two lines for each seat."""
    button = 1 - hand % 2
    lines = [seat.line() for seat in seats]
    seats[button].say(f"{lines[button]}:f\r\n".encode())
    for seat in seats:
        assert ":f:" in seat.line()


def test_garbage_on_a_port_is_dropped_and_the_seat_stays_free(tmp_path: Path) -> None:
    dealer, log, ended = _dealer(tmp_path, hands=2)
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff" * 50 + b"\n", b"VERSION:1.0.0\r\n", b"x" * 70_000):
        wrong = _Seat(dealer.ports[0], garbage)
        with contextlib.suppress(ConnectionResetError):
            assert wrong.file.read() == b""  # closed, without a word
        wrong.close()
    seats = (_Seat(dealer.ports[0]), _Seat(dealer.ports[1], b"VERSION:2.3.1\n"))
    lines = [seat.line() for seat in seats]
    # what is no answer to the state that was asked about is dropped, in any number up to a hundred
    seats[1].say(
        b"# a comment\r\n\r\nhello\r\n" + b"\x80\x81\r\nMATCHSTATE:0:7:c:AhKh|:c\r\n" + b"zz\r\n" * 50
    )
    seats[0].say(b"this is not my turn\r\n")
    seats[1].say(f"{lines[1]}:f\r\n".encode())
    for seat in seats:
        assert ":f:" in seat.line()
    _play_hand(seats, 1)
    assert _wait(ended) == ""
    assert log.read_text().count("STATE:") == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b":r199\r\n", "not legal"),
        (b":r20001\r\n", "not legal"),
        (b":q\r\n", "is no action"),
        (b":r\r\n", "is no action"),
        (b":\r\n", "is no action"),
    ],
)
def test_an_answer_against_the_rules_ends_the_match(answer: bytes, said: str, tmp_path: Path) -> None:
    dealer, log, ended = _dealer(tmp_path)
    seats = (_Seat(dealer.ports[0]), _Seat(dealer.ports[1]))
    _play_hand(seats, 0)
    lines = [seat.line() for seat in seats]
    seats[0].say(lines[0].encode() + answer)
    told = _wait(ended)
    assert "hand 1 was not finished: alice answered" in told
    assert said in told
    assert log.read_text().count("STATE:") == 1
    assert "SCORE" not in log.read_text()


def test_a_client_that_goes_is_named_at_once_and_the_log_stays(tmp_path: Path) -> None:
    dealer, log, ended = _dealer(tmp_path)
    seats = (_Seat(dealer.ports[0]), _Seat(dealer.ports[1]))
    _play_hand(seats, 0)
    seats[1].close()  # while alice, at the other port, is to act
    told = _wait(ended)
    assert re.match(r"hand 1 was not finished: p2 \(port \d+\) has gone", told)
    assert [hand for hand in read_played(log) if not isinstance(hand, PlayedHand)] == []
    assert log.read_text().count("STATE:") == 1


def test_silence_and_floods_end_the_match(tmp_path: Path) -> None:
    (tmp_path / "silence").mkdir()
    dealer, _, ended = _dealer(tmp_path / "silence", seconds=0.2)
    seats = (_Seat(dealer.ports[0]), _Seat(dealer.ports[1]))
    assert "did not answer within 0.2 s" in _wait(ended)
    for seat in seats:
        seat.close()
    dealer, _, ended = _dealer(tmp_path)
    seats = (_Seat(dealer.ports[0]), _Seat(dealer.ports[1]))
    seats[1].say(b"no answer\r\n" * 200)
    assert "and the like, no answer" in _wait(ended)


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "there.log").write_text("mine")
    with pytest.raises(OverbetError, match="there already"):
        MatchLog(tmp_path / "there.log")
    assert (tmp_path / "there.log").read_text() == "mine"


def test_a_client_says_what_is_wrong_with_the_dealer() -> None:
    with pytest.raises(OverbetError, match="start it first"):
        AcpcClient(make_agent("tag")).play("127.0.0.1", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for sent, said in (
            (b"", "before the first hand"),
            (b"# hello\r\nMATCHSTATE:0:0::AhKh|\r\n", "in the middle of a hand"),
            (b"garbage\r\nMATCHSTATE:0:0:rrr:AhKh|\r\n", "no match state"),
            (b"garbage\r\n" * 2_000, "and the like"),
            (b"x" * 20_000, "a line of more than"),
        ):
            trouble = list[str]()

            def play(trouble: list[str] = trouble) -> None:
                try:
                    AcpcClient(make_agent("tag")).play("127.0.0.1", port)
                except OverbetError as error:
                    trouble.append(str(error))

            thread = threading.Thread(target=play)
            thread.start()
            connection, _ = server.accept()
            with contextlib.suppress(OSError):  # the client may have gone at what it read
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
            thread.join(PATIENCE)
            connection.close()
            assert said in trouble[0]


def test_an_agent_that_cannot_play_is_one_error_and_not_one_a_seat() -> None:
    words = [word for spec in ("always-call", "tagg", "tag") for word in ("--spawn", spec)]
    done = subprocess.run(
        [sys.executable, "-m", "overbet", "acpc", "dealer", "3p", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first.startswith("error: unknown agent 'tagg'")
    assert second == "error: the client that plays tagg ended with code 2; no hand was played"


def test_the_commands_and_a_killed_client(tmp_path: Path) -> None:
    """The dealer spawns one client, waits for another, and ends with an error when that one is killed."""
    log = tmp_path / "match.log"
    words = ["acpc", "dealer", "2p", "--hands", "1000000", "--spawn", "tag", "--log", str(log), "--seed", "4"]
    dealer = subprocess.Popen(
        [sys.executable, "-m", "overbet", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    assert len(ports) == 2
    client = subprocess.Popen(
        [sys.executable, "-m", "overbet", "acpc", "client", "lag", "127.0.0.1", ports[0], "--game", "2p"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 3 * PATIENCE  # both agents may have to be compiled
        while time.monotonic() < end and not (log.exists() and log.read_text().count("STATE:") > 20):
            time.sleep(0.05)
        os.kill(client.pid, signal.SIGKILL)
        client.wait()
        _, said = dealer.communicate(timeout=PATIENCE)
    finally:
        for process in (client, dealer):
            process.kill()
    assert dealer.returncode == 2
    assert re.search(r"error: hand \d+ was not finished: p1 \(port \d+\) has gone", said)
    hands = list(read_played(log))
    assert len(hands) > 20
    assert all(isinstance(hand, PlayedHand) for hand in hands)
