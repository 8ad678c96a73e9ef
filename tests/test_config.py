"""Configs: strict, hashed, overridable, with errors that name the key and the nearest one."""

from pathlib import Path

import pytest

from overbet.config import Config
from overbet.errors import ConfigError
from overbet.solvers.rules import Rule
from overbet.tree.spot import Spot


class Inner(Config):
    depth: int = 1


class Outer(Config):
    name: str = "x"
    inner: Inner = Inner()


def test_unknown_keys_name_the_nearest() -> None:
    with pytest.raises(
        ConfigError, match=r"unknown key 'inner.dept' \(did you mean 'depth'\?\); known: depth"
    ):
        Outer.parse({"inner": {"dept": 3}})
    with pytest.raises(ConfigError, match=r"unknown key 'positive.dcfr.pow' \(did you mean 'power'\?\)"):
        Rule.parse({"positive": {"kind": "dcfr", "pow": 3}})
    with pytest.raises(ConfigError, match=r"unknown key 'bets.flop.raises' \(did you mean 'raise'\?\)"):
        Spot.parse(
            {
                "board": "Td9d6h",
                "pot": 10,
                "stacks": 20,
                "ranges": {"oop": "AA", "ip": "KK"},
                "bets": {"flop": {"raises": "3x"}},
            }
        )


def test_load_overrides_and_digest(tmp_path: Path) -> None:
    file = tmp_path / "outer.yaml"
    file.write_text("name: a\ninner: {depth: 2}\n")
    assert Outer.load(file, ["inner.depth=5"]) == Outer(name="a", inner=Inner(depth=5))
    assert Outer.load(file).digest() == Outer(name="a", inner=Inner(depth=2)).digest()
    assert Outer.load(file).digest() != Outer.load(file, ["name=b"]).digest()


@pytest.mark.parametrize(
    ("text", "override", "message"),
    [
        ("name: [", "", "line"),
        ("- a\n- b\n", "", "expected 'key: value' lines"),
        ("name: a", "inner", "not of the form key.path=value"),
        ("name: a", "name.deep=1", "is a value, not a section"),
        ("inner: {depth: many}", "", "inner.depth"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, override: str, message: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        Outer.load(file, [override] if override else [])


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        Outer.load(tmp_path / "nothing.yaml")
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(ConfigError, match="not a text file"):
        Outer.load(binary)
