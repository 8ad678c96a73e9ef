"""Damaged archives and files of hands: what was read, what was not, and never silence."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.interfaces.cli.app import build
from overbet.interfaces.history.record import HandFault
from overbet.interfaces.history.sources import read_hands

HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ['d dh p1 AhKh', 'd dh p2 QsQd', 'p2 f']
players = ['one', 'two']
"""
FILES = 20


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "hands.tar"
    with tarfile.open(path, "w") as tar:
        for number in range(FILES):
            head = tarfile.TarInfo(f"{number}.phh")
            head.size = len(HAND)
            tar.addfile(head, io.BytesIO(HAND.encode()))
    return path


def faults(path: Path) -> tuple[int, list[HandFault]]:
    found = list(read_hands(path))
    bad = [one for one in found if isinstance(one, HandFault)]
    return len(found) - len(bad), bad


def test_a_whole_archive_has_no_fault(archive: Path, tmp_path: Path) -> None:
    assert faults(archive) == (FILES, [])
    packed = tmp_path / "hands.tar.gz"
    packed.write_bytes(gzip.compress(archive.read_bytes()))
    assert faults(packed) == (FILES, [])


@pytest.mark.parametrize("byte", [1024 * 7 + 3, 1024 * 7 + 150])
def test_a_flipped_bit_in_a_head_is_told(archive: Path, byte: int) -> None:
    content = bytearray(archive.read_bytes())
    content[byte] ^= 1
    archive.write_bytes(content)
    read, bad = faults(archive)
    assert read == 7
    assert [fault.unsupported for fault in bad] == [False]
    assert str(bad[0]) == (
        "hands.tar, line 1: the archive is damaged after 6.phh (the head of a file at byte 7,168 is broken): "
        "7 files of hands up to there can be read, the rest cannot"
    )
    replayed = CliRunner().invoke(build(), ["replay", str(archive)])
    assert replayed.exit_code == 1
    assert "the archive is damaged after 6.phh" in replayed.stdout
    asked = CliRunner().invoke(build(), ["pluribus", str(archive), "--players", "2"])
    assert asked.exit_code == 1
    assert "the archive is damaged after 6.phh" in asked.stderr
    assert "one" in asked.stdout


def test_a_checksum_at_the_end_is_compared(archive: Path, tmp_path: Path) -> None:
    packed = tmp_path / "hands.tar.gz"
    content = bytearray(gzip.compress(archive.read_bytes()))
    content[-6] ^= 1  # in the CRC, which comes after all files
    packed.write_bytes(content)
    read, bad = faults(packed)
    assert (read, len(bad)) == (FILES, 1)
    assert "damaged" in bad[0].reason


@pytest.mark.parametrize(("cut", "why"), [(1024 * 9, "its end is missing"), (1024 * 9 + 100, "is broken")])
def test_an_archive_that_is_cut_off(archive: Path, cut: int, why: str) -> None:
    archive.write_bytes(archive.read_bytes()[:cut])
    read, bad = faults(archive)
    assert (read, len(bad)) == (9, 1)
    assert why in bad[0].reason


def test_two_archives_in_one_file(archive: Path) -> None:
    archive.write_bytes(2 * archive.read_bytes())
    read, bad = faults(archive)
    assert (read, len(bad)) == (FILES, 1)
    assert "there is more after its end mark" in bad[0].reason


@pytest.mark.parametrize(
    "damage",
    [
        "deep = " + 5000 * "[" + 5000 * "]",
        "number = " + "9" * 5000,
        "number = 1e99999999999999999999",
        "min_bet = 1e999999999",
        "min_bet = 1e-999999999",
    ],
    ids=lambda text: text[:20],
)
def test_one_bad_hand_does_not_end_the_replay(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "hands.phhs"
    bad = "\n".join(line for line in HAND.splitlines() if not damage.startswith(line.split(" ")[0]))
    path.write_text(f"[1]\n{HAND}\n[2]\n{damage}\n{bad}\n[3]\n{HAND}")
    read, found = faults(path)
    assert read == 2
    assert [fault.place.hand for fault in found] == ["2"]
    assert len(str(found[0])) < 400
