"""A library of ranges: text files in folders that survive, move, and hold nothing but ranges."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.combos import COMBOS
from overbet.cards.range import Range
from overbet.cards.range_text import RANGE_FORMS
from overbet.errors import OverbetError
from overbet.study import NotNowError, NotThereError, RangeLibrary, StudyError
from overbet.study.preflop_ranges import push_or_fold_ranges, shipped_ranges


def test_ranges_are_files_that_another_program_finds(tmp_path: Path) -> None:
    library = RangeLibrary(tmp_path / "ranges")
    assert library.names() == []
    kept = library.save(" Button / opens  2.5x", Range.parse("A2s-A5s,QJ-T9:.5"))
    assert kept.name == "Button/opens 2.5x"
    assert (tmp_path / "ranges/Button/opens 2.5x.txt").read_text() == kept.text + "\n"
    (tmp_path / "ranges/Button/by hand.txt").write_text("[50.0]AKo[/50.0]\n")
    again = RangeLibrary(tmp_path / "ranges")
    assert again.names() == ["Button/by hand", "Button/opens 2.5x"]
    assert again["Button/by hand"] == Range.parse("AKo:.5")
    assert [entry.combos for entry in again.entries()] == [6.0, 16 + 8.0 * 3]
    with pytest.raises(NotNowError, match="already"):
        again.save("Button/by hand", Range.full())
    assert again.save("Button/by hand", Range.parse("AA"), replace=True).text == "AA"
    assert again["Button/by hand"] == Range.parse("AA")


def test_moving_deleting_and_putting_back(tmp_path: Path) -> None:
    library = RangeLibrary(tmp_path)
    for name in ("BB/calls", "BB/3-bets", "loose"):
        library.save(name, Range.parse("KK"))
    assert library.move("loose", "SB/limps") == "SB/limps"
    assert library.move("BB", "Blinds/BB") == "Blinds/BB"  # a whole folder
    assert library.names() == ["Blinds/BB/3-bets", "Blinds/BB/calls", "SB/limps"]
    with pytest.raises(NotNowError, match="already"):
        library.move("SB/limps", "Blinds/BB/calls")
    with pytest.raises(StudyError, match="into itself"):
        library.move("Blinds", "Blinds/more")
    gone = library.delete("SB/limps")
    assert not (tmp_path / "SB").exists()  # an empty folder is none
    with pytest.raises(NotThereError):
        library["SB/limps"]
    with pytest.raises(NotThereError):
        library.move("SB/limps", "x")
    library.save("SB/limps", gone)
    assert library["SB/limps"] == Range.parse("KK")


@pytest.mark.parametrize(
    "name", ["", "/", "../out", "a//b", ".hidden", "a/..", "a\\b", "a:b", "x" * 81, "a/b/c/d/e/f/g", "a\0b"]
)
def test_names_stay_within_the_folder(tmp_path: Path, name: str) -> None:
    library = RangeLibrary(tmp_path / "ranges")
    with pytest.raises(StudyError) as caught:
        library.save(name, Range.full())
    assert caught.value.where == "name"
    assert list(tmp_path.rglob("*.txt")) == []


def test_what_is_no_range_is_passed_over(tmp_path: Path) -> None:
    library = RangeLibrary(tmp_path)
    library.save("good", Range.parse("AA"))
    (tmp_path / "words.txt").write_text("no range at all")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00AA")
    (tmp_path / "long.txt").write_text("AA," * 50_000 + "KK")
    (tmp_path / "link.txt").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe.txt")
    assert library.names() == ["good"]


_weights = st.lists(st.sampled_from([0.0, 0.25, 0.335, 1.0]), min_size=8, max_size=8)


@settings(max_examples=5, deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "F/b", "F/G/c", "d (2)"]), _weights, min_size=1))
def test_an_export_reads_back(tmp_path_factory: pytest.TempPathFactory, held: dict[str, list[float]]) -> None:
    library = RangeLibrary(tmp_path_factory.mktemp("from"))
    for name, weights in held.items():
        library.save(name, Range(np.resize(np.array(weights), COMBOS)))
    for form in RANGE_FORMS:
        other = RangeLibrary(tmp_path_factory.mktemp("to"))
        text = library.text(form)
        if any(map(any, held.values())):
            other.load_text(text, "all")
        kept = [entry for entry in library.entries() if entry.combos]
        assert other.entries() == kept


def test_imports_of_one_and_of_many(tmp_path: Path) -> None:
    library = RangeLibrary(tmp_path)
    assert [kept.name for kept in library.load_text("AA,[50.0]KK[/50.0]\n", "from gto", "GTO+")] == [
        "GTO+/from gto"
    ]
    assert [kept.name for kept in library.load_text("AA", "from gto", "GTO+")] == ["GTO+/from gto (2)"]
    assert [kept.name for kept in library.load_text("# one\nAA\n\n# In/two\nKK,\nQQ\n", "x")] == [
        "one",
        "In/two",
    ]
    before = library.names()
    with pytest.raises(StudyError, match="two: range: 'nonsense'"):
        library.load_text("# one more\nAA\n# two\nnonsense\n", "x")
    with pytest.raises(StudyError, match="no range"):
        library.load_text("\n\n", "x")
    assert library.names() == before  # all or nothing
    assert library.text(folder="In") == "# In/two\nKK-QQ\n"


def test_a_full_disk_leaves_the_old_range(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = RangeLibrary(tmp_path)
    library.save("kept", Range.parse("AA"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OverbetError, match="No space left"):
        library.save("kept", Range.parse("KK"), replace=True)
    assert library["kept"] == Range.parse("AA")
    assert library.names() == ["kept"]


def test_ranges_of_the_shipped_strategies() -> None:
    found = {(each.group, each.name): each for each in shipped_ranges()}
    assert len(found) == len(shipped_ranges())  # no two are called alike
    groups = list(dict.fromkeys(group for group, _ in found))
    assert {"Heads-up, 100 bb", "Expresso, 25 bb"} < set(groups)
    call = found["Heads-up, 100 bb", "BB calls (SB opened 2bb)"].held
    raises = found["Heads-up, 100 bb", "BB 3-bets 8bb (SB opened 2bb)"].held
    assert call.weight("AA") < 0.05 < 0.5 < raises.weight("AA")
    assert call.weight("72o") < 0.2 < 0.9 < call.weight("22")
    # what a player has after two actions is no more than after the first
    opens = found["Heads-up, 100 bb", "SB opens 2bb"].held
    four_bets = found["Heads-up, 100 bb", "SB 4-bets 24bb (SB opened 2bb, BB 3-bet 8bb)"].held
    assert (four_bets.weights <= opens.weights + 0.006).all()
    assert list(dict.fromkeys(e.position for e in found.values() if e.group == "Expresso, 25 bb")) == [
        "BTN",
        "SB",
        "BB",
    ]
    for each in found.values():
        assert Range.parse(each.held.text("gto+")) == each.held
    push, call = push_or_fold_ranges(10)
    assert push.name == "SB goes all-in"
    assert push.held.combos > call.held.combos > 100
