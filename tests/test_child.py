"""Files tried in a child: a crash, a hang, a flood of memory and links elsewhere are told in one line."""

from __future__ import annotations

import os
import time
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np
import pytest

from overbet import child
from overbet.child import trust, try_file, try_files
from overbet.errors import ArtefactError

CHECKS = """
import os, signal, time

def crash(path):
    os.kill(os.getpid(), signal.SIGSEGV)

def crash_rotten(path):
    if "rotten" in path:
        os.kill(os.getpid(), signal.SIGBUS)

def end(path):
    os.kill(os.getpid(), signal.SIGKILL)

def hang(path):
    time.sleep(1000)

def spin(path):
    while True:
        pass

def eat(path):
    return [bytearray(1 << 20) for _ in range(10000)]

def fine(path):
    pass
"""


@pytest.fixture(autouse=True)
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "odd_checks.py").write_text(CHECKS)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'checks'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")


def blueprint_like(path: Path) -> Path:
    """A file as blueprints are: texts in attributes, a compressed dataset."""
    with h5py.File(path, "w") as file:
        for name in ("format", "version", "overbet", "config", "game", "cards", "manifest", "checksum"):
            file.attrs[name] = "x" * 40
        numbers = np.arange(256, dtype=np.uint8)
        file.create_dataset("strategy", data=numbers, chunks=(64,), **hdf5plugin.Zstd(clevel=12))
    return path


@pytest.mark.parametrize(
    ("check", "seconds", "reason"),
    [
        ("crash", 60, r"it crashes the HDF5 library \(SIGSEGV\)"),
        ("hang", 2, "took longer than 2 seconds"),
        ("spin", 2, "took longer than 2 seconds"),
        ("eat", 60, "needs too much memory"),
        ("end", 60, r"was ended \(SIGKILL\); try again"),
    ],
)
def test_whatever_befalls_the_child_is_one_line(
    tmp_path: Path, check: str, seconds: float, reason: str
) -> None:
    path = blueprint_like(tmp_path / "a.h5")
    begun = time.monotonic()
    with pytest.raises(ArtefactError, match=reason) as caught:
        try_file(path, check=f"odd_checks:{check}", seconds=seconds, memory=256 << 20)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert time.monotonic() - begun < 60


def test_one_bad_file_does_not_spoil_the_others(tmp_path: Path) -> None:
    names = ["one.h5", "rotten.h5", "two.h5", "rotten-too.h5", "three.h5"]
    found = try_files([blueprint_like(tmp_path / name) for name in names], check="odd_checks:crash_rotten")
    assert [reason is None for reason in found] == [True, False, True, False, True]


def test_a_file_is_tried_once_and_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = blueprint_like(tmp_path / "a.h5")
    started: list[int] = []
    start = child._child

    def counted() -> object:
        started.append(1)
        return start()

    monkeypatch.setattr(child, "_child", counted)
    try_file(path)
    try_file(path)
    os.rename(path, tmp_path / "b.h5")
    try_file(tmp_path / "b.h5")
    assert len(started) == 1
    (tmp_path / "b.h5").write_bytes(b"something else")
    for _ in range(2):
        with pytest.raises(ArtefactError, match="cannot be read"):
            try_file(tmp_path / "b.h5")
    assert len(started) == 2
    trust(blueprint_like(tmp_path / "c.h5"))
    try_file(tmp_path / "c.h5")
    assert len(started) == 2


def test_what_is_no_plain_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "nothing", ".", "a\0b"):
        with pytest.raises(ArtefactError, match=r"not a plain file|cannot read"):
            try_file(tmp_path / name)


def test_a_child_that_cannot_be_started_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = blueprint_like(tmp_path / "a.h5")
    monkeypatch.setattr(child.sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(ArtefactError, match="cannot be started"):
        try_file(path)


def test_files_that_reach_out_or_blow_up_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"s" * 4096)

    def external(file: h5py.File) -> None:
        file.create_dataset("a", (4096,), "u1", external=[(str(tmp_path / "secret"), 0, 4096)])

    def linked(file: h5py.File) -> None:
        file["a"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/strategy")

    def soft(file: h5py.File) -> None:
        file["a"] = h5py.SoftLink("/a")

    def virtual(file: h5py.File) -> None:
        layout = h5py.VirtualLayout((256,), "u1")
        layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "strategy", (256,))
        file.create_virtual_dataset("a", layout)

    def endless(file: h5py.File) -> None:
        file.create_dataset("a", (1 << 60,), "f8", chunks=(1 << 16,))

    def large_pieces(file: h5py.File) -> None:
        file.create_dataset("a", (1 << 29,), "f4", chunks=(1 << 29,), compression="gzip")

    def objects(file: h5py.File) -> None:
        file["a"] = np.array(["text"], dtype=object)

    def loop(file: h5py.File) -> None:
        group = file.create_group("a")
        group["a"] = group  # harmless: every part is looked at once

    blueprint_like(tmp_path / "other.h5")
    for make in (external, linked, soft, virtual, endless, large_pieces, objects):
        path = tmp_path / f"{make.__name__}.h5"
        with h5py.File(path, "w") as file:
            make(file)
        with pytest.raises(ArtefactError, match="is refused: it"):
            try_file(path, seconds=20)
    with h5py.File(tmp_path / "loop.h5", "w") as file:
        loop(file)
    try_file(tmp_path / "loop.h5")


def test_flipped_bits_in_the_metadata_are_survived(tmp_path: Path) -> None:
    """Each of these ended the process, or held it for ever, with h5py 3.16."""
    data = blueprint_like(tmp_path / "good.h5").read_bytes()
    paths = []
    for place, bit in ((921, 2), (1209, 2), (2073, 8), (2241, 4), (181, 4), (128, 2)):
        damaged = bytearray(data)
        damaged[place] ^= bit
        paths.append(tmp_path / f"{place}.h5")
        paths[-1].write_bytes(damaged)
    found = try_files(paths, seconds=3)
    assert all(found), found
