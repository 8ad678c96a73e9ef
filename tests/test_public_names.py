"""The public names: quick to import, the same for Python and for type checkers, one meaning each."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import tomllib
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


def test_types_are_shipped() -> None:
    """The type checker of `make lint` reads `tests/users_script.py` as any user's."""
    assert (PACKAGE / "py.typed").exists()
    settings = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    assert "tests/users_script.py" in settings["tool"]["mypy"]["files"]
