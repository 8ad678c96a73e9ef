"""Files are the old one or the new one, never half of either."""

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from overbet.errors import ArtefactError
from overbet.files import check_place, replacing, write_text


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


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    try:  # not /dev/null itself: a test that fails must not break the machine
        os.mknod(tmp_path / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        (tmp_path / "null").write_text("")
    except PermissionError:
        pytest.skip("devices cannot be made or used here")
    write_text(tmp_path / "null", "text")
    assert stat.S_ISCHR(os.stat(tmp_path / "null").st_mode)


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_text(pipe, "text")
    reader.join(5)
    assert got == [b"text"]
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_keeps_pointing(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.txt", tmp_path / "link.txt"
    write_text(real, "old")
    link.symlink_to(Path("far") / "real.txt")
    write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert list((tmp_path / "far").iterdir()) == [real]
    dangling = tmp_path / "dangling.txt"
    dangling.symlink_to("later.txt")
    write_text(dangling, "new")
    assert dangling.is_symlink()
    assert (tmp_path / "later.txt").read_text() == "new"


def test_our_own_output_is_written_into(tmp_path: Path) -> None:
    script = (
        "from overbet.files import write_text\n"
        "print('before'); write_text('/dev/stdout', 'between\\n'); print('after')"
    )
    with open(tmp_path / "out.txt", "wb") as out:
        subprocess.run([sys.executable, "-c", script], stdout=out, check=True)
    assert (tmp_path / "out.txt").read_text().split() == ["before", "between", "after"]


def test_cleaning_up_does_not_hide_the_first_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(self: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EIO, "Input/output error")

    def body() -> None:
        with replacing(tmp_path / "file.txt"):
            raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(ArtefactError, match="Read-only file system"):
        body()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            OSError(
                "Can't write data (file write failed: time = Mon Nov 16\n, filename = 'x', errno = 28,\nhm"
            ),
            "cannot write .*: No space left on device; ",
        ),
        (OSError(errno.EFBIG, "[Errno 27] long\nwords of a library"), "cannot write .*: File too large; "),
        (OSError("odd\nand more\nlines"), "cannot write .*: odd; "),
        (OSError("x" * 5000), r"x\.\.\.; "),
        (OSError(), "cannot write .*: OSError; "),
    ],
)
def test_any_error_of_the_system_is_one_short_line(tmp_path: Path, error: OSError, told: str) -> None:
    def body() -> None:
        with replacing(tmp_path / "file.txt"):
            raise error

    with pytest.raises(ArtefactError, match=told) as caught:
        body()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_limit_on_file_sizes_is_told(tmp_path: Path) -> None:
    script = (
        "import sys, resource\n"
        "from overbet.files import write_text\n"
        "from overbet.errors import ArtefactError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    write_text(sys.argv[1], 'x' * 100000)\n"
        "except ArtefactError as error:\n    print(error)\n"
    )
    words = [sys.executable, "-c", script, "file.txt"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "cannot write file.txt: File too large; what was there before is untouched\n"
    assert list(tmp_path.iterdir()) == []


def test_the_longest_name_there_can_be(tmp_path: Path) -> None:
    write_text(tmp_path / ("x" * 255), "text")
    with pytest.raises(ArtefactError, match="File name too long") as caught:
        write_text(tmp_path / ("x" * 256), "text")
    assert len(str(caught.value)) < 200


def test_places_are_tried(tmp_path: Path) -> None:
    check_place(tmp_path / "deep" / "deeper" / "file.txt")
    assert list(tmp_path.iterdir()) == []
    write_text(tmp_path / "file.txt", "old")
    check_place(tmp_path / "file.txt")
    check_place("/dev/null")
    assert (tmp_path / "file.txt").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "file.txt"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("file.txt/below", "Not a directory"),
        ("folder", "Is a directory"),
        ("x" * 300, "File name too long"),
        ("new/" + "x" * 300, "File name too long"),
        ("nul\0", "no file has such a name"),
        ("socket", "No such device or address"),
    ],
)
def test_places_that_cannot_be_written(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    write_text(tmp_path / "file.txt", "old")
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind(str(tmp_path / "socket"))
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(ArtefactError, match=f"cannot write .*: {why}; choose another place"):
            check_place(tmp_path / name)
        assert sorted(tmp_path.rglob("*")) == before


def test_a_place_without_room_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ArtefactError, match="No space left on device; choose another place"):
        check_place(tmp_path / "file.txt")
