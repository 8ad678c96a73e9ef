"""The authors' own curves for CFR, CFR+ and DCFR on Kuhn and Leduc (published with the DDCFR paper)."""

from __future__ import annotations

import csv

import pytest

from overbet.solvers.tabular import TabularSolver
from tests.shared_data import shared

GAMES = {"KuhnPoker": "kuhn", "LeducPoker": "leduc"}


@pytest.mark.parametrize("rule", ["CFR", "CFR+", "DCFR"])
@pytest.mark.parametrize("game", GAMES)
def test_every_row(game: str, rule: str) -> None:
    with open(shared("published-curves.csv"), encoding="utf-8") as handle:
        rows = [
            (int(row["iterations"]), float(row["exploitability"]))
            for row in csv.DictReader(handle)
            if row["game"] == game and row["algorithm"] == rule
        ]
    assert len(rows) == 10
    solver = TabularSolver(GAMES[game], rule.lower())
    for iterations, published in rows:
        solver.run(iterations - solver.iterations)
        ours = solver.exploitability()
        if iterations <= 100:
            assert f"{ours:.5e}" == f"{published:.5e}"
        else:
            assert ours == pytest.approx(published, rel=0.01)
