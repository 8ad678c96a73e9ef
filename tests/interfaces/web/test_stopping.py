"""The end of a server: streams open, answers under way, a solve running: code 0 and no traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.interfaces.web.server import ENDLESS, Server

# a server with an answer that takes as long as a cold kernel: longer than the server waits for it
SLOW = """
import sys, time
from pathlib import Path
from overbet.interfaces.web import app, server
from overbet.interfaces.web.limits import Settings

create = app.create_app

def slow(settings):
    made = create(settings)

    @made.get("/slow/{seconds}")
    def wait(seconds: float) -> str:
        print("begun", flush=True)
        time.sleep(seconds)
        return "done"

    made.router.routes.insert(0, made.router.routes.pop())
    return made

server.create_app = slow
server.serve(
    Settings(Path(sys.argv[1]), 0),
    open_page=False,
    ready=lambda address: print("the page is at " + address + " now", flush=True),
    leave=True,
)
"""


def started(data: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    address = process.stdout.readline().split(" at ")[1].split(" ")[0].rstrip("/")
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            if httpx.get(f"{address}/api/meta", timeout=60).status_code == 200:
                return process, address
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_answer_under_way_is_told_that_the_server_ends(tmp_path: Path, number: signal.Signals) -> None:
    process, address = started(tmp_path)
    answers: list[httpx.Response] = []
    asking = [
        threading.Thread(target=lambda s=s: answers.append(httpx.get(f"{address}/slow/{s}", timeout=600)))
        for s in (1, 1200)  # the server waits three seconds for its answers
    ]
    for thread in asking:
        thread.start()
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 300) as half:  # a body that never comes
        half.sendall(
            f"POST /api/ranges/parse HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
            "Content-Length: 900\r\n\r\n{".encode()
        )
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in asking] == ["begun\n"] * 2
        httpx.get(f"{address}/slow/0", timeout=300)  # what was sent before has been begun
        begun = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=300)
    for thread in asking:
        thread.join(300)
    assert errors == ""
    assert process.returncode == 0
    assert time.monotonic() - begun < 600  # it did not wait for the slow answer
    assert sorted(answer.status_code for answer in answers) == [200, 503]
    told = next(answer for answer in answers if answer.status_code == 503)
    assert "stopping" in told.json()["error"]


def test_streams_end_and_the_solve_is_saved(tmp_path: Path) -> None:
    with open(tmp_path / "errors", "w+b") as errors:
        kept = os.dup(2)
        os.dup2(errors.fileno(), 2)  # the server's error stream is its parent's
        try:
            server = Server(tmp_path / "data")
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        run = tmp_path / "data" / "runs" / "one"
        run.mkdir(parents=True)
        (run / "config.yaml").write_text("name: one\n")
        made = server.post("/solves", {"spot": ENDLESS})
        server.looked(f"/solves/{made['id']}")
        ends: list[str] = []
        begun = threading.Semaphore(0)

        def listen(path: str) -> None:
            with httpx.stream("GET", f"{server.address}/api{path}/events", timeout=300) as stream:
                begun.release()
                for _ in stream.iter_lines():
                    pass
            ends.append(path)

        paths = [f"/solves/{made['id']}", "/runs/one"]
        listening = [threading.Thread(target=listen, args=(path,)) for path in paths]
        for thread in listening:
            thread.start()
        for _ in listening:
            assert begun.acquire(timeout=300)
        assert server.stop() == 0
        for thread in listening:
            thread.join(300)
        errors.seek(0)
        assert errors.read() == b""
    assert sorted(ends) == sorted(paths)  # the streams came to their end; they were not cut
    server = Server(tmp_path / "data")
    shown = server.get(f"/solves/{made['id']}")
    assert shown["status"] == "stopped"
    assert shown["openable"]
    assert server.stop() == 0
