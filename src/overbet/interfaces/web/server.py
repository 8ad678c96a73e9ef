"""Running the server: one for a data folder, on 127.0.0.1, with the page opened once it answers."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

import uvicorn

from overbet.errors import ArtefactError, ConfigError
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.limits import Settings

ADDRESS = "127.0.0.1"
DEFAULT_PORT = 8765
DEV_ORIGIN = "OVERBET_DEV_ORIGIN"  # a further origin, for the front-end's development server


def serve(settings: Settings, *, open_page: bool = True, ready: Callable[[str], None] | None = None) -> None:
    """Serve until Ctrl-C. settings.port: 0 for any free one. ready: called with the address."""
    listening = _listen(settings.port)
    port = int(listening.getsockname()[1])
    origins = tuple(origin for origin in [os.environ.get(DEV_ORIGIN, "")] if origin)
    address = f"http://{ADDRESS}:{port}/"
    with only_one(settings.data):
        app = create_app(replace(settings, port=port, origins=(*settings.origins, *origins)))
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=3, server_header=False
        )
        server = uvicorn.Server(config)
        if ready is not None:
            ready(address)
        if open_page:
            threading.Thread(target=_open, args=(server, address), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


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
