"""The report on a folder of pictures: what turns it red, and what JSON and page say of what was missed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from overbet.interfaces.cli.app import build
from overbet.interfaces.vision.report_page import report_page
from overbet.interfaces.vision.scoring import GROUPS, ReadingScore, field_of

pytest.importorskip("cv2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    out = tmp_path / "pictures"
    made = CliRunner().invoke(build(), ["vision", "render", "paper", str(out), "--count", "3", "--clean"])
    assert made.exit_code == 0, made.output
    return out


def report(folder: Path, code: int) -> tuple[dict[str, Any], str, str]:
    """Return the JSON, the page and what was printed."""
    out = folder.parent / "report"
    done = CliRunner().invoke(build(), ["vision", "report", str(folder), "--out", str(out)])
    assert done.exit_code == code, done.output
    values = json.loads(out.with_suffix(".json").read_text())
    return values, out.with_suffix(".html").read_text(), done.output


def changed(folder: Path, number: int, **truth: object) -> str:
    """Say something else of a picture; return its name."""
    path = sorted(folder.glob("*.json"))[number]
    values = json.loads(path.read_text())
    values["truth"] |= {name.replace("_", "."): value for name, value in truth.items()}
    path.write_text(json.dumps(values))
    return path.with_suffix(".png").name


def test_what_is_read_right_is_green(folder: Path) -> None:
    values, page, printed = report(folder, 0)
    assert values["passed"]
    assert values["pictures"] == len(values["rolling"]) == len(values["cumulative"]) == 3
    assert [*values["fields"]] == [*GROUPS]
    assert values["fields"]["stacks"] == {"right": 6, "asked": 0, "wrong": 0, "share": 1.0}
    assert values["misses"] == []
    assert 'class="bad"' not in page
    assert page.count('class="good"') == 4
    assert re.search(r"^states +100\.00%", printed, re.MULTILINE)


def test_below_the_limits_it_is_red_and_shows_the_pieces(folder: Path) -> None:
    name = changed(folder, 0, pot=777.25, seat0_card0="2c", seat0_card1="2d", seat1_stack=3)
    values, page, printed = report(folder, 1)
    assert "below the limits: 97% of cards, 95% of amounts" in printed
    assert page.count('class="bad"') == 4  # the verdict, cards, amounts, cards face up
    missed = {miss["name"]: miss for miss in values["misses"]}
    assert {*missed} == {"pot", "seat0.card0", "seat0.card1", "seat1.stack"}
    assert all(miss["picture"] == name for miss in missed.values())
    assert (missed["pot"]["truth"], missed["seat1.stack"]["truth"]) == (777.25, 3.0)  # in the picture's unit
    assert f"{name} pot: is 777.25, read " in page
    assert page.count("data:image/png;base64,") == 4
    assert re.search(r"<title>2c read as [2-9TJQKA][cdhs]: 1</title>", page)
    assert {(row["truth"], row["count"]) for row in values["confusion"]} == {("2c", 1), ("2d", 1)}
    assert values["fields"]["pot"]["wrong"] == 1
    assert values["fields"]["bets"]["wrong"] == 0
    assert values["cumulative"][0]["states"] == 0.0
    assert values["cumulative"][2]["states"] == pytest.approx(2 / 3, abs=1e-4)


def test_a_damaged_picture_is_refused_and_the_others_are_read(folder: Path) -> None:
    first = sorted(folder.glob("*.png"))[0]
    first.write_bytes(first.read_bytes()[:500])
    values, page, printed = report(folder, 1)
    assert "1 picture was refused" in printed
    assert [one["picture"] for one in values["refused"]] == [first.name]
    assert "is no picture that can be read" in page
    assert values["groups"]["states"] == {"right": 2, "asked": 0, "wrong": 1, "share": 0.66667}
    assert values["fields"]["stacks"]["asked"] == 2
    changed(folder, 0, boardX="Ah")
    done = CliRunner().invoke(build(), ["vision", "report", str(folder), "--out", str(folder.parent / "r")])
    assert "unknown field 'boardX'" in str(done.exception)


def test_every_field_has_a_group() -> None:
    names = ("board3", "seat0.card1", "pot", "seat11.stack", "seat2.bet", "button", "turn", "seat7")
    assert [field_of(name) for name in names] == [*GROUPS]


def test_the_page_of_nothing_is_a_page() -> None:
    page = report_page(ReadingScore(), {}, 0.0)
    assert "none there" in page
    assert "<p>nothing</p>" in page
