"""The report on a folder of pictures as one HTML page, without scripts or anything from elsewhere."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from overbet.cards.cards import RANKS, SUITS
from overbet.interfaces.vision.scoring import (
    AMOUNTS_LIMIT,
    CARDS_LIMIT,
    ROLLING,
    STATES,
    Miss,
    ReadingScore,
    Tally,
)

_STYLE = """\
body{font:15px/1.45 system-ui,sans-serif;max-width:1000px;margin:24px auto;padding:0 16px;color:#222}
table{border-collapse:collapse;margin:10px 0 22px}
th,td{padding:3px 12px;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}
.bad{background:#c62828;color:#fff}.good{background:#2e7d32;color:#fff}p.bad,p.good{padding:4px 12px}
figure{display:inline-block;margin:6px;font-size:12px;vertical-align:top;max-width:220px}
figure img{display:block;max-width:220px;image-rendering:pixelated}
svg{background:#fafafa}svg text{font:11px system-ui,sans-serif;fill:#555}"""
_COLOURS = (("cards", "#1565c0"), ("amounts", "#ef6c00"), (STATES, "#6a1b9a"))
_LIMITS = {"cards": CARDS_LIMIT, "amounts": AMOUNTS_LIMIT, "cards face up": CARDS_LIMIT}
_WIDE, _HIGH = 900, 180
_CELL, _EDGE = 8, 26  # pixels of a card in the table of confusions, and of what is written beside it


def report_page(score: ReadingScore, crops: Mapping[tuple[str, str], str], seconds: float) -> str:
    """Return the page. crops: PNG in base64 by picture and field; seconds: processor time of all pictures."""
    groups = [*score.groups.items(), ("cards face up", score.faces)]
    verdict = (
        '<p class="good">cards and amounts reach their limits</p>'
        if score.passed
        else f'<p class="bad">below the limits: {CARDS_LIMIT:.0%} of cards, '
        f"{AMOUNTS_LIMIT:.0%} of amounts</p>"
    )
    return "\n".join(
        (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Tables read</title>'
            f"<style>{_STYLE}</style>",
            "<h1>Tables read</h1>",
            f"<p>{score.groups[STATES].total:,} pictures, {seconds:.1f} s of processor time</p>",
            verdict,
            _tallies("what", groups, _LIMITS),
            "<h2>By field</h2>",
            _tallies("field", [*score.fields.items()], {}),
            "<h2>Rolling and cumulative</h2>",
            _curves(score),
            "<h2>Cards taken for others</h2>",
            _matrix(score),
            _confused(score),
            "<h2>What was missed</h2>",
            _missed(score.misses, crops),
            _refused(score.refused),
            "</html>\n",
        )
    )


def _tallies(title: str, rows: Sequence[tuple[str, Tally]], limits: Mapping[str, float]) -> str:
    """Return a table of shares; one that has a limit is green or red."""
    found = [f"<table><tr><th>{title}</th><th>right</th>", "<th>limit</th>" if limits else ""]
    found.append("<th>right</th><th>asked</th><th>wrong</th></tr>")
    for name, tally in rows:
        limit = limits.get(name)
        mark = "" if limit is None else ' class="good"' if tally.share >= limit else ' class="bad"'
        wanted = "" if not limits else "<td></td>" if limit is None else f"<td>{limit:.0%}</td>"
        counts = "".join(f"<td>{count:,}</td>" for count in (tally.right, tally.asked, tally.wrong))
        share = f"{tally.share:.2%}" if tally.total else "none there"
        found.append(f"<tr><td>{name}</td><td{mark}>{share}</td>{wanted}{counts}</tr>")
    return "".join([*found, "</table>"])


def _curves(score: ReadingScore) -> str:
    """Return the means of the last 50 pictures as thick lines, those of all so far as thin ones."""
    count = max(len(score.rolling) - 1, 1)
    both = [*score.rolling, *score.cumulative]
    low = min(0.9, min((row[name] for row in both for name, _ in _COLOURS), default=0.9))

    def y(value: float) -> float:
        return _HIGH - 10 - (value - low) / (1 - low + 1e-9) * (_HIGH - 20)

    lines = ""
    for width, rows in ((2.5, score.rolling), (1, score.cumulative)):
        for name, colour in _COLOURS:
            points = " ".join(
                f"{10 + place * (_WIDE - 20) / count:.1f},{y(row[name]):.1f}"
                for place, row in enumerate(rows)
            )
            lines += f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{points}"/>'
    for name, colour in _COLOURS[:2]:
        at = f"{y(_LIMITS[name]):.1f}"
        lines += (
            f'<line x1="10" x2="{_WIDE - 10}" y1="{at}" y2="{at}" stroke="{colour}" stroke-dasharray="4 4"/>'
        )
    return (
        f"<p>Cards blue, amounts orange, whole states violet; thick: the last {ROLLING} pictures, thin: all "
        f"so far, dashed: the limits. From {low:.0%} at the bottom to 100% at the top.</p>"
        f'<svg width="{_WIDE}" height="{_HIGH}">{lines}</svg>'
    )


def _matrix(score: ReadingScore) -> str:
    """Return the confusions of the 52 cards as a picture: a row what a card is, a column what was read."""
    names = [rank + suit for rank in RANKS for suit in SUITS]
    size = _EDGE + _CELL * len(names)
    cells = f'<text x="2" y="12">is</text><text x="{_EDGE}" y="9">read</text>'
    for place, rank in enumerate(RANKS):
        at = _EDGE + _CELL * len(SUITS) * place
        cells += f'<text x="{at + 12}" y="{_EDGE - 6}">{rank}</text><text x="8" y="{at + 20}">{rank}</text>'
        cells += f'<path d="M{at} {_EDGE}V{size}M{_EDGE} {at}H{size}" stroke="#ddd"/>'
    for (truth, read), count in score.confusion.items():
        if truth in names and read in names:
            shade = "#2e7d32" if truth == read else "#c62828"
            x, y = (_EDGE + _CELL * names.index(name) for name in (read, truth))
            cells += (
                f'<rect x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}" fill="{shade}">'
                f"<title>{truth} read as {read}: {count}</title></rect>"
            )
    return (
        f"<p>Within a rank: {', '.join(SUITS)}. Green: read as it is; red: taken for another.</p>"
        f'<svg width="{size}" height="{size}">{cells}</svg>'
    )


def _confused(score: ReadingScore) -> str:
    wrong = [(pair, count) for pair, count in score.confusion.most_common() if pair[0] != pair[1]]
    if not wrong:
        return "<p>none</p>"
    rows = "".join(
        f"<tr><td>{html.escape(truth)}</td><td>{html.escape(read)}</td><td>{count}</td></tr>"
        for (truth, read), count in wrong[:60]
    )
    left = f"<p>and {len(wrong) - 60:,} pairs more, in the JSON</p>" if len(wrong) > 60 else ""
    return f"<table><tr><th>is</th><th>read</th><th>times</th></tr>{rows}</table>{left}"


def _missed(misses: Sequence[Miss], crops: Mapping[tuple[str, str], str]) -> str:
    """Return the pieces of the pictures that were misread, with what they are and what was read."""
    if not misses:
        return "<p>nothing</p>"
    figures = [
        f'<figure><img alt="" src="data:image/png;base64,{crops[(miss.picture, miss.name)]}"><figcaption>'
        f"{html.escape(miss.picture)} {html.escape(miss.name)}: is {_text(miss.truth)}, "
        f"{'asked, guess' if miss.asked else 'read'} {_text(miss.guess)} ({miss.confidence:.2f})"
        "</figcaption></figure>"
        for miss in misses
        if (miss.picture, miss.name) in crops
    ]
    left = len(misses) - len(figures)
    return "".join(figures) + (f"<p>and {left:,} more without their pieces, in the JSON</p>" if left else "")


def _text(value: float | int | str | None) -> str:
    return html.escape(f"{value:,.2f}".removesuffix(".00") if isinstance(value, float) else str(value))


def _refused(refused: Sequence[tuple[str, str]]) -> str:
    if not refused:
        return ""
    rows = "".join(f"<li>{html.escape(name)}: {html.escape(why)}</li>" for name, why in refused)
    return f"<h2>Refused</h2><ul>{rows}</ul>"
