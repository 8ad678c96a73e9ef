"""Errors of study: what cannot be used, what cannot be done now, what is not there."""

from __future__ import annotations

from overbet.errors import OverbetError


class StudyError(OverbetError):
    """Something that cannot be used. where: the name of the argument it is about, if any."""

    def __init__(self, message: object = "", where: str | None = None) -> None:
        super().__init__(message)
        self.where = where


class NotNowError(StudyError):
    """Something that cannot be done in this state."""


class NotThereError(StudyError):
    """Something that is not there, or no longer."""
