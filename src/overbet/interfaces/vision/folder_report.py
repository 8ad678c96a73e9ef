"""A folder of pictures with their truth, read and compared; the report as JSON and as one HTML page.

Beside `NAME.png` lies `NAME.json`: `{"profile": ..., "truth": {"board0": "Ah", "pot": 12.5, ...}}`,
amounts in the
unit of the picture. `write_samples` writes such a folder with a theme's pictures.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from overbet.errors import ConfigError, OverbetError, reason, short
from overbet.files import write_text
from overbet.interfaces.vision.cutting import Bytes, cut, square
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.pictures import PictureError, open_picture
from overbet.interfaces.vision.profile import TableProfile, load_profile
from overbet.interfaces.vision.reading import TableReading, read_table
from overbet.interfaces.vision.scoring import AMOUNTS_LIMIT, CARDS_LIMIT, Miss, ReadingScore
from overbet.interfaces.vision.spot import answers_of

ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
_MOST_CROPS = 300
_MOST_TRUTH = 200_000  # letters


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
        picture = open_picture(path)
        try:
            reading = read_table(picture, known[used])
        except PictureError as error:
            score.refuse(path.name, str(error), truth)
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
    write_text(page, report_page(report))
    return plain, page


_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:1000px;margin:24px auto;padding:0 16px;color:#222}"
    "table{border-collapse:collapse;margin:10px 0 22px}th,td{padding:3px 12px;border-bottom:1px solid #ddd;text-align:right}"  # noqa: E501
    "th:first-child,td:first-child{text-align:left}.bad{background:#c62828;color:#fff}.good{background:#2e7d32;color:#fff}"
    "figure{display:inline-block;margin:6px;font-size:12px;vertical-align:top;max-width:220px}figure img{display:block;"  # noqa: E501
    "max-width:220px;image-rendering:pixelated}svg{background:#fafafa}"
)


def report_page(report: FolderReport) -> str:
    """Return the report as one HTML page without scripts or anything from elsewhere."""
    score = report.score
    rows = []
    limits = {"cards": CARDS_LIMIT, "amounts": AMOUNTS_LIMIT, "cards face up": CARDS_LIMIT}
    for name, tally in [*score.groups.items(), ("cards face up", score.faces)]:
        limit = limits.get(name)
        mark = "" if limit is None else ' class="good"' if tally.share >= limit else ' class="bad"'
        wanted = "" if limit is None else f"{limit:.0%}"
        rows.append(
            f"<tr><td>{name}</td><td{mark}>{tally.share:.2%}</td><td>{wanted}</td><td>{tally.right:,}</td><td>{tally.asked:,}</td><td>{tally.wrong:,}</td></tr>"
        )
    wrong = [(pair, count) for pair, count in score.confusion.most_common() if pair[0] != pair[1]]
    confused = "".join(
        f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td><td>{count}</td></tr>"
        for (a, b), count in wrong[:60]
    )
    figures = "".join(
        f'<figure><img alt="" src="data:image/png;base64,{report.crops[(miss.picture, miss.name)]}"><figcaption>{html.escape(miss.picture)} '  # noqa: E501
        f"{html.escape(miss.name)}: is {html.escape(str(miss.truth))}, {'asked, guess' if miss.asked else 'read'} {html.escape(str(miss.guess))} "  # noqa: E501
        f"({miss.confidence:.2f})</figcaption></figure>"
        for miss in score.misses
        if (miss.picture, miss.name) in report.crops
    )
    refused = "".join(f"<li>{html.escape(name)}: {html.escape(why)}</li>" for name, why in score.refused)
    verdict = (
        '<p class="good">cards and amounts reach their limits</p>'
        if score.passed
        else '<p class="bad">below the limits</p>'
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Tables read</title><style>{_STYLE}</style>'  # noqa: E501
        f"<h1>Tables read</h1><p>{score.groups['states'].total:,} pictures, {report.seconds:.1f} s of processor time</p>{verdict}"  # noqa: E501
        "<table><tr><th>field</th><th>right</th><th>limit</th><th>right</th><th>asked</th><th>wrong</th></tr>"
        f"{''.join(rows)}</table><h2>Rolling and cumulative</h2>{_curves(score)}"
        f"<h2>Cards taken for others</h2>{_matrix(score)}<table><tr><th>is</th><th>read</th><th>times</th></tr>{confused}</table>"  # noqa: E501
        f"<h2>What was missed</h2>{figures or '<p>nothing</p>'}"
        f"{f'<h2>Refused</h2><ul>{refused}</ul>' if refused else ''}</html>\n"
    )


def _curves(score: ReadingScore) -> str:
    """Return the rolling means of the last 50 pictures as lines, and the limits."""
    wide, high = 900, 180
    count = max(len(score.rolling) - 1, 1)
    low = min(0.9, min((min(row.values()) for row in score.rolling), default=0.9))

    def y(value: float) -> float:
        return high - 10 - (value - low) / (1 - low + 1e-9) * (high - 20)

    lines = ""
    for name, colour in (("cards", "#1565c0"), ("amounts", "#ef6c00"), ("states", "#6a1b9a")):
        points = " ".join(
            f"{10 + place * (wide - 20) / count:.1f},{y(row[name]):.1f}"
            for place, row in enumerate(score.rolling)
        )
        lines += f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>'
    for limit, colour in ((CARDS_LIMIT, "#1565c0"), (AMOUNTS_LIMIT, "#ef6c00")):
        lines += f'<line x1="10" x2="{wide - 10}" y1="{y(limit):.1f}" y2="{y(limit):.1f}" stroke="{colour}" stroke-dasharray="4 4"/>'  # noqa: E501
    return f'<p>mean of the last 50 pictures: cards blue, amounts orange, whole states violet; limits dashed; from {low:.0%}</p><svg width="{wide}" height="{high}">{lines}</svg>'  # noqa: E501


def _matrix(score: ReadingScore) -> str:
    """Return the confusions of the 52 cards as a picture: a row a card, its column what was read."""
    from overbet.cards.cards import card_name

    names = [card_name(card) for card in range(52)]
    cells = ""
    for (truth, read), count in score.confusion.items():
        if truth in names and read in names:
            shade = "#2e7d32" if truth == read else "#c62828"
            cells += f'<rect x="{8 * names.index(read)}" y="{8 * names.index(truth)}" width="7" height="7" fill="{shade}"><title>{truth} read as {read}: {count}</title></rect>'  # noqa: E501
    return f'<svg width="416" height="416">{cells}</svg>'


def write_samples(
    theme_name: str,
    out: Path,
    count: int,
    *,
    seed: int,
    clean: bool = False,
    tell: Callable[[int, int], None] | None = None,
) -> None:
    """Write a theme's pictures with their truth, its reference picture and the clicks on it."""
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
    for number, sample in zip(range(count), samples(theme, seed, clean=clean)):
        name = f"{theme.name}-{seed}-{number:04d}"
        Image.fromarray(sample.picture).save(out / f"{name}.png")
        truth = {
            key: value / 100 if isinstance(value, int) and key not in ("button", "turn") else value
            for key, value in sample.truth.items()
        }
        write_text(out / f"{name}.json", json.dumps({"profile": theme.name, "truth": truth}) + "\n")
        if tell is not None:
            tell(number + 1, count)
