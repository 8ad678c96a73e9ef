"""`overbet bridge http serve`: the tables behind POST /api/new_hand and POST /api/act.

What is wrong with a hand or a token is told as Slumbot tells it, with `error_msg` in an answer of status 200;
a request that is none has a status of its own. The guard is the page's (`interfaces/web/security.py`): the
Host header has to name this machine, other sites are refused, bodies are counted and must say that they are
JSON.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from overbet.errors import IllegalActionError, OverbetError, short
from overbet.interfaces.protocols.bridge.tables import Answer, BridgeTables, RefusedError
from overbet.interfaces.protocols.listening import HOME, listen
from overbet.interfaces.web.limits import Limits, Settings
from overbet.interfaces.web.security import Guard

DEFAULT_PORT = 8770
_BODY = 4096  # bytes: a token and an action
_AT_ONCE = 64  # connections
_NO_OBJECT = 'the body is no JSON object, such as {"token": "...", "incr": "b300"}'
_GRACE = 3  # seconds that answers under way have when the server ends


class NewHandBody(BaseModel):
    """What `new_hand` is sent; other fields are passed over."""

    model_config = ConfigDict(extra="ignore")
    token: str | None = Field(default=None, max_length=200)


class ActBody(BaseModel):
    """What `act` is sent."""

    model_config = ConfigDict(extra="ignore")
    token: str = Field(max_length=200)
    incr: str = Field(max_length=40)


def bridge_app(tables: BridgeTables, port: int, *, any_host: bool = False) -> FastAPI:
    """Return the app. any_host: answer to every Host header, as a server on a network has to."""
    app = FastAPI(title="Overbet bridge", docs_url=None, redoc_url=None, openapi_url=None)

    @app.post("/api/new_hand")
    def new_hand(body: NewHandBody) -> Answer:
        return _told(lambda: tables.new_hand(body.token))

    @app.post("/api/act")
    def act(body: ActBody) -> Answer:
        return _told(lambda: tables.act(body.token, body.incr))

    @app.post("/api/login")
    def login() -> Answer:
        return {"error_msg": "there are no accounts here; play with a token of new_hand"}

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        if not where or first["type"] == "json_invalid":  # its place is a number of letters
            return _refusal(400, _NO_OBJECT)
        return _refusal(400, f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # a body that is no text
            return _refusal(400, _NO_OBJECT)
        hint = "; there are POST /api/new_hand and POST /api/act" if error.status_code in (404, 405) else ""
        return _refusal(error.status_code, f"{error.detail}{hint}")

    @app.exception_handler(OverbetError)
    async def broken(request: Request, error: OverbetError) -> JSONResponse:
        return _refusal(500, str(error))

    guarded = Settings(Path(), port, Limits(body_bytes=_BODY), any_host=any_host)
    app.add_middleware(Guard, settings=guarded, error_key="error_msg")
    return app


def serve_bridge(
    tables: BridgeTables,
    address: str = HOME,
    port: int = DEFAULT_PORT,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until Ctrl-C. port: 0 takes a free one; ready: called with the address once it is listened to."""
    listening = listen(address, port)
    taken = int(listening.getsockname()[1])
    with listening:
        config = uvicorn.Config(
            bridge_app(tables, taken, any_host=address != HOME),
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=_AT_ONCE,
            timeout_graceful_shutdown=_GRACE,
        )
        if ready is not None:
            ready(f"http://{address}:{taken}")
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _told(call: Callable[[], Answer]) -> Answer:
    try:
        return call()
    except (RefusedError, IllegalActionError) as error:
        return {"error_msg": str(error)}


def _refusal(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error_msg": short(message, 400)}, status)
