"""Who may talk to the page, and what a browser may do with it.

The server listens on 127.0.0.1, but any site a browser has open can send requests there. So: the Host header
must name this machine (against DNS rebinding), a present Origin must be the page's own (against other sites),
bodies are counted as they arrive, JSON must say that it is JSON (a form of another site cannot), and every
answer carries a strict Content-Security-Policy.
"""

from __future__ import annotations

import contextlib
import json
import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overbet.interfaces.web.limits import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
UPLOAD = "/api/solves/upload"
PICTURES = "/api/vision/pictures"
PIECES = re.compile(r"/api/hands/uploads/[^/]*/pieces")
_NAMES = ("127.0.0.1", "localhost", "[::1]")
_WRITING = ("POST", "PUT", "PATCH", "DELETE")


class _TooLong(Exception):  # noqa: N818  # ends the reading of a body, nothing else
    pass


class Guard:
    """The outermost layer of the app. error_key: the field of a refusal that says why."""

    def __init__(self, app: ASGIApp, settings: Settings, error_key: str = "error") -> None:
        self.app, self.settings, self.error_key = app, settings, error_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, count its body, add the headers to its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        begun = over = False

        async def guarded_send(message: Message) -> None:
            nonlocal begun
            if over and not begun:
                return  # what the app makes of a body that was cut off is of no interest
            if message["type"] == "http.response.start":
                begun = True
                kept = [pair for pair in message["headers"] if pair[0].decode().lower() not in HEADERS]
                message["headers"] = kept + [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                if not any(name == b"cache-control" for name, _ in kept):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        limits = self.settings.limits
        piece = PIECES.fullmatch(scope["path"]) is not None
        drawn = scope["path"] == PICTURES
        upload = piece or drawn or scope["path"] == UPLOAD
        limit = limits.piece_bytes if piece else limits.upload_bytes if upload else limits.body_bytes
        limit = limits.picture_bytes if drawn else limit
        refusal = self._refusal(scope, headers, limit, upload=upload)
        if refusal:
            await refuse(guarded_send, *refusal, self.error_key)
            return
        counted = 0

        async def counted_receive() -> Message:
            nonlocal counted, over
            message = await receive()
            if message["type"] == "http.request":
                counted += len(message.get("body", b""))
                if counted > limit:
                    over = True
                    raise _TooLong
            return message

        with contextlib.suppress(_TooLong):
            await self.app(scope, counted_receive, guarded_send)
        if over and not begun:
            over = False
            await refuse(guarded_send, 413, _too_long(limit), self.error_key)

    def _refusal(self, scope: Scope, headers: Headers, limit: int, *, upload: bool) -> tuple[int, str] | None:
        if not self.settings.any_host and headers.get("host", "") not in self._hosts():
            return 403, "this server answers to 127.0.0.1 and localhost only; open the address it printed"
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins():
            return 403, "requests from other sites are refused; open the page at the address it printed"
        if headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith("/api"):
            return 403, "requests from other sites are refused; open the page at the address it printed"
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return 400, "the Content-Length header is not a number"
        if int(length[:18]) > limit:
            return 413, _too_long(limit)
        if scope["method"] in _WRITING and (int(length[:18]) or "transfer-encoding" in headers):
            wanted = "application/octet-stream" if upload else "application/json"
            if headers.get("content-type", "").split(";")[0].strip().lower() != wanted:
                return 415, f"the body must be sent as {wanted}"
        return None

    def _hosts(self) -> set[str]:
        port = self.settings.port
        return {f"{name}:{port}" for name in _NAMES} | ({*_NAMES} if port in (0, 80) else set())

    def _origins(self) -> set[str]:
        return {f"http://{host}" for host in self._hosts()} | set(self.settings.origins)


def _too_long(limit: int) -> str:
    return f"the body is longer than {limit:,} bytes; send less"


async def refuse(send: Send, status: int, message: str, key: str = "error") -> None:
    """Answer with an error and close the connection. key: the field that says why."""
    body = json.dumps({key: message, "where": None} if key == "error" else {key: message}).encode()
    # closed, so that a body nobody wants is not read to its end
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
