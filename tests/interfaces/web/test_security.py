"""Who may talk to the server, and what it will not do."""

from __future__ import annotations

import socket

import httpx
import pytest

from tests.interfaces.web.server import Server


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "a" * 300]
)
def test_foreign_hosts_are_refused(server: Server, host: str) -> None:
    port = server.address.rsplit(":", 1)[1]
    found = server.client.get("/api/meta", headers={"Host": host.replace("{port}", port)})
    assert found.status_code == 403
    assert "127.0.0.1" in found.json()["error"]


def test_foreign_origins_are_refused(server: Server) -> None:
    for origin in ("http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"):
        for method in ("GET", "POST"):
            found = server.client.request(method, "/api/solves", headers={"Origin": origin})
            assert found.status_code == 403, (origin, method)
    own = server.client.get("/api/solves", headers={"Origin": server.address})
    assert own.status_code == 200
    assert "access-control-allow-origin" not in own.headers
    crossed = server.client.get("/api/solves", headers={"Sec-Fetch-Site": "cross-site"})
    assert crossed.status_code == 403


def test_every_answer_has_a_strict_policy(server: Server) -> None:
    for path in ("/", "/api/meta", "/api/solves/nothing", "/no-such.js"):
        headers = server.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/../../pyproject.toml",
        "/%2e%2e/%2e%2e/app.py",
        "/..%2f..%2fapp.py",
        "/assets/..%2f..%2fapp.py",
        "/..%5c..%5capp.py",
        "/%00",
        "//etc/passwd",
        "/api/solves/..%2f..%2fetc/node",
        "/api/solves/../example/download",
        "/api/solves/%2e%2e/download",
        "/api/runs/..",
    ],
)
def test_names_cannot_leave_the_folder(server: Server, path: str) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 300) as raw:  # httpx would tidy the path
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := raw.recv(65536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"root:" not in body
    assert b"import " not in body[:2000] or b"<!doctype" in body[:200].lower()
    assert b"[project]" not in body
    assert b" 500 " not in head.splitlines()[0]


def test_bodies_are_limited_and_must_be_json(server: Server) -> None:
    large = server.client.post("/api/ranges/parse", json={"text": "A" * (2 << 20)})
    assert large.status_code == 413

    parts = (b" " * 65536 for _ in range(100))  # no Content-Length: counted as it arrives
    try:
        chunked = server.client.post(
            "/api/ranges/parse", content=parts, headers={"Content-Type": "application/json"}
        )
        assert chunked.status_code == 413
    except httpx.WriteError:
        pass  # the connection was closed while the body was still being sent
    form = server.client.post("/api/ranges/parse", data={"text": "AA"})
    assert form.status_code == 415
    plain = server.client.post(
        "/api/ranges/parse", content=b'{"text": "AA"}', headers={"Content-Type": "text/plain"}
    )
    assert plain.status_code == 415
    broken = server.client.post(
        "/api/ranges/parse", content=b"{", headers={"Content-Type": "application/json"}
    )
    assert broken.status_code == 400
    assert set(broken.json()) == {"error", "where"}
    deep = server.client.post(
        "/api/ranges/parse", content=b"[" * 100_000, headers={"Content-Type": "application/json"}
    )
    assert deep.status_code in (400, 422)


def test_it_listens_on_this_machine_only(server: Server) -> None:
    port = int(server.address.rsplit(":", 1)[1])
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1"}:
        if address.startswith("127."):
            continue
        with pytest.raises((ConnectionError, TimeoutError)):
            socket.create_connection((address, port), 2).close()


def test_a_second_server_on_the_same_folder_is_refused(server: Server) -> None:
    import subprocess
    import sys

    words = [sys.executable, "-m", "overbet", "serve", "--port", "0", "--data", str(server.data), "--no-open"]
    found = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 2
    assert "another overbet serve" in found.stderr
