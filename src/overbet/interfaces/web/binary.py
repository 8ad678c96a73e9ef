"""Views as answers: a JSON header and float32 numbers in one (`overbet.study.packing` has the layout)."""

from __future__ import annotations

from fastapi import Response

MEDIA = "application/octet-stream"


class Packed(Response):
    """An answer in the layout OVB1."""

    media_type = MEDIA
