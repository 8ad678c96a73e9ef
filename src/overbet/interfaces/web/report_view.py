"""A report over many boards at a line, as the page sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from overbet.interfaces.web.models import reports as models
from overbet.interfaces.web.models.solving import Means
from overbet.solvers.vector.batches.batch import Batch
from overbet.solvers.vector.batches.line_report import LineReport
from overbet.solvers.vector.batches.street import StreetNode, place_in
from overbet.study.packing import finite

_MEANS = ("ev_chips", "equity", "realisation")
_ROW = ("board", "weight", "probability", "suits", "pairing", "high_card", "connectedness", "played")


def report_shown(batch: Batch, report: LineReport, by: str | None, at_once: set[str]) -> models.BatchReport:
    """Return a report; by: the texture of its groups; at_once: boards that can be studied as they are."""
    node = report.node
    means = report.averages() if report.rows else None
    return models.BatchReport(
        line=node.line,
        cost=batch.cost,
        acts=_acts(node),
        pot_chips=node.pot,
        steps=_steps(batch, node),
        actions=_actions(batch, node, [means[name] for name in node.columns] if means else None),
        solved=len(batch.rows),
        rows=[] if by else [_row(row, at_once) for row in report.rows],
        averages=_means_shown(node, means) if means else None,
        groups=[
            models.BatchGroup(key=word, **_means_shown(node, part.averages()).model_dump())
            for word, part in (report.groups(by) if by else {}).items()
        ],
        seconds_left=finite(batch.seconds_left()) if batch.rows and not batch.complete else None,
        kept_bytes=sum(int(row["bytes"]) for row in batch.rows if row["saved"] != "nothing"),
    )


def _acts(node: StreetNode) -> Literal["oop", "ip"] | None:
    return cast(Literal["oop", "ip"], node.acts) if node.acts else None


def _steps(batch: Batch, node: StreetNode) -> list[models.ReportStep]:
    """Return the decisions on the way to a node, from the root."""
    found: list[models.ReportStep] = []
    line = node.line
    while line.count(":") > 1:
        line, _, chosen = line.rpartition(":")
        above = batch.street[place_in(batch.street, line)]
        found.append(
            models.ReportStep(
                line=line,
                acts=_acts(above),
                pot_chips=above.pot,
                actions=_actions(batch, above, None),
                chosen=chosen,
            )
        )
    return found[::-1]


def _actions(batch: Batch, node: StreetNode, means: Sequence[float] | None) -> list[models.ReportAction]:
    known = set(batch.lines)
    found = []
    for number, action in enumerate(node.actions):
        line = f"{node.line}:{action.token}"
        share = finite(means[number]) if means is not None else None
        leads = line if line in known else None
        found.append(models.ReportAction(**action._asdict(), line=leads, frequency=share))
    return found


def _row(row: Mapping[str, Any], at_once: set[str]) -> models.BatchRow:
    return models.BatchRow(
        **{name: row[name] for name in _ROW},
        oop=_means(row, "oop"),
        ip=_means(row, "ip"),
        frequencies=row["frequencies"],
        openable=row["saved"] != "nothing" or row["board"] in at_once,
        exploitability=finite(row["exploitability"]),
        iterations=row["iterations"],
        seconds=row["spent"],
    )


def _means_shown(node: StreetNode, means: Mapping[str, float]) -> models.BatchMeans:
    return models.BatchMeans(
        boards=int(means["boards"]),
        probability=means["probability"],
        played=finite(means["played"]),
        oop=_means(means, "oop"),
        ip=_means(means, "ip"),
        frequencies=[finite(means[name]) for name in node.columns],
    )


def _means(row: Mapping[str, Any], player: str) -> Means:
    return Means(**{name: finite(row[f"{player}_{name}"]) for name in _MEANS})
