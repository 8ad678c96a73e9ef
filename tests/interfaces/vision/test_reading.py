"""Pictures with known truth: read, refused, damaged; profiles from clicks; the spot; the commands."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from overbet.errors import ConfigError, OverbetError
from overbet.interfaces.cli.app import build
from overbet.interfaces.vision.drawn.samples import Sample, clicks_of, profile_of, reference, samples
from overbet.interfaces.vision.drawn.themes import KEPT, THEMES, TRAINING, TUNING
from overbet.interfaces.vision.networks.weights import _SHIPPED, MOST_BYTES
from overbet.interfaces.vision.pictures import PictureError, picture_of
from overbet.interfaces.vision.profile import TableProfile, load_profile, profile_names, save_profile
from overbet.interfaces.vision.reading import read_table
from overbet.interfaces.vision.scoring import ReadingScore
from overbet.interfaces.vision.spot import SpotError, answers_of, spot_of

pytest.importorskip("cv2")


def told(sample: Sample, profile: TableProfile) -> dict[str, str]:
    """Return the whole truth of a sample as answers."""
    plain = {}
    for name, value in sample.truth.items():
        amount = name == "pot" or name.endswith((".stack", ".bet"))
        plain[name] = str(int(value) / 100) if amount else str(value)
    return plain


@pytest.fixture(scope="module")
def green() -> list[Sample]:
    return list(itertools.islice(samples(THEMES["green"], 31), 6))


def test_shipped_files_are_small_and_themes_of_the_tests_are_not_among_them() -> None:
    assert all((_SHIPPED / f"{name}.h5").stat().st_size <= MOST_BYTES for name in ("cards", "text"))
    assert {*TRAINING, *TUNING} <= {*profile_names(Path("/nonexistent"))}
    assert not {*KEPT} & {*profile_names(Path("/nonexistent"))}
    assert len(THEMES) >= 8


def test_tables_are_read(green: list[Sample]) -> None:
    profile = load_profile("green")
    score = ReadingScore()
    for number, sample in enumerate(green):
        score.add(str(number), read_table(sample.picture, profile), sample.truth)
    assert score.groups["cards"].share > 0.9
    assert score.groups["amounts"].share > 0.9
    assert score.groups["button"].share == 1.0


def test_a_window_within_a_larger_picture_is_found(green: list[Sample]) -> None:
    sample = next(iter(samples(THEMES["green"], 5, clean=True)))
    desktop = np.full((900, 1400, 3), 90, np.uint8)
    high, wide = sample.picture.shape[:2]
    desktop[120 : 120 + high, 300 : 300 + wide] = sample.picture
    reading = read_table(desktop, load_profile("green"))
    np.testing.assert_allclose(reading.corners[0], (300, 120), atol=4)


@pytest.mark.parametrize("name", ["noise", "plain", "page", "another"])
def test_a_picture_without_the_table_is_refused(name: str) -> None:
    page = Path(__file__).parents[3] / "docs" / "pictures" / "page" / "solve.png"
    pictures = {
        "noise": np.random.default_rng(0).integers(0, 255, (500, 700, 3), dtype=np.uint8),
        "plain": np.full((500, 700, 3), 77, np.uint8),
        "page": picture_of(page.read_bytes()),
        "another": next(iter(samples(THEMES["paper"], 3))).picture,
    }
    with pytest.raises(PictureError, match="no table of the profile green"):
        read_table(pictures[name], load_profile("green"))


def test_damaged_and_huge_files_are_one_line(green: list[Sample]) -> None:
    buffer = io.BytesIO()
    Image.fromarray(green[0].picture).save(buffer, "PNG")
    data = buffer.getvalue()
    huge = io.BytesIO()
    Image.new("1", (30_000, 30_000)).save(huge, "PNG")
    for bad in (b"", b"GIF89a", data[:2000], data[: len(data) // 2], huge.getvalue(), b"\0" * (25 << 20)):
        with pytest.raises(PictureError) as error:
            picture_of(bad)
        assert len(str(error.value).splitlines()) == 1


def test_profiles_are_strict_and_come_back(tmp_path: Path) -> None:
    profile = profile_of(THEMES["mint"])
    save_profile(profile, tmp_path)
    assert load_profile("mint", tmp_path).model_dump() == profile.model_dump()
    path = tmp_path / "profiles" / "mint.json"
    values = json.loads(path.read_text())
    for change in (
        {"name": "../x"},
        {"board": []},
        {"table": "no picture"},
        {"more": 1},
        {"pot": [0.5, 0, 0.1, 1]},
    ):
        path.write_text(json.dumps({**values, **change}))
        with pytest.raises(ConfigError):
            load_profile("mint", tmp_path)
    with pytest.raises(ConfigError, match="unknown profile"):
        load_profile("nothing", tmp_path)


def test_clicks_that_miss_the_mark_are_told() -> None:
    from overbet.interfaces.vision.calibration import Clicks, calibrated

    sample = reference(THEMES["green"])
    values = clicks_of(THEMES["green"], sample.state).model_dump()
    values["turn"]["point"] = (5, 5)
    with pytest.raises(ConfigError, match=r"turn\.point"):
        calibrated("mine", sample.picture, Clicks.parse(values))
    values["seats"][1]["stack"] = (5, 5)
    values["seats"][0]["stack"] = (5, 5)
    with pytest.raises(ConfigError, match="an earlier seat"):
        calibrated("mine", sample.picture, Clicks.parse(values))


def test_a_spot_of_a_corrected_reading() -> None:
    profile = load_profile("paper")
    for sample in itertools.islice(samples(THEMES["paper"], 8, clean=True), 30):
        state = sample.state
        reading = read_table(sample.picture, profile)
        reading = reading.with_values(answers_of(told(sample, profile), reading))
        if len(state.board) < 3 or min(state.stacks) == 0:
            with pytest.raises(SpotError):
                spot_of(reading)
            continue
        made = spot_of(reading)
        unit = 1 if reading.unit == "" else 100
        first, second = made.seats
        stacks = made.file().spot().stacks
        assert stacks[0] == (state.stacks[first] + state.bets[first]) * unit // 100
        assert made.file().spot().pot == state.pot * unit // 100
        assert second == state.button  # heads up the button acts last after the flop
        assert made.line.startswith("r:0")
        return
    pytest.fail("no flop in thirty pictures")


def test_the_commands(tmp_path: Path, green: list[Sample]) -> None:
    from typer.testing import CliRunner

    picture = tmp_path / "table.png"
    Image.fromarray(green[0].picture).save(picture)
    runner, app = CliRunner(), build()
    found = runner.invoke(app, ["read", str(picture), "--profile", "green", "--json"])
    values = json.loads(found.stdout)
    assert found.exit_code == (0 if values["complete"] else 1)
    assert all((one["value"] is None) == ("reason" in one) for one in values["fields"])
    answers = [
        word
        for name, value in told(green[0], load_profile("green")).items()
        for word in ("--set", f"{name}={value}")
    ]
    found = runner.invoke(app, ["read", str(picture), "--profile", "green", *answers])
    assert found.exit_code == 0
    assert "least sure" in found.stdout
    assert (
        runner.invoke(
            app, ["vision", "render", "paper", str(tmp_path / "p"), "--count", "2", "--clean"]
        ).exit_code
        == 0
    )
    report = runner.invoke(app, ["vision", "report", str(tmp_path / "p"), "--out", str(tmp_path / "r")])
    assert report.exit_code in (0, 1)
    assert json.loads((tmp_path / "r.json").read_text())["pictures"] == 2
    assert "Tables read" in (tmp_path / "r.html").read_text()


def test_a_report_turns_red() -> None:
    sample = next(iter(samples(THEMES["paper"], 2, clean=True)))
    reading = read_table(sample.picture, load_profile("paper"))
    wrong = {**sample.truth, "seat0.stack": 1, "seat1.stack": 2, "pot": 3, "seat0.bet": 4}
    score = ReadingScore()
    score.add("x", reading, wrong)
    assert not score.passed
    assert {miss.name for miss in score.misses} >= {"seat0.stack", "pot"}


def test_wrong_answers_are_one_line(green: list[Sample]) -> None:
    reading = read_table(green[0].picture, load_profile("green"))
    for name, value in (
        ("board0", "Zz"),
        ("pot", "much"),
        ("button", "9"),
        ("seat0", "full"),
        ("nothing", "1"),
    ):
        with pytest.raises(OverbetError):
            answers_of({name: value}, reading)
