"""Errors as the page shows them: `{"error": one line that says what to do, "where": field}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pydantic
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from overbet.errors import ArtefactError, OverbetError, TooLargeError
from overbet.study.errors import NotNowError, NotThereError, StudyError

_TAGS = ("int", "str", "float", "bool", "none", "body", "query", "path")  # parts of a path that are no field


class Fault(Exception):  # noqa: N818  # the word of the trade here; the name must not suggest a bug
    """An answer other than success: status, one line, and the field it belongs to."""

    def __init__(self, status: int, message: str, where: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.where = status, message, where


class FaultBody(pydantic.BaseModel):
    """What every error looks like."""

    error: str = pydantic.Field(description="One line that says what to do.")
    where: str | None = pydantic.Field(description="Dotted name of the field it belongs to, if any.")


RESPONSES: dict[int | str, dict[str, object]] = {
    status: {"model": FaultBody, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        403: "Foreign Host or Origin.",
        404: "There is no such thing.",
        409: "Not now, or not in this state.",
        413: "Too large.",
        415: "Wrong content type.",
        422: "A field cannot be used.",
        429: "Too much waits already.",
    }.items()
}


def status_of(error: OverbetError) -> int:
    """Return the status of an error of the package."""
    kinds: tuple[tuple[type[OverbetError], int], ...] = (
        (TooLargeError, 413),
        (ArtefactError, 409),
        (NotNowError, 409),
        (NotThereError, 404),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), 422)


def fault_of(error: OverbetError, where: str | None = None, status: int | None = None) -> Fault:
    """Return an error as a fault; what study says of itself (the field, not now, not there) goes first."""
    if isinstance(error, NotNowError | NotThereError):
        status = status_of(error)
    if isinstance(error, StudyError) and error.where:
        where = error.where
    return Fault(status or status_of(error), str(error), where)


@contextmanager
def at(where: str | None, status: int | None = None) -> Iterator[None]:
    """Say which field an error of the package belongs to."""
    try:
        yield
    except OverbetError as error:
        raise fault_of(error, where, status) from error


def place_of(path: Sequence[object]) -> str | None:
    """Return a dotted field name from the path of a validation error."""
    kept = [str(part) for part in path]
    kept = [part for part in kept if part not in _TAGS and "[" not in part and "-" not in part]
    return ".".join(kept) or None


_WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "float_parsing": "write a number",
    "finite_number": "write a number",
    "greater_than": "it must be more than {gt:g}",
    "greater_than_equal": "it must be {ge:g} or more",
    "less_than": "it must be less than {lt:g}",
    "less_than_equal": "it must be {le:g} or less",
}


def words_of(error: Mapping[str, Any]) -> str:
    """Return one of pydantic's errors in words, without the name of its field."""
    words = _WORDS.get(str(error["type"]))
    if words is not None:
        return words.format(**error.get("ctx", {}))
    return str(error["msg"]).removeprefix("Value error, ")


def answer(status: int, message: str, where: str | None = None) -> JSONResponse:
    """Return an error as a response."""
    line = " ".join(message.encode("utf-8", "replace").decode("utf-8").split())
    return JSONResponse({"error": line[:2000], "where": where}, status_code=status)


def install(app: FastAPI) -> None:
    """Make every error of the app a `FaultBody`."""

    @app.exception_handler(Fault)
    async def fault(request: Request, error: Fault) -> JSONResponse:
        return answer(error.status, error.message, error.where)

    @app.exception_handler(OverbetError)
    async def known(request: Request, error: OverbetError) -> JSONResponse:
        found = fault_of(error)
        return answer(found.status, found.message, found.where)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = place_of(first["loc"])
        message = str(first["msg"]).removeprefix("Value error, ")
        if first["type"] == "json_invalid":
            return answer(400, "the body is not JSON")
        return answer(422, f"{where}: {message}" if where else message, where)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        text = {404: "there is nothing at this address", 405: "this address does not take that method"}
        found = answer(error.status_code, text.get(error.status_code, str(error.detail)))
        for name, value in (error.headers or {}).items():
            found.headers[name] = value
        return found
