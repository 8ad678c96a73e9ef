"""Many clients at once, and connections that break off in the middle of a solve."""

from __future__ import annotations

import contextlib
import socket
import threading

import httpx

from tests.interfaces.web.server import COMPILATION, ENDLESS, TURN, Server

LINES = ("r:0", "r:0:c", "r:0:b45", "r:0:c:c", "r:0:c:b45", "r:0:c:c:Ah", "r:0:b45:c:7d", "r:0:c:c:Ah:c")


def test_a_dozen_clients_and_a_broken_connection_do_no_harm(server: Server, turn: str) -> None:
    long = server.post("/solves", {"name": "under way", "spot": ENDLESS})
    server.looked(f"/solves/{long['id']}")
    expected = {
        line: server.client.get(f"/api/solves/{turn}/node.bin", params={"line": line}).content
        for line in LINES
    }
    faults: list[str] = []

    def client(number: int) -> None:
        with httpx.Client(base_url=server.address, timeout=COMPILATION) as own:
            for turn_of in range(12):
                line = LINES[(number + turn_of) % len(LINES)]
                node = own.get(f"/api/solves/{turn}/node.bin", params={"line": line})
                if node.content != expected[line]:
                    faults.append(f"{line}: {node.status_code}")
                for path in ("/solves", "/meta", f"/solves/{long['id']}", "/categories?board=Td9d6h"):
                    found = own.get(f"/api{path}")
                    if found.status_code != 200:
                        faults.append(f"{path}: {found.status_code}")
                preview = own.post("/api/spots/preview", json=TURN)
                if preview.status_code != 200:
                    faults.append(f"preview: {preview.status_code}")

    def deserter() -> None:
        host, port = server.address.removeprefix("http://").split(":")
        named = f"Host: {host}:{port}"
        for part in (
            f"GET /api/solves/{long['id']}/events HTTP/1.1\r\n{named}\r\n\r\n",
            f"POST /api/solves HTTP/1.1\r\n{named}\r\nContent-Type: application/json\r\n"
            "Content-Length: 900\r\n\r\n{",
            f"POST /api/solves/upload HTTP/1.1\r\n{named}\r\nContent-Type: application/octet-stream\r\n"
            "Content-Length: 90000\r\n\r\noverbet solution 1\n",
            f"GET /api/solves/{turn}/node.bin HTTP/1.1\r\n{named}\r\n\r\n",
            "GET / HTTP/1.1\r\n",
            "\x00\x01\x02rubbish\r\n\r\n",
        ):
            with socket.create_connection((host, int(port)), 300) as raw:
                raw.sendall(part.encode())
                raw.settimeout(0.2)
                with contextlib.suppress(TimeoutError):
                    raw.recv(100)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(12)]
    threads += [threading.Thread(target=deserter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    shown = server.get(f"/solves/{long['id']}")
    assert shown["status"] == "running"  # nobody disturbed it
    server.post(f"/solves/{long['id']}/cancel")
    assert server.wait(f"/solves/{long['id']}", "stopped")["openable"]
    server.client.delete(f"/api/solves/{long['id']}")
    left = [path.name for path in (server.data / "solves").iterdir()]
    assert all((server.data / "solves" / name / "job.json").exists() for name in left)  # no half uploads


def test_the_queue_has_an_end(server: Server) -> None:
    made = [server.post("/solves", {"name": "first", "spot": ENDLESS})["id"]]
    server.looked(f"/solves/{made[0]}")
    limit = server.get("/meta")["limits"]["queued_jobs"]
    for _ in range(limit):
        made.append(server.post("/solves", {"spot": TURN})["id"])
    refused = server.post("/solves", {"spot": TURN}, status=429)
    assert "wait" in refused["error"]
    for name in reversed(made):
        server.post(f"/solves/{name}/cancel")
    server.wait(f"/solves/{made[0]}", "stopped")
    for name in made:
        assert server.client.delete(f"/api/solves/{name}").status_code == 204
