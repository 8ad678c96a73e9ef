"""Every Python block of the documents runs: those of a page one after the other, in one namespace."""

from __future__ import annotations

import doctest
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.interfaces.web.server import Server

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
DEEP = re.compile(r"^\s*(?:from|import) (overbet(?:\.\w+){2,})", re.MULTILINE)


class Block(NamedTuple):
    """A block of a page: where it begins, in which language, and its text."""

    line: int
    language: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of Python, plain or with prompts."""
    found, text = [], page.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(python|pycon)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        found.append(Block(text[: match.start()].count("\n") + 2, match[1], match[2]))
    return found


WITH_BLOCKS = [page for page in PAGES if blocks_of(page)]


def test_there_are_blocks() -> None:
    assert len(WITH_BLOCKS) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_deep_imports(page: Path) -> None:
    """A user needs `overbet` and `overbet.<package>`, nothing deeper."""
    assert DEEP.findall(page.read_text(encoding="utf-8")) == []


def test_prompts_are_checked() -> None:
    """A block with prompts is `pycon`: what it prints is compared."""
    for page in PAGES:
        fenced = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
        for language, text in fenced.findall(page.read_text(encoding="utf-8")):
            assert language == "pycon" or ">>> " not in text, page.name


@pytest.fixture
def example_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A running page, reached under the address that the documents name."""
    server = Server(tmp_path / "data")
    monkeypatch.setattr(
        httpx, "get", lambda url, **how: server.client.get(url.removeprefix("http://127.0.0.1:8765"), **how)
    )
    yield
    server.stop()


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.name)
def test_blocks_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    for folder in ("examples", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(tmp_path))
    if page.name == "page.md":
        request.getfixturevalue("example_server")
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks_of(page):
        if block.language == "pycon":
            run_prompts(block, names, page)
            continue
        # as a file of its own: errors then show the line of the block
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        exec(code, names)
        file = re.match(r"# (\w+\.py)\n", block.text)
        if file:  # later blocks may import it
            Path(file[1]).write_text(block.text, encoding="utf-8")


def run_prompts(block: Block, names: dict[str, Any], page: Path) -> None:
    """Run a session and compare what it prints; `...` stands for anything."""
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(said)
