"""A page of boxes, lines and words as the bytes of a PNG, SVG or PDF file."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from html import escape
from math import cos, radians, sin
from typing import TYPE_CHECKING

from overbet.cards.drawing import Box, Drawing, Stroke, Words, font

if TYPE_CHECKING:
    from PIL.Image import Image

_DOTS = 130 / 72  # of a PNG, a point
_FINER = 3  # shapes are drawn so much larger and made smaller: smooth edges
_DROP = 0.36  # from the middle of a line of words to its foot, in sizes of the font
_DASH, _GAP = 4.0, 3.0


def png_bytes(page: Drawing) -> bytes:
    """Return a PNG file."""
    from PIL import Image, ImageDraw

    scale = _DOTS * _FINER
    size = (round(page.width * _DOTS), round(page.height * _DOTS))
    large = Image.new("RGB", (size[0] * _FINER, size[1] * _FINER), "white")
    draw = ImageDraw.Draw(large)
    for shape in page.shapes:
        if isinstance(shape, Box):
            ends = (shape.left + shape.width, shape.top + shape.height)
            left, top, right, bottom = (round(scale * v) for v in (shape.left, shape.top, *ends))
            if right > left and bottom > top:
                draw.rectangle((left, top, right - 1, bottom - 1), fill=shape.fill)
            continue
        width = max(1, round(scale * shape.thickness))
        for piece in _dashes(shape) if shape.dashed else [shape.points]:
            draw.line([(scale * x, scale * y) for x, y in piece], shape.colour, width, joint="curve")
    picture = large.reduce(_FINER)
    for words in page.words:
        _write(picture, words)
    stream = io.BytesIO()
    picture.save(stream, "PNG", dpi=(130, 130))
    return stream.getvalue()


def _write(picture: Image, words: Words) -> None:
    """Write a line of words onto a picture."""
    from PIL import Image, ImageDraw

    letters = font(words.size * _DOTS)
    halo = round(0.9 * _DOTS) if words.halo else 0
    place = (words.x * _DOTS, words.y * _DOTS + _DROP * words.size * _DOTS)
    at = {"start": "ls", "middle": "ms", "end": "rs"}[words.anchor]
    if not words.turn:
        ImageDraw.Draw(picture).text(
            place, words.text, words.colour, letters, at, stroke_width=halo, stroke_fill="white"
        )
        return
    reach = round(letters.getlength(words.text) + 2 * words.size * _DOTS) + 1
    ink = Image.new("L", (2 * reach, 2 * reach), 0)  # the words around the middle of it, which is (x, y)
    ImageDraw.Draw(ink).text((reach, reach + _DROP * words.size * _DOTS), words.text, 255, letters, at)
    corner = (round(words.x * _DOTS) - reach, round(words.y * _DOTS) - reach)
    picture.paste(words.colour, corner, ink.rotate(words.turn, Image.Resampling.BICUBIC))


def _dashes(stroke: Stroke) -> list[list[tuple[float, float]]]:
    """Return the pieces of a dashed line."""
    pieces: list[list[tuple[float, float]]] = []
    gone = 0.0  # along the line
    for (x, y), (to_x, to_y) in zip(stroke.points, stroke.points[1:]):
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        at = 0.0
        while at < length:
            phase = (gone + at) % (_DASH + _GAP)
            end = min(length, at + (_DASH if phase < _DASH else _DASH + _GAP) - phase)
            if end <= at:  # what is left of a dash is less than a float can say
                end = min(length, at + _GAP)
            elif phase < _DASH:
                ends = (at / length, end / length)
                pieces.append([(x + part * (to_x - x), y + part * (to_y - y)) for part in ends])
            at = end
        gone += length
    return pieces


def svg_bytes(page: Drawing) -> bytes:
    """Return an SVG file."""
    size = f'width="{page.width:g}pt" height="{page.height:g}pt" viewBox="0 0 {page.width:g} {page.height:g}"'
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans, Verdana, sans-serif">',
        f'<rect width="{page.width:g}" height="{page.height:g}" fill="#ffffff"/>',
    ]
    for shape in page.shapes:
        if isinstance(shape, Box):
            place = f'x="{shape.left:.2f}" y="{shape.top:.2f}"'
            extent = f'width="{shape.width:.2f}" height="{shape.height:.2f}"'
            lines.append(f'<rect {place} {extent} fill="{shape.fill}"/>')
        else:
            points = " ".join(f"{x:.2f},{y:.2f}" for x, y in shape.points)
            dashed = f' stroke-dasharray="{_DASH:g} {_GAP:g}"' if shape.dashed else ""
            lines.append(
                f'<polyline points="{points}" fill="none" stroke="{shape.colour}" '
                f'stroke-width="{shape.thickness:g}"{dashed}/>'
            )
    for words in page.words:
        turn = f' transform="rotate({-words.turn:g} {words.x:.2f} {words.y:.2f})"' if words.turn else ""
        halo = ' stroke="#ffffff" stroke-width="1.8" paint-order="stroke"' if words.halo else ""
        lines.append(
            f'<text x="{words.x:.2f}" y="{words.y + _DROP * words.size:.2f}" font-size="{words.size:g}" '
            f'text-anchor="{escape(words.anchor)}" '
            f'fill="{words.colour}"{halo}{turn}>{escape(_printable(words.text), quote=False)}</text>'
        )
    return ("\n".join([*lines, "</svg>"]) + "\n").encode()


def _printable(text: str) -> str:
    """Return words without the characters that XML does not have."""
    return "".join(one if one.isprintable() else "?" for one in text)


def pdf_bytes(page: Drawing) -> bytes:
    """Return a PDF file; its words are in Helvetica, which every reader has, with the letters of Latin-1."""
    parts = [f"1 0 0 -1 0 {page.height:.2f} cm 1 j"]  # y down
    for shape in page.shapes:
        if isinstance(shape, Box):
            box = f"{shape.left:.2f} {shape.top:.2f} {shape.width:.2f} {shape.height:.2f}"
            parts.append(f"{_colour(shape.fill)} rg {box} re f")
        else:
            path = " l ".join(f"{x:.2f} {y:.2f}" for x, y in shape.points).replace(" l ", " m ", 1)
            dash = f"[{_DASH:g} {_GAP:g}] 0 d" if shape.dashed else "[] 0 d"
            parts.append(f"{_colour(shape.colour)} RG {shape.thickness:g} w {dash} {path} l S")
    parts.append("[] 0 d")
    for words in page.words:
        parts += _pdf_words(words)
    stream = zlib.compress("\n".join(parts).encode("latin-1"))
    return _pdf_file(page, stream)


def _pdf_words(words: Words) -> list[str]:
    """Return the operators that write a line of words; a halo is the same words in white and wide before."""
    text = words.text.encode("latin-1", "replace").decode("latin-1")
    text = "".join("\\" + one if one in "()\\" else one for one in text)
    width = _helvetica_width(words.text, words.size)
    back = {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
    c, s = cos(radians(words.turn)), sin(radians(words.turn))
    down = _DROP * words.size
    x, y = words.x - c * back + s * down, words.y + s * back + c * down
    place = f"{c:.4f} {-s:.4f} {-s:.4f} {-c:.4f} {x:.2f} {y:.2f} Tm"
    begin = f"BT /F {words.size:g} Tf {place}"
    halo = [f"1 1 1 RG 1.8 w {begin} 1 Tr ({text}) Tj ET"] if words.halo else []
    return [*halo, f"{_colour(words.colour)} rg {begin} 0 Tr ({text}) Tj ET"]


def _helvetica_width(text: str, size: float) -> float:
    """Return about how wide a line is: our font is a tenth wider than Helvetica."""
    return font(100.0).getlength(text) * size / 110.0


def _colour(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))


def _pdf_file(page: Drawing, stream: bytes) -> bytes:
    """Return the file around a page's compressed operators."""
    box = f"[0 0 {page.width:.2f} {page.height:.2f}]"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
        f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode() + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    body, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    start = len(body)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    return (
        body
        + (
            f"xref\n0 {count}\n0000000000 65535 f \n{table}"
            f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
        ).encode()
    )


WRITERS: dict[str, Callable[[Drawing], bytes]] = {".png": png_bytes, ".svg": svg_bytes, ".pdf": pdf_bytes}
