"""The harness itself: what goes wrong in a child is found, told apart, and put down to its input."""

from __future__ import annotations

from pathlib import Path

import pytest

from overbet.errors import ConfigError
from tests.fuzz.grammar import mutated_bytes, mutated_value, odd_value
from tests.fuzz.parent import BrokenTargetError, Child
from tests.fuzz.samples import KINDS
from tests.fuzz.target import Target, judge, random_of, read_input, write_input
from tests.fuzz.targets_files import signed

LIMIT = 5.0  # seconds of an input: a busy machine takes its time for the quick ones, too


class _WordyError(ConfigError):
    """An error that escapes the bounds all others have."""

    def __init__(self, words: str) -> None:
        super().__init__("")
        self.words = words

    def __str__(self) -> str:
        return self.words


class _Raising(Target):
    name = "raising"

    def run(self, given: str) -> None:
        if given == "several lines":
            raise _WordyError("one\ntwo")
        if given == "long":
            raise _WordyError("x" * 2001)
        if given == "silent":
            raise ConfigError("")
        if given == "good":
            raise ConfigError("write it so")
        if given == "exit":
            raise SystemExit(1)
        raise KeyError(given)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("several lines", "the error has 2 lines"),
        ("long", "the error has 2,001 characters"),
        ("silent", "the error says nothing"),
        ("exit", "SystemExit"),
        ("else", "KeyError: 'else'"),
    ],
)
def test_what_is_no_clear_line_is_a_find(given: str, wanted: str) -> None:
    found = judge(_Raising(), given)
    assert found is not None
    assert wanted in found


def test_a_clear_line_is_no_find() -> None:
    assert judge(_Raising(), "good") is None


def test_a_crash_and_a_hang_are_put_down_to_their_inputs(tmp_path: Path) -> None:
    with Child(tmp_path) as child:
        report = child.fuzz("harness", 1, seconds=1200, limit_s=LIMIT, most=8)
        assert report.inputs == 8
        found = {find.number: find for find in report.finds}
        assert set(found) == {2, 3, 5}
        assert "SIGSEGV" in found[2].what
        assert f"took longer than {LIMIT:g} s" in found[3].what
        assert "ValueError: five" in found[5].what
        assert all(read_input(Path(find.file)) == find.number for find in report.finds)
        assert "SIGSEGV" in (child.repeat("harness", Path(found[2].file), LIMIT) or "")
        assert child.repeat("harness", write_input(1, tmp_path / "one"), LIMIT) is None
        with pytest.raises(BrokenTargetError, match="no such target"):
            child.fuzz("no such target", 1, 1.0, LIMIT)


def test_inputs_are_functions_of_their_number() -> None:
    def made(number: int) -> tuple[object, ...]:
        rng = random_of("any", 3, number)
        return repr(odd_value(rng)), mutated_bytes(rng, b"abc" * 100), repr(mutated_value(rng, {"a": [1, 2]}))

    assert made(5) == made(5)
    assert len({made(number) for number in range(50)}) > 40


def test_a_signed_file_gets_past_the_checksum(tmp_path: Path) -> None:
    """What is crafted must be read as a file of ours; else those targets test the checksum alone."""
    kind = KINDS["solution"]
    path = kind.write(tmp_path)
    good = path.read_bytes()
    changed = bytearray(good)
    changed[len(good) // 2] ^= 1
    said = []
    for content in (bytes(changed), signed(good, bytes(changed))):
        path.write_bytes(content)
        try:
            kind.read(path)
            said.append("")
        except Exception as error:
            said.append(str(error))
    assert "checksum" in said[0]
    assert "checksum" not in said[1]
