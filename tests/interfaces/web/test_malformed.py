"""Malformed requests at every address of the API: an answer below 500, in the shape of an error, always."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.web.server import RIVER, TURN, Server

JSON = {"Content-Type": "application/json"}
LONG = "9" * 5000
ODD_BODIES: dict[str, bytes] = {
    "empty": b"",
    "null": b"null",
    "list": b"[]",
    "text": b'"text"',
    "number": LONG.encode(),
    "nan": b"NaN",
    "infinity": b"-Infinity",
    "float": b"1e999",
    "cut": b'{"text": "AA',
    "twice": b"{}{}",
    "not utf-8": b'{"text": "\xff\xfe"}',
    "utf-16": '{"text": "AA"}'.encode("utf-16"),
    "mark": b"\xef\xbb\xbf{}",
    "nul": b"\0\0\0",
    "deep list": b"[" * 1000 + b"]" * 1000,
    "deeper list": b"[" * 200_000 + b"]" * 200_000,
    "deep object": b'{"spot": ' * 1000 + b"1" + b"}" * 1000,
}
ODD_VALUES: list[Any] = [
    None,
    True,
    -1,
    2**31,
    2**63,
    2**64,
    10**400,
    -(10**400),
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    "\0",
    "\ud800",
    "\u202e\u0661\u00bd\ufdfa\U0001f0a1",
    "\u0661",  # a digit, and not an ASCII one
    "x" * 10_000,
    [],
    {},
    [[[[[]]]]],
    {"\ud800": {"\0": []}},
    [None],
    "nan",
    "1e999",
    "../../etc/passwd",
]
BODIES: dict[str, dict[str, Any]] = {
    "/api/ranges/parse": {"text": "AA", "board": ""},
    "/api/ranges/format": {"classes": [0.5] * 169},
    "/api/spots/preview": TURN,
    "/api/solves": {"name": "x", "spot": {**RIVER, "solve": {"iterations": 1, "device": "cpu"}}},
    "/api/batches": {"name": "x", "spot": TURN, "flops": ["Td9d6h"], "keep": "nothing", "trial": False},
    "/api/batches/estimate": {"spot": TURN, "flops": ["Td9d6h"]},
    "/api/batches/{id}/open": {"board": "Td9d6h"},
    "/api/solves/{id}": {"name": "x"},
    "/api/solves/{id}/resume": {"target": 1.0, "iterations": 10, "seconds": 1.0},
    "/api/solves/{id}/lock-preview.bin": {"lock": {"line": "r:0", "frequencies": {"c": 1.0}}},
    "/api/play/tables": {"kind": "heads-up", "opponent": "tag", "seed": 1},
    "/api/play/tables/{id}/act": {"action": 0},
    "/api/drill/questions": {"solve": "example", "street": "turn", "player": "oop", "line": "r:0"},
    "/api/drill/questions/{id}/answer": {"token": "c"},
    "/api/decks": {"name": "a", "source": "drill", "filter": "3bet", "least_loss_bb": 0.5, "new_a_day": 5},
    "/api/hands/imports": {"upload": "u-1", "hash_names": True, "passed_over": 1},
    "/api/hands/review": {"filter": "id<0", "limit": 5},
    "/api/hands/reports": {"kind": "leaks", "filter": "id<0", "player": ""},
    "/api/library/{kind}/{id}": {"folder": "a/b", "tags": ["x"], "note": "y"},
    "/api/library/{kind}/folders": {"folder": "a", "to": "b"},
    "/api/ranges/library": {"name": "a/b", "text": "AA", "replace": True},
    "/api/ranges/library/move": {"name": "a/b", "to": "a/c"},
    "/api/ranges/library/delete": {"name": "a/c"},
    "/api/ranges/library/import": {"name": "x", "text": "# a\nAA", "folder": ""},
    "/api/work/check": {
        "kind": "train",
        "preset": "push-fold",
        "name": "x",
        "iterations": 5,
        "seed": 1,
        "settings": ["solver.rule=linear"],
    },
    "/api/work": {"kind": "lbr", "agent": "nobody", "hands": 2, "seed": 1, "bets": "fc"},
    "/api/vision/readings": {"picture": "x", "profile": "harbour"},
    "/api/vision/spots": {"profile": "harbour", "unit": "bb", "fields": {"pot": "5"}, "oop": "AA"},
    "/api/vision/profiles": {"name": "mine", "picture": "x", "clicks": {"seats": []}},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("malformed")
    (data / "runs" / "one").mkdir(parents=True)
    (data / "runs" / "one" / "config.yaml").write_text("name: one\n")
    found = Server(data)
    yield found
    assert found.stop() == 0


@pytest.fixture(scope="module")
def known(served: Server) -> dict[str, str]:
    """An id of everything there is."""
    table = served.post("/play/tables", {"opponent": "tag", "seed": 1})["id"]
    served.post(f"/play/tables/{table}/deal")
    spot = {**RIVER, "board": "Td9d6h", "solve": {"iterations": 1, "device": "cpu"}}
    spot["bets"] = {"every": {"bet": "a"}}
    batch = served.post("/batches", {"spot": spot, "flops": ["Td9d6h"]})["id"]
    served.post(f"/batches/{batch}/cancel")
    asked = served.post("/drill/questions", {"solve": "example"})["question"]
    return {
        "solves": "example",
        "batches": batch,
        "blueprints": "shipped-heads-up",
        "play": table,
        "drill": asked,
        "runs": "one",
        "library": "example",
    }


def addresses(served: Server) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every method and address of the API."""
    document = served.client.get("/api/openapi.json").json()
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def filled(path: str, known: dict[str, str]) -> str:
    kind = path.split("/")[2]
    return path.replace("{id}", known.get(kind, "x")).replace("{number}", "0").replace("{kind}", "solve")


def check(served: Server, status: int, body: bytes, what: object) -> None:
    assert status < 500, (what, body[:300])
    if status >= 400:
        fault = json.loads(body)
        assert set(fault) == {"error", "where"}, what
        assert fault["error"], what
        assert "\n" not in fault["error"], what
        assert len(fault["error"]) <= 2000, what
    assert served.process.poll() is None, what


def ask(served: Server, method: str, path: str, **values: Any) -> None:
    with served.client.stream(method, path, **values) as answer:
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            return  # goes on; its beginning was sound
        body = answer.read()
    check(served, answer.status_code, body, (method, path, str(values)[:200]))


def test_every_address_with_a_body_has_one_that_is_spoilt(served: Server) -> None:
    taking = {path for method, path, operation in addresses(served) if "requestBody" in operation}
    files = {"/api/solves/upload", "/api/hands/uploads/{id}/pieces", "/api/vision/pictures"}
    assert taking == {*BODIES, *files}


def test_odd_bodies_everywhere(served: Server, known: dict[str, str]) -> None:
    for method, path, _ in addresses(served):
        if method in ("GET", "DELETE") or path.endswith(("/deal", "/cancel")):
            continue
        for body in ODD_BODIES.values():
            ask(served, method, filled(path, known), content=body, headers=JSON)


def test_odd_values_in_every_field(served: Server, known: dict[str, str]) -> None:
    def spoilt(value: Any) -> Iterator[Any]:
        """Yield a value with each of its parts replaced by each odd value."""
        if isinstance(value, dict):
            yield {**value, "no such key": 1}
            for key, part in value.items():
                for other in ODD_VALUES:
                    yield {**value, key: other}
                if isinstance(part, dict):
                    for other in spoilt(part):
                        yield {**value, key: other}

    methods = {path: method for method, path, operation in addresses(served) if "requestBody" in operation}
    for path, body in BODIES.items():
        for number, other in enumerate(spoilt(body)):
            if number % 3 and path in ("/api/solves", "/api/batches"):
                continue  # the same spot as in the preview
            text = json.dumps(other)  # with NaN, Infinity and lone surrogates, as Python's writer lets them
            ask(served, methods[path], filled(path, known), content=text.encode(), headers=JSON)
    for kind in ("solves", "batches"):
        for job in served.get(f"/{kind}")[kind]:
            if job["status"] in ("queued", "running"):
                served.client.post(f"/api/{kind}/{job['id']}/cancel")


def test_odd_queries_and_names_everywhere(served: Server, known: dict[str, str]) -> None:
    texts = [value for value in ODD_VALUES if isinstance(value, str)]
    texts += [
        LONG,
        "-1",
        "NaN",
        "Infinity",
        "1e400",
        "r:0:b" + LONG,
        "r:0:c:c:\u0661",
        ":" * 399,
        "%00",
        "r:0:Ah",
    ]
    sendable = [text.encode("utf-8", "surrogatepass") for text in texts] + [b"\xff\xfe"]
    quoted = ["".join(f"%{byte:02x}" for byte in text) for text in sendable]
    for method, path, operation in addresses(served):
        if method != "GET":
            continue
        names = [given["name"] for given in operation.get("parameters", ()) if given["in"] == "query"]
        needed = {
            "first": "c",
            "second": "c",
            "player": "oop",
            "board": "Td9d6h",
            "text": "Td",
            "other": "example",
        }
        for name in names:
            others = [f"{key}={needed[key]}" for key in names if key in needed and key != name]
            for text in quoted:
                ask(served, "GET", f"{filled(path, known)}?{'&'.join([f'{name}={text}', *others])}")
        for part in ("{id}", "{number}"):
            if part in path:
                for text in quoted:
                    ask(served, "GET", filled(path.replace(part, text or "x"), known))


def test_wrong_kinds_of_content(served: Server) -> None:
    parts = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nAA\r\n--b'
    for kind, body in (
        ("multipart/form-data; boundary=b", parts),
        ("multipart/form-data", parts),
        ("application/x-www-form-urlencoded", b"text=AA"),
        ("text/plain", b"{}"),
        ("application/xml", b"<a/>"),
        ("", b"{}"),
        ("application/json; charset=utf-16", b"{}"),
        ("application/json, text/plain", b"{}"),
        ("\xff\xfe", b"{}"),
    ):
        for path in ("/api/ranges/parse", "/api/solves", "/api/solves/upload"):
            ask(served, "POST", path, content=body, headers={"Content-Type": kind.encode("latin-1")})  # type: ignore[dict-item]
    kind = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    ask(served, "POST", "/api/ranges/parse", content=b"\x1f\x8b\x08", headers=kind)


def raw(served: Server, *parts: bytes) -> bytes:
    """Send bytes as they are and return the answer."""
    host, port = served.address.removeprefix("http://").split(":")
    answer = b""
    with socket.create_connection((host, int(port)), 300) as connection:
        with contextlib.suppress(OSError):  # the server may close with something unread
            for part in parts:
                connection.sendall(part.replace(b"HOST", f"{host}:{port}".encode()))
            connection.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                answer += part
    return answer


def test_odd_lines_and_headers(served: Server) -> None:
    head = b"GET /api/meta HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n"
    end = b" HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n"
    post = b"POST /api/ranges/parse" + end + b"Content-Type: application/json\r\n"
    saved = b"GET /api/solves/example/download" + end
    for parts in (
        (head + b"X-Long: " + b"x" * 200_000 + b"\r\n\r\n",),
        (head + b"".join(b"X-%d: x\r\n" % n for n in range(5000)) + b"\r\n",),
        (head + b"X-Odd: \xff\xfe\r\n\r\n",),
        (head + b"Origin: \xff\r\n\r\n",),
        (head + b"Accept-Encoding: \xff\r\n\r\n",),
        (b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n",),
        (b"GET /api/boards/parse?text=\xff HTTP/1.1\r\nHost: HOST\r\n\r\n",),
        (b"GET /api/runs/%ff%fe HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",),
        (b"GET /%ed%a0%80.js HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",),
        (b"GET /" + b"a/" * 3000 + b" HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",),
        (b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",),
        (b"GET /assets/ HTTP/1.1\r\nHost: HOST\r\nRange: bytes=9-1,--3\r\nConnection: close\r\n\r\n",),
        (b"GET /favicon.svg" + end + b"Range: bytes=99999999999999999999-\r\n\r\n",),
        (saved + b"Range: bytes=\xff\r\n\r\n",),
        (saved + b"Range: bytes=5-2,1-" + b"9" * 5000 + b"\r\n\r\n",),
        (saved + b"Range: bytes=-0\r\n\r\n",),
        (b"OPTIONS * HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",),
        (b"BREW /api/meta HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",),
        (post + b"Content-Length: \xb2\r\n\r\n",),
        (post + b"Content-Length: -1\r\n\r\n",),
        (post + b"Content-Length: 9999999999999999999999\r\n\r\n",),
        (post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",),
        (post + b"Transfer-Encoding: gzip\r\n\r\n{}",),
        (post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",),
        (post + b"Content-Length: 100\r\n\r\n{",),
        (post + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n", b"{}"),
        (b"POST /api/solves/upload HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/octet-stream\r\n"
         b"Content-Length: 100\r\nConnection: close\r\n\r\noverbet solution 1\n",),
        (b"GET /api/meta HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",),
    ):  # fmt: skip
        answer = raw(served, *parts)
        line = answer.split(b"\r\n")[0]
        assert not line.startswith(b"HTTP/1.1 5"), (parts[0][:120], answer[:400])
        assert served.process.poll() is None


def test_a_slow_body_holds_up_nobody_else(served: Server) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    head = (
        f"POST /api/ranges/parse HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        "Content-Length: 14\r\nConnection: close\r\n\r\n"
    ).encode()
    waiting = [socket.create_connection((host, int(port)), 600) for _ in range(60)]
    try:
        for connection in waiting:
            connection.sendall(head + b"{")
        begun = time.monotonic()
        served.get("/meta")
        assert time.monotonic() - begun < 300  # whoever waits for one of those bodies waits for ever
        for letter in b'"text": "AA"}':
            waiting[0].sendall(bytes([letter]))
            time.sleep(0.05)
        assert waiting[0].recv(65536).startswith(b"HTTP/1.1 200")
    finally:
        for connection in waiting:
            connection.close()
    served.get("/meta")


def test_nothing_was_left_and_nothing_was_told_as_a_fault_of_the_program(served: Server) -> None:
    for folder in Path(served.data / "solves").iterdir():
        assert (folder / "job.json").exists()
    for kind in ("solves", "batches"):
        for job in served.get(f"/{kind}")[kind]:
            assert "fault of the program" not in (job["error"] or ""), job
