"""Every command line in the documents exists, with those options and arguments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from overbet.interfaces.cli.app import build

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND: Any = typer.main.get_command(build())
ENDS = {"|", "&&", ";", ">", "&"}


def whole_lines(text: str) -> Iterator[str]:
    """Yield command lines that stand alone: in fenced blocks, or indented by four blanks."""
    for line in text.splitlines():
        found = re.match(r"(?:    )?(?:\$ )?(?:[A-Z_]+=\S+ )*(overbet .*)", line)
        if found:
            yield found[1]


def inline(text: str) -> Iterator[str]:
    """Yield commands within sentences, which need not be whole."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for code in re.findall(r"`([^`]+)`", prose):
        words = " ".join(code.split())
        if words.startswith("overbet "):
            yield words


def words_of(line: str) -> list[str]:
    """Return the words of a command up to a pipe; comments and marks of omission are left out."""
    words: list[str] = []
    for word in shlex.split(line, comments=True)[1:]:
        if word in ENDS:
            break
        if word != "...":
            words.append(word)
    return words


def resolved(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that the first words name, and the rest."""
    command, rest = COMMAND, list(words)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        assert rest[0] in command.commands, f"there is no command {rest[0]!r}"
        command = command.commands[rest.pop(0)]
    return command, rest


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for line in whole_lines(text):
        command, rest = resolved(words_of(line))
        try:
            command.make_context(command.name, rest)
        except Exception as error:
            pytest.fail(f"{page.name}: {line}\n{getattr(error, 'message', '') or error}")
    for line in inline(text):
        command, rest = resolved(words_of(line))
        known = {name for part in command.params for name in (*part.opts, *part.secondary_opts)} | {
            "-h",
            "--help",
        }
        for word in rest:
            option = word.partition("=")[0]
            if re.match(r"--?[a-z]", option):
                assert option in known, f"{page.name}: `{line}`: there is no option {option}"


def test_what_the_check_finds() -> None:
    assert [*whole_lines("    $ overbet solve x --bets\nno overbet here\n")] == ["overbet solve x --bets"]
    assert [*inline("as `overbet\nsolve x.yaml` does\n```\n`overbet in a block`\n```\n")] == [
        "overbet solve x.yaml"
    ]
    assert words_of("overbet play # a comment") == ["play"]
    with pytest.raises(AssertionError, match="there is no command 'sovle'"):
        resolved(["sovle"])
    command, rest = resolved(["solve", "spot.yaml", "--no-such-option"])
    with pytest.raises(Exception, match="no-such-option"):
        command.make_context("solve", rest)
