"""Files are the old one or the new one, never half of either."""

import errno
from pathlib import Path

import pytest

from overbet.errors import ArtefactError
from overbet.files import replacing, write_text


def test_written_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file.txt"
    write_text(target, "one")
    write_text(target, "two")
    assert target.read_text() == "two"
    assert list(target.parent.iterdir()) == [target]


def test_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    write_text(target, "old")

    def fill_disk() -> None:
        with replacing(target) as beside:
            beside.write_text("half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(ArtefactError, match="No space left on device; what was there before is untouched"):
        fill_disk()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_interrupt_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    write_text(target, "old")

    def interrupt() -> None:
        with replacing(target) as beside:
            beside.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
