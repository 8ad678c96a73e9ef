"""Running the server: one for a data folder, on 127.0.0.1, with the page opened once it answers.

Ctrl-C, SIGTERM and SIGHUP end it in good order: streams end, answers under way have three seconds, the solve
under way is saved, and the process ends with code 0.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import IO

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overbet.errors import ArtefactError, ConfigError
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.limits import Settings
from overbet.interfaces.web.security import refuse

ADDRESS = "127.0.0.1"
DEFAULT_PORT = 8765
DEV_ORIGIN = "OVERBET_DEV_ORIGIN"  # a further origin, for the front-end's development server
_GRACE = 3  # seconds that answers under way have when the server ends
_LAST_THREADS = 2.0  # seconds that their threads have after that


def serve(
    settings: Settings,
    *,
    open_page: bool = True,
    ready: Callable[[str], None] | None = None,
    leave: bool = False,
) -> None:
    """Serve until Ctrl-C. settings.port: 0 for any free one. ready: called with the address.

    leave: end the whole process where a thread still computes an answer that nobody waits for.
    """
    listening = _listen(settings.port)
    port = int(listening.getsockname()[1])
    origins = tuple(origin for origin in [os.environ.get(DEV_ORIGIN, "")] if origin)
    address = f"http://{ADDRESS}:{port}/"
    with only_one(settings.data):
        app = create_app(replace(settings, port=port, origins=(*settings.origins, *origins)))
        config = uvicorn.Config(
            _Ending(app),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=_GRACE,
            server_header=False,
        )
        server = _Server(config, app.state.overbet.stopping)
        logging.getLogger("uvicorn.error").addFilter(_told_otherwise)
        if ready is not None:
            ready(address)
        if open_page:
            threading.Thread(target=_open, args=(server, address), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt), server.signals():
            server.run(sockets=[listening])
    if leave:
        _leave()


class _Server(uvicorn.Server):
    """A server that tells its streams when it is to end."""

    def __init__(self, config: uvicorn.Config, stopping: threading.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal."""
        self._stopping.set()
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def signals(self) -> Iterator[None]:
        """Take signals from the first moment to the last.

        The library raises those it took once more when it has ended, which would end the process by SIGTERM
        although everything went well.
        """

        def end(sig: int, frame: FrameType | None) -> None:
            self._stopping.set()
            self.should_exit = True

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        taken = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {number: signal.signal(number, end) for number in taken}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class _Ending:
    """The app, with answers that are broken off at the server's end told as such and not as faults."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        begun = over = False

        async def noted(message: Message) -> None:
            nonlocal begun, over
            begun = begun or message["type"] == "http.response.start"
            over = over or (message["type"] == "http.response.body" and not message.get("more_body"))
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not begun:
                await refuse(send, 503, "the server is stopping; start it again")
            elif not over:
                await send({"type": "http.response.body", "body": b""})


def _told_otherwise(record: logging.LogRecord) -> bool:
    """Return whether a line of the library is to be shown; who waits for an answer is told that it ends."""
    return not str(record.msg).startswith("Cancel %s running task(s)")


def _leave() -> None:
    """End the process where a thread is still at work: Python would wait for it, perhaps for minutes."""
    own = threading.current_thread()
    for thread in threading.enumerate():
        if thread is not own and not thread.daemon:
            thread.join(_LAST_THREADS)
            if thread.is_alive():
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)


@contextlib.contextmanager
def only_one(data: Path) -> Iterator[None]:
    """Hold the lock of a data folder, so that two servers do not share a queue."""
    folder = data.expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file: IO[str] = open(folder / ".server.lock", "w")  # noqa: SIM115  # held by `with` below
    except OSError as error:
        raise ArtefactError(
            f"cannot use the data folder {folder}: {error.strerror}; name another with --data"
        ) from error
    with file:
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigError(
                f"another overbet serve uses {folder}; open its page, or name another folder with --data"
            ) from error
        yield


def _listen(port: int) -> socket.socket:
    # the protocol is named because asyncio switches Nagle's delay off for such sockets only
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((ADDRESS, port))
    except OSError as error:
        found.close()
        raise ConfigError(
            f"port {port} is taken ({error.strerror}); name another with --port, or 0 for any"
        ) from error
    return found


def _open(server: uvicorn.Server, address: str) -> None:
    waiting = threading.Event()
    while not server.started and not server.should_exit:
        waiting.wait(0.05)
    if server.started:
        webbrowser.open(address)
