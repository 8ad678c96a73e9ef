"""YAML within bounds: bombs, loops and odd values end quickly in one line with the place."""

from __future__ import annotations

import time
import tracemalloc

import hypothesis
import pytest
import yaml
from hypothesis import strategies as st

from overbet.errors import ConfigError
from overbet.yaml_text import MOST_BYTES, parse_yaml

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)
MERGED = "a0: &a0 {k0: 1, k1: 2}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}], n{n}: 1}}\n" for n in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BOMB, "more than 50,000 values at line 5, column "),
        (MERGED, "more than 50,000 values at line 5, column "),
        ("a: &a [*a]", r"\*a stands inside the value it names at line 1, column 8"),
        ("&a a: {b: {c: *b}}", "undefined alias 'b' at line 1, column 15"),
        ("&top\na: 1\nb: *top", r"\*top stands inside the value it names at line 3, column 4"),
        ("[" * 1000, "more than 50 levels deep at line 1, column 51"),
        ("a: " + "{b: " * 1000, "more than 50 levels deep at line 1"),
        ("- " * 5000, "more than 50 levels deep at line 1"),
        ("x" * (MOST_BYTES + 1), "longer than 1,048,576 bytes"),
        ("é" * (MOST_BYTES // 2 + 1), "longer than 1,048,576 bytes"),
        ("a: [", "at line 1, column 5"),
        ("a: b: c", "not allowed here at line 1, column 5"),
        ("a: 1\nb: \x00", "a letter that YAML does not allow at line 2, column 4"),
        ("a: " + "1" * 5000, "a number that is too long at line 1, column 4"),
        ("a: 0x" + "f" * 300, "a number that is too large at line 1, column 4"),
        ("a: 1" + ":59" * 300, "a number that is too long at line 1, column 4"),
        ("a: 1" + ":5" * 190 + ".0", "not a value of the kind .float. at line 1, column 4"),
        ("a: 2001-99-99", "not a value of the kind 'timestamp' at line 1, column 4"),
        ("a: !!int ''", "not a value of the kind 'int' at line 1, column 4"),
        ("a: !!bool x", "not a value of the kind 'bool' at line 1, column 4"),
        ("a: !!float x", "not a value of the kind 'float' at line 1, column 4"),
        ("a: !!timestamp x", "not a value of the kind 'timestamp' at line 1, column 4"),
        ("a: !!python/object/apply:os.system [ls]", "could not determine a constructor"),
        ("a: !" + "x" * 5000 + " 1", r"\.\.\. at line 1"),
        ("a: 1\n---\nb: 2", "but found another document at line 2"),
        ("? [a]\n: 1", "unhashable key at line 1, column 3"),
    ],
)
def test_what_cannot_be_used_is_one_line_with_its_place(text: str, problem: str) -> None:
    begun = time.monotonic()
    tracemalloc.start()
    try:
        with pytest.raises(ConfigError, match=problem) as caught:
            parse_yaml(text, "file.yaml")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert str(caught.value).startswith("file.yaml: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert most < 200 << 20
    assert time.monotonic() - begun < 30


def test_what_is_sensible_is_read_as_ever() -> None:
    text = (
        "wide: &wide {oop: '22+', ip: '22+'}\nranges: *wide\nmore: {<<: *wide, ip: AA}\nn: [1, 2.5, null]\n"
    )
    assert parse_yaml(text, "file") == yaml.safe_load(text)
    assert parse_yaml("", "file") is None
    assert parse_yaml("seed: 18446744073709551616", "file") == {"seed": 2**64}


@hypothesis.given(st.text(alphabet="ab&*:-[]{}<!?#|>'\"% \n\t01.é\x00\ud800", max_size=60))
@hypothesis.settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    found, fault = read(text)
    assert "\n" not in fault
    if not fault:
        assert found == yaml.safe_load(text)


def read(text: str) -> tuple[object, str]:
    try:
        return parse_yaml(text, "file"), ""
    except ConfigError as error:
        return None, str(error)
