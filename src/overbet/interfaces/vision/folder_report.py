"""A folder of pictures with their truth, read and compared; the report as JSON and as one HTML page.

Beside `NAME.png` lies `NAME.json`: `{"profile": ..., "truth": {"board0": "Ah", "pot": 12.5, ...}}`, amounts
in the unit of the picture. `write_samples` writes such a folder with a theme's pictures.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from overbet.errors import ConfigError, OverbetError, quoted, reason, short
from overbet.files import write_text
from overbet.interfaces.vision.cutting import Bytes, cut, square
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.pictures import PictureError, open_picture
from overbet.interfaces.vision.profile import TableProfile, load_profile
from overbet.interfaces.vision.reading import TableReading, read_table
from overbet.interfaces.vision.report_page import report_page
from overbet.interfaces.vision.scoring import Miss, ReadingScore
from overbet.interfaces.vision.spot import answers_of

ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
_MOST_CROPS = 300
_MOST_TRUTH = 200_000  # letters
_FIELD = re.compile(r"pot|button|turn|board[0-4]|seat[0-9]{1,2}(\.(stack|bet|card[01]))?")


class FolderReport(NamedTuple):
    """What a folder came to; crops: of what was missed, PNG in base64, by picture and field."""

    score: ReadingScore
    crops: dict[tuple[str, str], str]
    seconds: float


def measure_folder(
    folder: Path,
    profile: str | None = None,
    *,
    home: Path | None = None,
    tell: Callable[[int, int, ReadingScore], None] | None = None,
) -> FolderReport:
    """Read every picture of a folder that has its truth beside it."""
    pictures = sorted(
        path
        for path in folder.glob("*")
        if path.suffix.lower() in ENDINGS and path.with_suffix(".json").is_file()
    )
    if not pictures:
        raise ConfigError(
            f"{short(folder)} has no pictures with a .json of their truth beside them; overbet vision render makes some"  # noqa: E501
        )
    import time

    begun = time.process_time()
    score, crops = ReadingScore(), dict[tuple[str, str], str]()
    known: dict[str, TableProfile] = {}
    for number, path in enumerate(pictures):
        name, truth = _truth(path.with_suffix(".json"))
        used = profile or name
        if used is None:
            raise ConfigError(f"{short(path.with_suffix('.json'))} names no profile; give --profile")
        if used not in known:
            known[used] = load_profile(used, home)
        try:
            picture = open_picture(path)
            reading = read_table(picture, known[used])
        except PictureError as error:
            score.refuse(path.name, str(error), _checked(truth, path))
        else:
            wanted = _values(truth, reading, path)
            for miss in score.add(path.name, reading, wanted):
                if len(crops) < _MOST_CROPS:
                    crops[(miss.picture, miss.name)] = _crop(picture, reading, known[used], miss)
        if tell is not None:
            tell(number + 1, len(pictures), score)
    return FolderReport(score, crops, time.process_time() - begun)


def _truth(path: Path) -> tuple[str | None, dict[str, Any]]:
    try:
        with open(path, encoding="utf-8") as file:
            values = json.loads(file.read(_MOST_TRUTH))
    except OSError as error:
        raise ConfigError(f"cannot read {short(path)}: {reason(error)}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{short(path)} is not JSON") from error
    truth = values.get("truth") if isinstance(values, dict) else None
    if not isinstance(truth, dict) or not all(isinstance(v, int | float | str) for v in truth.values()):
        raise ConfigError(f'{short(path)}: expected {{"profile": ..., "truth": {{"board0": "Ah", ...}}}}')
    name = values.get("profile")
    return name if isinstance(name, str) else None, truth


def _checked(truth: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return the truth of a picture that was not read: nothing tells its fields but their names."""
    for name in truth:
        if not _FIELD.fullmatch(name):
            raise ConfigError(f"{short(path.with_suffix('.json'))}: unknown field {quoted(name)}")
    return dict(truth)


def _values(truth: Mapping[str, Any], reading: TableReading, path: Path) -> dict[str, int | str]:
    try:
        return answers_of({name: str(value) for name, value in truth.items()}, reading)
    except OverbetError as error:
        raise ConfigError(f"{short(path.with_suffix('.json'))}: {error}") from error


def _crop(picture: Bytes, reading: TableReading, profile: TableProfile, miss: Miss) -> str:
    """Return the piece of the picture that was misread."""
    boxes = profile.boxes()
    corners = np.array(reading.corners, np.float32)
    shares = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(shares, corners)
    key = miss.name if miss.name in boxes else f"{miss.name}.stack" if f"{miss.name}.stack" in boxes else ""
    box = boxes.get(key, (0.0, 0.0, 1.0, 1.0))
    wide = (box[2] - box[0]) * profile.size[0] / max((box[3] - box[1]) * profile.size[1], 1e-6)
    rows = 64 if key else 160
    piece = cut(picture, matrix, square(box, 0.08), (rows, int(np.clip(rows * wide, 16, 480))))
    _, data = cv2.imencode(".png", cv2.cvtColor(piece, cv2.COLOR_RGB2BGR))
    return base64.b64encode(data.tobytes()).decode()


def write_report(report: FolderReport, out: Path) -> tuple[Path, Path]:
    """Write `OUT.json` and `OUT.html`; return both paths."""
    plain, page = out.with_suffix(".json"), out.with_suffix(".html")
    write_text(
        plain, json.dumps(report.score.as_json() | {"processor_s": round(report.seconds, 2)}, indent=1) + "\n"
    )
    write_text(page, report_page(report.score, report.crops, report.seconds))
    return plain, page


def write_samples(
    theme_name: str,
    out: Path,
    count: int,
    *,
    seed: int,
    clean: bool = False,
    hands: Path | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write a theme's pictures with their truth, its reference picture and the clicks on it.

    hands: histories of real hands to draw, in the place of hands that our agents play. Return how many
    pictures were written: fewer than `count` where the histories end before.
    """
    import yaml
    from PIL import Image

    from overbet.interfaces.vision.drawn.samples import clicks_of, reference, samples
    from overbet.interfaces.vision.drawn.themes import theme_named

    theme = theme_named(theme_name)
    out.mkdir(parents=True, exist_ok=True)
    known = reference(theme)
    calibration = out / "calibration"
    calibration.mkdir(exist_ok=True)
    Image.fromarray(known.picture).save(calibration / f"{theme.name}.png")
    clicks = clicks_of(theme, known.state).model_dump(mode="json")
    write_text(
        calibration / f"{theme.name}.yaml", yaml.safe_dump(clicks, sort_keys=False, default_flow_style=None)
    )
    written = 0
    for number, sample in zip(range(count), samples(theme, seed, clean=clean, hands=hands)):
        name = f"{theme.name}-{seed}-{number:04d}"
        Image.fromarray(sample.picture).save(out / f"{name}.png")
        truth = {
            key: value / 100 if isinstance(value, int) and key not in ("button", "turn") else value
            for key, value in sample.truth.items()
        }
        write_text(out / f"{name}.json", json.dumps({"profile": theme.name, "truth": truth}) + "\n")
        written = number + 1
        if tell is not None:
            tell(written, count)
    return written
