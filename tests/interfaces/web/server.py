"""A real server on a free port, for tests: started, asked, stopped, killed, started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from overbet.study import unpacked

RIVER: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 500,
    "ranges": {"oop": "22+,A2s+,KTs+,QJs,AJo+,KQo", "ip": "22+,ATs+,K9s+,QTs+,JTs,ATo+,KJo+"},
    "bets": {"every": {"bet": "33%, 75%, a", "raise": "60%, a"}},
    "solve": {"target": 0.3, "device": "cpu"},
}
TURN: dict[str, Any] = {
    "board": "Qs8h4d2c",
    "pot": 60,
    "stacks": 170,
    "big_blind": 10,
    "ranges": {"oop": "QQ,AQs,KQs,A8s,76s,AhKh", "ip": "TT-88,AQ,KQs,87s,T9s:0.5"},
    "bets": {"turn": {"bet": "75%", "raise": "60%"}, "river": {"bet": "75%"}},
    "solve": {"target": 0.5, "device": "cpu"},
}
# runs for as long as it is let: no accuracy is good enough; on one thread, it is only there to be there
ENDLESS: dict[str, Any] = {
    **TURN,
    "ranges": {"oop": "22+,A2s+,K9s+,QTs+,AJo+", "ip": "22+,A2s+,K9s+,QTs+,ATo+"},
    "solve": {"target": 0, "iterations": 1000000, "check_every": 20, "device": "cpu", "threads": 1},
}


RUNS = 32_000  # how often a decision is played on at most; a user's server does so 64 times as often
COMPILATION = 900.0  # seconds; the first answers on a new machine wait for kernels


class Server:
    """`overbet serve` as a process of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "overbet", "serve", "--port", "0", "--data", str(self.data)),
                *("--no-open", "--review", str(RUNS)),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "the page is at http://127.0.0.1:" in line, line
        self.address = line.split(" at ")[1].split(" ")[0].rstrip("/")
        self.client = httpx.Client(base_url=self.address, timeout=COMPILATION)
        end = time.monotonic() + COMPILATION
        while time.monotonic() < end:
            try:
                if self.client.get("/api/meta").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def stop(self, number: int = signal.SIGINT) -> int:
        """End it and return its exit status."""
        self.client.close()
        self.process.send_signal(number)
        code = self.process.wait(COMPILATION)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at an address."""
        found = self.client.get(f"/api{path}", params=query)
        assert found.status_code == 200, found.text
        return found.json()

    def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        """Send JSON and return the JSON answered."""
        found = self.client.post(f"/api{path}", json={} if body is None else body)
        assert found.status_code in ((200, 201) if status is None else (status,)), found.text
        return found.json()

    def arrays(self, path: str, **query: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the header and the arrays of an address."""
        found = self.client.get(f"/api{path}", params=query)
        assert found.status_code == 200, found.text
        return unpacked(found.content)

    def wait(self, path: str, *wanted: str, seconds: float = COMPILATION) -> Any:
        """Wait until a job has one of the wanted states."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.get(path)
            if shown["status"] in wanted:
                return shown
            assert shown["status"] in ("queued", "running", "saving"), shown
            time.sleep(0.05)
        raise AssertionError(f"{path} is still {shown['status']}")

    def looked(self, path: str, seconds: float = COMPILATION) -> Any:
        """Wait until a running solve has reported its progress."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.get(path)
            if shown["history"]:
                return shown
            assert shown["status"] in ("queued", "running"), shown
            time.sleep(0.05)
        raise AssertionError("no progress was reported")

    def processor_seconds(self) -> float:
        """Return what the server has used so far: a busy machine does not change it, as it does the clock."""
        told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    def worker(self) -> int:
        """Return the process number of the worker that solves: a child beside the one that searches."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = [int(word) for word in found.read_text().split()]
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            children += [int(word) for word in (task / "children").read_text().split()]
        commands = {child: Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
        alive = {child for child, command in commands.items() if b"web.work.worker\0solve" in command}
        assert len(alive) == 1, alive
        return alive.pop()

    def kill_worker(self) -> None:
        """Let the worker crash."""
        os.kill(self.worker(), signal.SIGKILL)
