"""Targets for other programs: the ports and logs of the ACPC, hands over HTTP both ways, and UPI."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.testclient import TestClient

from overbet.agents.registry import make_agent
from overbet.errors import OverbetError
from overbet.games.holdem import HoldemGame
from overbet.interfaces.history.containers import HandFile
from overbet.interfaces.history.played import read_file
from overbet.interfaces.history.record import HandFault
from overbet.interfaces.protocols.acpc.client import AcpcClient
from overbet.interfaces.protocols.acpc.dealer import AcpcDealer, DealerOptions
from overbet.interfaces.protocols.acpc.game_file import acpc_game_text, competition_game, read_acpc_game
from overbet.interfaces.protocols.acpc.match_log import MatchLog
from overbet.interfaces.protocols.acpc.match_state import betting_of, checked_view, read_view
from overbet.interfaces.protocols.bridge.action_text import action_text, state_of
from overbet.interfaces.protocols.bridge.client import BridgeClient
from overbet.interfaces.protocols.bridge.server import bridge_app
from overbet.interfaces.protocols.bridge.tables import BridgeTables
from overbet.interfaces.protocols.upi.reading import command_lines
from overbet.interfaces.protocols.upi.session import UpiSession
from overbet.solvers.vector.estimate import estimate
from tests.fuzz.grammar import mutated_bytes, mutated_text, mutated_value, odd_number, odd_text, odd_value
from tests.fuzz.target import Target, WrongError, wrong_message
from tests.interfaces.protocols.recorded import DIALOGUE, SLUMBOT_HANDS, THREE_PLAYERS, TWO_PLAYERS

_VIEWS = [line[4:] for line in DIALOGUE.splitlines() if line.startswith("S->")]
_TEXTS = ("b200c/kb300c/kk/kb500f", "ck/kk/kk/kk", "b20000c///", "cb300b900c/b1800c/")
_BOARD = ["2c", "7d", "Js", "3h", "4s"]
_SCRIPT = """\
set_end_string END
set_board Ks Th 7s 4d 2c
set_range OOP QQ-22,AQs
set_range IP AA-JJ,76s
set_pot 0 0 100
set_eff_stack 300
add_line 75 300
add_line 0 75 300
set_accuracy 0.5 chips
set_rake 0.05 3
build_tree
go 2 steps
wait_for_solver
show_children r:0
show_strategy r:0:b75
calc_ev OOP r:0:c
calc_eq IP
lock_node r:0
remove_line 0 75
set_bet_sizes river OOP bet 50%
calc_global_freq r:0:c
calc_results
"""
_SMALL_BYTES = 20_000_000  # a tree that takes less is built and solved for two iterations
_ELSEWHERE = ("dump_tree", "load_tree", "load_script", "load_script_silent", "show_metadata")


def odd_bytes(rng: random.Random, text: str) -> bytes:
    """Return a text with a few places changed, as bytes or as characters."""
    if rng.random() < 0.4:
        return mutated_bytes(rng, text.encode())
    return mutated_text(rng, text).encode("utf-8", "surrogatepass")


def _line_or_error(call: Callable[[], Any]) -> Any:
    """Return what a call returns, None after an error of one line."""
    try:
        return call()
    except OverbetError as error:
        if wrong := wrong_message(str(error)):
            raise WrongError(wrong) from error
        return None


class MatchStateTarget(Target):
    """Match states, as a client gets them and as a log has them."""

    name = "acpc-state"

    def prepare(self, folder: Path) -> None:
        """Read good ones."""
        self.client = AcpcClient(make_agent("always-call"), competition_game(2))
        for view in _VIEWS:
            self.run([2, view])

    def make(self, rng: random.Random) -> list[Any]:
        """Return players and a line."""
        line = rng.choice(_VIEWS)
        return [rng.choice((2, 2, 3, 9)), mutated_text(rng, line) if rng.random() < 0.9 else odd_text(rng)]

    def run(self, given: list[Any]) -> None:
        """Read it; what is taken has to be written as it was."""
        players, line = given
        view = read_view(line)
        state = checked_view(competition_game(players), view)
        if betting_of(state).rstrip("/") != view.betting.rstrip("/"):
            raise WrongError(f"{view.betting!r} was taken for {betting_of(state)!r}")
        if players == 2:
            self.client.answer(line)


class GameFileTarget(Target):
    """Game definitions."""

    name = "acpc-game"

    def prepare(self, folder: Path) -> None:
        """Read good ones."""
        for players in (2, 6):
            self.run(acpc_game_text(competition_game(players)))

    def make(self, rng: random.Random) -> str:
        """Return a text."""
        return mutated_text(rng, acpc_game_text(competition_game(rng.choice((2, 3, 9)))))

    def run(self, given: str) -> None:
        """Read it, and read again what it is written as."""
        game = read_acpc_game(given)
        if read_acpc_game(acpc_game_text(game)).start != game.start:
            raise WrongError(f"{given[:100]!r} does not read back")


class AcpcLogTarget(Target):
    """Logs, among the files of hands."""

    name = "acpc-log"

    def prepare(self, folder: Path) -> None:
        """Read good ones."""
        for log in (TWO_PLAYERS, THREE_PLAYERS):
            self.run(log.encode())

    def make(self, rng: random.Random) -> bytes:
        """Return the bytes of a log."""
        log = rng.choice((TWO_PLAYERS, THREE_PLAYERS))
        lines = log.splitlines(keepends=True)
        text = "".join([lines[0], *rng.sample(lines[1:], 3)])
        return (
            mutated_bytes(rng, text.encode())
            if rng.random() < 0.4
            else mutated_text(rng, text).encode("utf-8", "surrogatepass")
        )

    def run(self, given: bytes) -> None:
        """Read all of it."""
        for hand in read_file(HandFile("given.log", io.BytesIO(given))):
            if isinstance(hand, HandFault) and (wrong := wrong_message(str(hand))):
                raise WrongError(wrong)


class DealerPortTarget(Target):
    """A dealer's ports: one seat says anything, the other nothing."""

    name = "acpc-port"
    limit_s = 30.0

    def prepare(self, folder: Path) -> None:
        """Say something good."""
        _line_or_error(lambda: self.run(b"VERSION:2.0.0\r\nMATCHSTATE:0:0::|:c\r\n"))

    def make(self, rng: random.Random) -> bytes:
        """Return what a seat says."""
        said = "\r\n".join(rng.choice(_VIEWS) + rng.choice((":c", ":f", ":r300", "")) for _ in range(3))
        said = rng.choice(("VERSION:2.0.0\r\n", "VERSION:2.0.0\r\n", "")) + said
        return (
            mutated_bytes(rng, said.encode())
            if rng.random() < 0.5
            else mutated_text(rng, said).encode("utf-8", "surrogatepass")
        )

    def run(self, given: bytes) -> None:
        """Play until the dealer stops, which it has to."""
        options = DealerOptions(("a", "b"), 2, 1, response_seconds=0.02, connect_seconds=0.3)
        dealer = AcpcDealer(competition_game(2), options, MatchLog(None))
        ended: list[BaseException | None] = []

        def deal() -> None:
            try:
                dealer.run()
                ended.append(None)
            except BaseException as error:  # whatever it is, it is judged in the other thread
                ended.append(error)

        thread = threading.Thread(target=deal, daemon=True)
        thread.start()
        with (
            socket.create_connection(("127.0.0.1", dealer.ports[0])) as quiet,
            socket.create_connection(("127.0.0.1", dealer.ports[1])) as loud,
        ):
            quiet.sendall(b"VERSION:2.0.0\r\n")
            with contextlib.suppress(OSError):  # the dealer may have heard enough
                loud.sendall(given)
            thread.join(20)
        if thread.is_alive():
            raise WrongError("the dealer goes on for ever")
        if isinstance(ended[0], BaseException):
            raise ended[0]


class BridgeTextTarget(Target):
    """Betting as Slumbot writes it."""

    name = "bridge-text"
    _GAME = HoldemGame(2, 20_000, (50, 100))

    def prepare(self, folder: Path) -> None:
        """Read good ones."""
        for text in _TEXTS:
            self.run(text)

    def make(self, rng: random.Random) -> str:
        """Return a text."""
        return mutated_text(rng, rng.choice(_TEXTS))

    def run(self, given: str) -> None:
        """Read it, and read again what it is written as."""
        board = _BOARD[: (0, 3, 4, 5)[min(given.count("/"), 3)]]
        state = state_of(self._GAME, given, ["AhKd", None], board)
        if action_text(state).rstrip("/") != given.rstrip("/"):
            raise WrongError(f"{given[:100]!r} was taken for {action_text(state)!r}")


class BridgeServerTarget(Target):
    """Requests to the server."""

    name = "bridge-server"

    def prepare(self, folder: Path) -> None:
        """Play a hand."""
        tables = BridgeTables(make_agent("random-chips"), HoldemGame(2, 20_000, (50, 100)), 1, most=50)
        self.page = TestClient(bridge_app(tables, 8770), base_url="http://127.0.0.1:8770")
        self.token = self.page.post("/api/new_hand", json={}).json()["token"]
        self.run(["act", json.dumps({"token": "TOKEN", "incr": "c"}), "application/json"])

    def make(self, rng: random.Random) -> list[str]:
        """Return a path, a body and its type."""
        move = rng.choice(("k", "c", "f", "b200", f"b{odd_number(rng)}", odd_text(rng)))
        body: Any = {"token": "TOKEN", "incr": move}
        if rng.random() < 0.3:
            body = mutated_value(rng, body)
        text = json.dumps(body) if rng.random() < 0.8 else mutated_text(rng, json.dumps(body))
        path = rng.choice(("new_hand", "act", "act", "act", "login", odd_text(rng)))
        return [path, text, "application/json" if rng.random() < 0.9 else odd_text(rng)]

    def run(self, given: list[str]) -> None:
        """Ask; an error of the app is raised here."""
        path, text, kind = given
        answer = self.page.post(
            f"/api/{quote(path, safe='', errors='replace')}",
            content=text.replace("TOKEN", self.token).encode("utf-8", "replace"),
            headers={"content-type": re.sub(r"[^ -~]", "?", kind)},
        )
        if answer.status_code >= 500:
            raise WrongError(f"status {answer.status_code}: {answer.content[:200]!r}")
        said = answer.json()
        if answer.status_code != 200 and not {"error", "error_msg"} & set(said):
            raise WrongError(f"status {answer.status_code} says nothing: {answer.content[:200]!r}")


class BridgeClientTarget(Target):
    """Answers of a server to our client."""

    name = "bridge-client"
    _GAME = HoldemGame(2, 20_000, (50, 100))

    def prepare(self, folder: Path) -> None:
        """Play what was recorded."""
        self.agent = make_agent("always-call")
        for hand in SLUMBOT_HANDS:
            self.run(list(hand))

    def make(self, rng: random.Random) -> Any:
        """Return a list of answers."""
        answers: Any = [dict(answer) for answer in rng.choice(SLUMBOT_HANDS)]
        answers = mutated_value(rng, answers)
        if isinstance(answers, list) and answers and isinstance(answers[0], dict) and rng.random() < 0.4:
            answers[0]["action"] = mutated_text(rng, rng.choice(_TEXTS))
        return answers if isinstance(answers, list) else [answers, odd_value(rng)]

    def run(self, given: list[Any]) -> None:
        """Play a hand against them."""
        answers = iter(given)
        client = BridgeClient(
            self.agent,
            "http://x",
            self._GAME,
            post=lambda path, body: next(answers, {"error_msg": "the end"}),
        )
        client.play(1)


class UpiTarget(Target):
    """Scripts of UPI commands."""

    name = "upi"
    limit_s = 60.0

    def prepare(self, folder: Path) -> None:
        """Run the good one."""
        self.folder = folder
        self.run(_SCRIPT)

    def make(self, rng: random.Random) -> str:
        """Return a script with odd commands in it."""
        lines = _SCRIPT.splitlines()
        for _ in range(rng.choice((1, 2, 4))):
            place = rng.randrange(len(lines))
            how = rng.randrange(4)
            if how == 0:
                lines[place] = mutated_text(rng, lines[place])
            elif how == 1:
                del lines[place]
            elif how == 2:
                lines.insert(place, f"{rng.choice(lines).split()[0]} {odd_text(rng)} {odd_number(rng)}")
            else:
                lines.insert(place, f"{rng.choice(_ELSEWHERE)} {rng.choice(('x.cfr', odd_text(rng)))}")
        return "\n".join(lines)

    def run(self, given: str) -> None:
        """Answer every command; trees that are large are not built, and files are ours."""
        session = UpiSession(io.StringIO())
        for line in command_lines(io.BytesIO(given.encode("utf-8", "surrogatepass"))):
            text = line.strip()
            word = text.split(" ")[0] if text else "#"
            if word in _ELSEWHERE:
                text = f'{word} "{self.folder / "given.cfr"}"'
            if text.startswith("#") or (
                word in ("build_tree", "estimate_tree", "calc_eq") and self._large(session)
            ):
                continue
            if word == "go" and not text.endswith("steps"):
                continue
            _line_or_error(lambda text=text: session.answer(text))  # type: ignore[misc]
            if word == "go" and session._solve is not None:
                session._solve.begin()
                time.sleep(0)
                session.answer("stop")
            if session.ended:
                break

    def _large(self, session: UpiSession) -> bool:
        try:
            return estimate(session.words.spot()).bytes() > _SMALL_BYTES
        except OverbetError:
            return False


def targets() -> list[Target]:
    """Return the targets of this file."""
    return [
        MatchStateTarget(),
        GameFileTarget(),
        AcpcLogTarget(),
        DealerPortTarget(),
        BridgeTextTarget(),
        BridgeServerTarget(),
        BridgeClientTarget(),
        UpiTarget(),
    ]
