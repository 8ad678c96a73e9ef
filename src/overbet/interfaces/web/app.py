"""The app: routes over the Python API, the guard around them, the front-end beside them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware import Middleware

from overbet._version import __version__
from overbet.interfaces.web import faults, static
from overbet.interfaces.web.example import lay_out, warm_up
from overbet.interfaces.web.limits import Settings
from overbet.interfaces.web.models.streams import definitions
from overbet.interfaces.web.models.training import DEFINITIONS as TRAINING
from overbet.interfaces.web.routes.batches import router as batches
from overbet.interfaces.web.routes.blueprints import router as blueprints
from overbet.interfaces.web.routes.decks import router as decks
from overbet.interfaces.web.routes.drill import router as drill
from overbet.interfaces.web.routes.hand_imports import router as hand_imports
from overbet.interfaces.web.routes.hand_reports import router as hand_reports
from overbet.interfaces.web.routes.hand_reviews import router as hand_reviews
from overbet.interfaces.web.routes.hands import router as hands
from overbet.interfaces.web.routes.library import router as library
from overbet.interfaces.web.routes.meta import router as meta
from overbet.interfaces.web.routes.play import router as play
from overbet.interfaces.web.routes.runs import router as runs
from overbet.interfaces.web.routes.solves import router as solves
from overbet.interfaces.web.routes.study import router as study
from overbet.interfaces.web.routes.vision import router as vision
from overbet.interfaces.web.routes.work import router as work
from overbet.interfaces.web.security import Guard
from overbet.interfaces.web.spots import DEFINITIONS as SPOTS
from overbet.interfaces.web.spots import limit_trees
from overbet.interfaces.web.state import ServerState

_ROUTERS = (
    meta,
    solves,
    study,
    batches,
    blueprints,
    play,
    drill,
    decks,
    runs,
    library,
    work,
    hand_imports,
    hand_reports,
    hand_reviews,
    hands,
    vision,
)
_ABOUT = """Solve, study and play no-limit hold'em from a local page.

Amounts are in chips, frequencies and equities in 0..1, exploitability in % of the starting pot. Errors are
`{"error", "where"}`. Arrays come in the layout OVB1 of docs/page.md.
"""


def create_app(settings: Settings) -> FastAPI:
    """Return the app of a data folder."""
    limit_trees(settings.limits)
    state = ServerState(settings)
    if settings.example:
        lay_out(state)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state.jobs.begin()
        state.runs.begin()
        state.hand_jobs.begin()
        state.reviews.begin()
        threading.Thread(target=warm_up, args=(state,), daemon=True).start()
        try:
            yield
        finally:
            state.stopping.set()
            closing = threading.Thread(target=state.close)
            closing.start()
            while closing.is_alive():
                await asyncio.sleep(0.02)  # answers that were broken off are told meanwhile

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
    for router in _ROUTERS:
        app.include_router(router)
    static.install(app)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]  # FastAPI's own way to change it
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, with the shapes of spots, binary answers and events."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        found["components"]["schemas"] |= {**definitions(), **TRAINING, **SPOTS}
        app.openapi_schema = found
    return app.openapi_schema
