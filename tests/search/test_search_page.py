"""The table of `docs/search.md`, computed anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overbet.games.registry import make_game
from overbet.search.tabular.coarse import coarse_policy
from overbet.search.tabular.locked import best_below
from overbet.search.tabular.resolving import cfr_solve, resolve_all
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.tabular import TabularSolver
from overbet.tree.flat import flatten

PAGE = Path(__file__).parents[2] / "docs/search.md"
COLUMNS = (
    ("unsafe", {}),
    ("resolve", {}),
    ("maxmargin", {}),
    ("reach", {"bound": "floor"}),
    ("reach", {}),
    ("reach-estimates", {"estimates": "blueprint"}),
    ("reach-estimates", {}),
)
ITERATIONS = 2000


def blueprints() -> dict[str, TabularPolicy]:
    flat = flatten(make_game("leduc"))
    found = {"uniform": TabularPolicy.uniform(flat)}
    for rule, iterations in (("cfr", 5), ("cfr", 20), ("cfr", 100), ("cfr", 1000), ("dcfr", 1000)):
        solver = TabularSolver(flat, rule)
        solver.run(iterations)
        found[f"{rule} {iterations:,}"] = solver.policy()
    sights = {
        "jacks are queens": lambda seen: seen.replace("Q", "J"),
        "queens are kings": lambda seen: seen.replace("Q", "K"),
        "board unseen": lambda seen: re.sub(r"/..", "/", seen),
    }
    for name, see in sights.items():
        found[name] = coarse_policy("leduc", see, cfr_solve(ITERATIONS))
    return found


@pytest.mark.slow
def test_the_table_of_the_page() -> None:
    rows: dict[str, list[float]] = {}
    for name, blueprint in blueprints().items():
        solve = cfr_solve(ITERATIONS)
        row = [blueprint.exploitability()]
        for gadget, settings in COLUMNS:
            found = resolve_all(blueprint, gadget, solve=solve, **settings)  # type: ignore[arg-type]
            row.append(found.policy.exploitability())
            safe = gadget in ("resolve", "maxmargin", "reach")
            assert not safe or row[-1] <= row[0] + found.error + 1e-12
        row.append(best_below(blueprint, solve=solve).exploitability())
        rows[name] = row
        print(f"| {name} | {' | '.join(f'{number:.5f}' for number in row)} |")
    shown = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        first, *numbers = line.strip("| ").split(" | ")
        if first in rows:
            shown[first] = [float(number) for number in numbers]
    assert {*shown} == {*rows}
    for name, row in rows.items():
        assert shown[name] == pytest.approx(row, rel=0.02, abs=2e-5), name
