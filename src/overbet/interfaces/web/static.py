"""The built front-end: files of the package's `static/` folder, and the page itself at every deep link."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response

from overbet.interfaces.web.faults import Fault

FOLDER = Path(__file__).resolve().parent / "static"
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}
_PACKED = (".js", ".mjs", ".css", ".svg", ".html", ".json", ".webmanifest")  # text: worth compressing


def install(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the front-end at every address outside /api."""
    root = folder.resolve()

    @app.get("/{path:path}", include_in_schema=False)
    def page(request: Request, path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise Fault(404, "there is nothing at this address")
        found = _inside(root, path)
        if found is not None:
            return _file(request, found, immutable=path.startswith("assets/"))
        if "." in path.rsplit("/", 1)[-1]:
            raise Fault(404, "there is no such file")
        index = root / "index.html"
        if not index.is_file():
            raise Fault(404, "the page is not built: run npm ci && npm run build in frontend/")
        return _file(request, index, immutable=False)


def _inside(root: Path, path: str) -> Path | None:
    """Return the file of a path inside the folder, None where there is none."""
    if not path or "\0" in path or "\\" in path:
        return None
    try:
        found = (root / path).resolve()
        return found if found.is_relative_to(root) and found.is_file() else None
    except (OSError, ValueError):
        return None


def _file(request: Request, path: Path, *, immutable: bool) -> Response:
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if immutable else "no-cache"}
    media = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers["Vary"] = "Accept-Encoding"
    if path.suffix in _PACKED and "gzip" in request.headers.get("accept-encoding", ""):
        body = _compressed(path, path.stat().st_mtime_ns)
        return Response(body, media_type=media, headers={**headers, "Content-Encoding": "gzip"})
    return FileResponse(path, media_type=media, headers=headers)


@lru_cache(256)
def _compressed(path: Path, changed: int) -> bytes:
    """Return a file compressed; `changed` makes a rebuilt one count as another."""
    return gzip.compress(path.read_bytes(), 9, mtime=0)
