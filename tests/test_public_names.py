"""The public names: quick to import, the same for Python and for type checkers, one meaning each."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import overbet

PACKAGE = Path(overbet.__file__).parent
FOLDERS = tuple(path.parent.name for path in PACKAGE.glob("*/__init__.py") if "lazy(" in path.read_text())
PACKAGES = ("overbet", *(f"overbet.{folder}" for folder in FOLDERS))


def typed_names(package: str) -> dict[str, str]:
    """Return public name -> module as type checkers read a package."""
    file = importlib.import_module(package).__file__
    assert file is not None
    [block] = [
        node
        for node in ast.parse(Path(file).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for name in node.names:
            assert name.asname == name.name, "a name that is changed is not re-exported to strict checkers"
            found[name.name] = str(node.module)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_python_and_type_checkers_see_the_same_names(package: str) -> None:
    module = importlib.import_module(package)
    typed = typed_names(package)
    assert {*module.__all__} - {"__version__"} == {*typed}
    assert {*module.__all__} <= {*dir(module)}
    for name, where in typed.items():
        if getattr(module, name) is overbet.search:  # the room is called as its function is: checked below
            continue
        meant = importlib.import_module(f"overbet.{name}" if where == "overbet" else where)
        assert getattr(module, name) is (meant if where == "overbet" else getattr(meant, name))
    with pytest.raises(AttributeError, match=f"{package}.*nothing_of_the_kind"):
        module.nothing_of_the_kind  # noqa: B018


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_is_also_a_module(package: str) -> None:
    """A module would take the place of a function of its name as soon as somebody imports it."""
    module = importlib.import_module(package)
    folder = Path(str(module.__file__)).parent
    modules = {path.stem for path in folder.glob("*.py")}
    modules |= {path.parent.name for path in folder.glob("*/*.py")}
    folders = {*FOLDERS} if package == "overbet" else set()
    assert not ({*module.__all__} - folders) & modules


def test_the_room_of_search_is_called_as_the_function_of_its_name() -> None:
    from overbet.agents import searcher

    assert overbet.search is sys.modules["overbet.search"]
    with pytest.raises(TypeError, match=r"search\(\) missing 1 required positional argument: 'state'"):
        overbet.search()  # type: ignore[call-arg]  # the message names the function
    assert searcher.search.__module__ == "overbet.agents.searcher"


def test_packages_load_nothing_heavy() -> None:
    code = (
        f"import sys, overbet\nfor folder in {FOLDERS}: getattr(overbet, folder)\n"
        "print([name for name in ('numpy', 'numba', 'polars', 'pydantic') if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


GOOD = """
from typing import assert_type

import numpy as np
import overbet
from overbet import Blueprint, HoldemGame, Lock, MatchResult, Range, Rule, Solution, Spot
from overbet.agents import make_agent
from overbet.blueprint import BlueprintConfig, Measurement, measure_blueprint
from overbet.cards import canonical_flops, matchup, Matchup
from overbet.evaluation import LbrFamily, run_lbr_family
from overbet.solvers import Discounted, TabularPolicy, VectorEngine
from overbet.tree import public_tree

solution = overbet.solve("spot.yaml", target=0.5, locks=[Lock(line="r:0", frequencies={"c": 1.0})])
assert_type(solution, Solution)
hand = HoldemGame().initial_state().with_cards([None, None]).follow("b250:c:Td9d6h:c:c:2c")
assert_type(overbet.search(hand, seconds=1.0).strategy.actions, tuple[int, ...])
assert_type(overbet.load("river.h5", Solution), Solution)
assert_type(overbet.load("blueprint.h5", Blueprint).game, HoldemGame)
assert_type(overbet.equity("AA", "KK").exact, bool)
assert_type(overbet.Rule(name="mine", positive=Discounted(power=2.0)), Rule)
assert_type(overbet.TabularSolver("leduc", "dcfr").policy(), TabularPolicy)
assert_type(overbet.train("configs/fast_test.yaml", "run"), Blueprint)
agents = [make_agent("tag"), overbet.make_agent("lag")]
assert_type(overbet.play_match(agents, HoldemGame(2), 1000), MatchResult)
assert_type(run_lbr_family(agents[0], HoldemGame(2), 1000), LbrFamily)
assert_type(measure_blueprint("run"), Measurement)
assert_type(overbet.cards.card("As"), int)
assert_type(matchup("AhKh", "QsQd"), Matchup)
print(len(canonical_flops()), np.ones(3), Spot, BlueprintConfig, VectorEngine, public_tree)
assert_type(Range("AA,KQs").combos, float)
"""
BAD = """
import overbet
from overbet.cards import no_such_name

overbet.solve(3)
overbet.sovle("spot.yaml")
overbet.load("river.h5", overbet.Solution).nood("r:0")
"""


def test_a_users_script_is_type_checked(tmp_path: Path) -> None:
    """As for any user: the package that is installed, its types found by `py.typed`."""
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    words = ["--strict", "--cache-dir", "cache", "--no-error-summary", "--hide-error-context", "--no-pretty"]
    shown = subprocess.run(
        [sys.executable, "-m", "mypy", *words, "good.py", "bad.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in shown.stdout.splitlines() if ": error: " in line]
    assert not [line for line in lines if line.startswith("good.py")]
    found = [(int(line.split(":")[1]), line.rpartition("[")[2]) for line in lines]
    assert found == [(3, "attr-defined]"), (5, "arg-type]"), (6, "attr-defined]"), (7, "attr-defined]")]
