"""A page of boxes, lines and words as PNG, SVG and PDF."""

from __future__ import annotations

import io
import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from overbet.cards.curves import LogAxis
from overbet.cards.drawing import Drawing, text_width
from overbet.cards.drawing_files import pdf_bytes, png_bytes, svg_bytes

SVG = "{http://www.w3.org/2000/svg}"


def page() -> Drawing:
    drawn = Drawing(144.0, 72.0)
    drawn.box(0.0, 0.0, 36.0, 36.0, "#5cb85c")
    drawn.line([(72.0, 0.0), (72.0, 72.0)], "#8f1414", 4.0)
    drawn.line([(80.0, 10.0), (140.0, 10.0)], "#0000ff", 4.0, dashed=True)
    drawn.text(100.0, 40.0, "a < b & (ж)\nnext", 9.0)
    drawn.text(20.0, 60.0, "turned", 9.0, anchor="end", halo=True, turn=30.0)
    return drawn


def test_a_png_has_the_colours_where_they_were_put() -> None:
    picture = Image.open(io.BytesIO(png_bytes(page())))
    assert picture.size == (260, 130)
    at = lambda x, y: picture.getpixel((round(x * 130 / 72), round(y * 130 / 72)))  # noqa: E731
    assert at(18, 18) == (0x5C, 0xB8, 0x5C)
    assert at(72, 60) == (0x8F, 0x14, 0x14)
    assert at(50, 60) == (255, 255, 255)
    row = np.asarray(picture)[round(10 * 130 / 72), 145:252]
    assert 0.4 < (row[:, 0] < 128).mean() < 0.75  # dashes of 4 and gaps of 3
    assert (np.asarray(picture)[60:90, 150:220].min(2) < 100).any()  # the words


def test_words_turned_go_up_to_the_right_before_their_end() -> None:
    drawn = Drawing(72.0, 72.0)
    drawn.text(60.0, 20.0, "mmmmmm", 9.0, anchor="end", turn=45.0)
    rows, columns = np.nonzero(np.asarray(Image.open(io.BytesIO(png_bytes(drawn))).convert("L")) < 128)
    assert np.corrcoef(rows, columns)[0, 1] < -0.9
    assert abs(columns.max() - 60 * 130 / 72) < 8
    assert abs(rows.min() - 20 * 130 / 72) < 8


def test_an_svg_is_well_formed_and_has_every_word() -> None:
    root = ElementTree.fromstring(svg_bytes(page()))
    assert [text.text for text in root.iter(f"{SVG}text")] == ["a < b & (ж)", "next", "turned"]
    assert len(list(root.iter(f"{SVG}rect"))) == 2  # the paper and the box
    assert [line.get("stroke") for line in root.iter(f"{SVG}polyline")] == ["#8f1414", "#0000ff"]


def test_a_control_character_makes_no_broken_svg() -> None:
    drawn = Drawing(72.0, 72.0)
    drawn.text(1.0, 1.0, "a\x00b\x1b")
    assert ElementTree.fromstring(svg_bytes(drawn))[-1].text == "a?b?"


def test_the_table_of_a_pdf_leads_to_its_objects() -> None:
    body = pdf_bytes(page())
    start = int(body.rsplit(b"startxref\n", 1)[1].split()[0])
    assert body[start:].startswith(b"xref\n0 6\n")
    places = [int(line[:10]) for line in body[start:].split(b"\n")[3:8]]
    for number, place in enumerate(places, 1):
        assert body[place:].startswith(b"%d 0 obj\n" % number)
    length = int(re.search(rb"/Length (\d+)", body)[1])  # type: ignore[index]
    begin = body.index(b"stream\n") + len(b"stream\n")
    operators = zlib.decompress(body[begin : begin + length]).decode("latin-1")
    assert "0.00 0.00 36.00 36.00 re f" in operators
    assert r"(a < b & \(?\)) Tj" in operators  # brackets are escaped, and Helvetica has no such letter
    assert "72.00 0.00 m 72.00 72.00 l S" in operators


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_an_empty_page_is_written(tmp_path: Path, ending: str) -> None:
    Drawing(10.0, 10.0).save(tmp_path / f"empty.{ending}")
    assert (tmp_path / f"empty.{ending}").stat().st_size > 50


def test_the_width_of_words() -> None:
    assert text_width("", 9.0) == 0
    assert text_width("mmmm", 9.0) == pytest.approx(2 * text_width("mm", 9.0), rel=0.01)
    assert text_width("mm", 18.0) == pytest.approx(2 * text_width("mm", 9.0))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.2, 1.9], [1.0, 2.0]),
        ([3.0], [2.0, 5.0]),
        ([0.02, 300.0], [0.1, 1.0, 10.0, 100.0]),
        ([], [1.0, 10.0]),
    ],
)
def test_an_axis_has_numbers_at_both_ends(values: list[float], words: list[float]) -> None:
    axis = LogAxis.over(np.array(values), 0.0, 100.0)
    found = [value for place, value, digit, _ in axis.ticks() if axis.has_words(digit) and 0 <= place <= 100]
    assert set(words) <= set(np.round(found, 9))
    assert all(0 < axis.place(value) < 100 for value in values)
