"""The app: routes over the Python API, the guard around them, the front-end beside them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware import Middleware

from overbet._version import __version__
from overbet.interfaces.web import (
    faults,
    routes_batches,
    routes_blueprints,
    routes_drill,
    routes_meta,
    routes_play,
    routes_runs,
    routes_solves,
    routes_study,
    static,
)
from overbet.interfaces.web.example import lay_out
from overbet.interfaces.web.limits import Settings
from overbet.interfaces.web.security import Guard
from overbet.interfaces.web.spots import DEFINITIONS, limit_trees
from overbet.interfaces.web.state import State

_ROUTES = (
    routes_meta,
    routes_solves,
    routes_study,
    routes_batches,
    routes_blueprints,
    routes_play,
    routes_drill,
    routes_runs,
)
_ABOUT = """Solve, study and play no-limit hold'em from a local page.

Amounts are in chips, frequencies and equities in 0..1, exploitability in % of the starting pot. Errors are
`{"error", "where"}`. Arrays come in the layout OVB1 of docs/page.md.
"""


def create_app(settings: Settings) -> FastAPI:
    """Return the app of a data folder."""
    limit_trees(settings.limits)
    state = State(settings)
    if settings.example:
        lay_out(state)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state.jobs.begin()
        try:
            yield
        finally:
            closing = threading.Thread(target=state.close)
            closing.start()
            closing.join()

    app = FastAPI(
        title="Overbet",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        responses=faults.RESPONSES,
        middleware=[Middleware(Guard, settings=settings)],
    )
    app.state.overbet = state
    faults.install(app)
    for routes in _ROUTES:
        app.include_router(routes.router)
    static.install(app)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]  # FastAPI's own way to change it
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, with the shapes a spot is made of."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        found["components"]["schemas"].update(DEFINITIONS)
        app.openapi_schema = found
    return app.openapi_schema
