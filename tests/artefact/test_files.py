"""The container itself: what is written is read back, by HDF5 programs too, and nothing else is believed."""

import errno
import hashlib
import json
import os
import resource
import zlib
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from overbet import artefact
from overbet.artefact.block import BLOCK, block_text
from overbet.artefact.hdf5 import Hdf5Writer
from overbet.errors import ArtefactError

KIND = artefact.Kind("sample", 1, "write it again")


def arrays() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    return {
        "deep/floats": rng.random((1003, 7)).astype(np.float32),
        "bytes": rng.integers(0, 255, 30_001).astype(np.uint8),
        "keys": np.arange(500, dtype=np.uint64),
        "none": np.zeros(0, np.int32),
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "sample.h5"
    artefact.write(found, KIND, {"name": "x"}, arrays(), chunk_bytes=1 << 12, mapped=frozenset({"keys"}))
    return found


def sealed_again(data: bytes) -> bytes:
    """Return a changed file with the right checksum: what somebody would craft."""
    body = data[BLOCK:]
    offset, size = map(int, data[:BLOCK].rstrip(b"\0").decode().splitlines()[3].split())
    return block_text(KIND, len(data), hashlib.sha256(body).hexdigest(), (offset, size)) + body


def with_head(data: bytes, change: Any) -> bytes:
    """Return the file with a changed head at its end and the right checksum."""
    offset, size = map(int, data[:BLOCK].rstrip(b"\0").decode().splitlines()[3].split())
    head = json.loads(data[offset : offset + size])
    change(head)
    text = json.dumps(head).encode()
    body = data[BLOCK:] + text
    place = (len(data), len(text))
    return block_text(KIND, len(data) + len(text), hashlib.sha256(body).hexdigest(), place) + body


def test_what_is_written_is_read_back(path: Path) -> None:
    with artefact.opened(path, KIND) as file:
        assert file.head == {"name": "x"}
        for name, array in arrays().items():
            found = file[name].whole()
            assert found.dtype == array.dtype
            assert np.array_equal(found, array)
        column, whole = file["bytes"], arrays()["bytes"]
        for part in (slice(0, 5), slice(4000, 4200), slice(29_000, None), slice(None), slice(7, 7)):
            assert np.array_equal(column[part], whole[part])
        places = np.array([29_999, 3, 4096, 3])
        assert np.array_equal(column[places], whole[places])
        assert column[-1] == whole[-1]
        keys = file["keys"]
        mapped = np.memmap(path, np.uint64, "r", offset=keys.offset, shape=keys.shape)
        assert np.array_equal(mapped, arrays()["keys"])
    assert artefact.kind_of(path) == "sample"


def test_any_hdf5_program_reads_it(path: Path) -> None:
    with h5py.File(path) as file:
        for name, array in arrays().items():
            assert np.array_equal(file[name][...], array)


def test_a_flipped_bit_anywhere_is_refused(path: Path) -> None:
    data = path.read_bytes()
    rng = np.random.default_rng(1)
    places = [*range(BLOCK + 64), *rng.integers(0, len(data), 200), len(data) - 1]
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(damaged))
        with pytest.raises(ArtefactError, match=r"write it again"):
            artefact.opened(path, KIND)
    for size in (0, 18, BLOCK, BLOCK + 1, len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(ArtefactError, match=r"cut short or too long: [\d,]+ bytes|no head of overbet"):
            artefact.opened(path, KIND)
    path.write_bytes(data + b"\0")
    with pytest.raises(ArtefactError, match="cut short or too long"):
        artefact.opened(path, KIND)


def test_other_kinds_and_versions_say_what_they_are(path: Path) -> None:
    with pytest.raises(ArtefactError, match="not a file of the kind 'overbet cake': it is an overbet sample"):
        artefact.opened(path, artefact.Kind("cake", 1, "bake one"))
    with pytest.raises(ArtefactError, match=r"has version 1 .* reads 2; use the version"):
        artefact.opened(path, artefact.Kind("sample", 2, "write it again"))


def test_external_storage_links_and_virtual_datasets_have_no_meaning(path: Path, tmp_path: Path) -> None:
    """What HDF5 would follow is not looked at: the numbers of another file never appear."""
    secret = tmp_path / "secret"
    secret.write_bytes(b"top secret" * 4000)
    with h5py.File(path, "r+") as file:
        del file["bytes"], file["keys"], file["deep/floats"]
        file.create_dataset("bytes", (30_001,), np.uint8, external=[(str(secret), 0, 30_001)])
        file["keys"] = h5py.ExternalLink(str(secret), "/x")
        layout = h5py.VirtualLayout((1003, 7), np.float32)
        layout[:] = h5py.VirtualSource(str(secret), "x", (1003, 7))
        file.create_virtual_dataset("deep/floats", layout)
    path.write_bytes(sealed_again(path.read_bytes()))
    try:
        with artefact.opened(path, KIND) as file:
            found = b"".join(file[name].whole().tobytes() for name in file.names)
    except ArtefactError:
        found = b""
    assert b"top secret" not in found


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["arrays"]["bytes"].update(shape=[1 << 45]),
        lambda head: head["arrays"]["bytes"].update(shape=[-1]),
        lambda head: head["arrays"]["bytes"].update(shape=[10**40]),
        lambda head: head["arrays"]["bytes"].update(dtype="|O"),
        lambda head: head["arrays"]["bytes"].update(dtype="<M8[s]"),
        lambda head: head["arrays"]["bytes"].update(rows=0),
        lambda head: head["arrays"]["bytes"].update(packed="yes"),
        lambda head: head["arrays"]["bytes"]["places"].__setitem__(0, [1 << 40, 100]),
        lambda head: head["arrays"]["bytes"]["places"].__setitem__(0, [-5, 100]),
        lambda head: head["arrays"]["bytes"].pop("places"),
        lambda head: head["arrays"]["keys"].update(shape=[501]),
        lambda head: head.pop("arrays"),
        lambda head: head.update(arrays=3),
    ],
)
def test_a_crafted_head_is_refused_before_anything_is_read(path: Path, change: Any) -> None:
    path.write_bytes(with_head(path.read_bytes(), change))
    with pytest.raises(ArtefactError, match="its head cannot be used"):
        artefact.opened(path, KIND)


def test_a_deep_head_is_refused(path: Path) -> None:
    data = path.read_bytes()
    text = b"[" * 100_000
    body = data[BLOCK:] + text
    block = block_text(KIND, len(data) + len(text), hashlib.sha256(body).hexdigest(), (len(data), len(text)))
    path.write_bytes(block + body)
    with pytest.raises(ArtefactError, match="its head cannot be used"):
        artefact.opened(path, KIND)


def test_inflating_stops_at_the_promised_length(path: Path) -> None:
    """A chunk of a megabyte that would inflate to a gigabyte is given up after the promised 4 KiB."""
    bomb = zlib.compress(bytes(1 << 28), 9)
    data = path.read_bytes()
    offset, size = map(int, data[:BLOCK].rstrip(b"\0").decode().splitlines()[3].split())
    head = json.loads(data[offset : offset + size])
    head["arrays"]["bytes"]["places"][0] = [len(data), len(bomb)]
    text = json.dumps(head).encode()
    body = data[BLOCK:] + bomb + text
    place = (len(data) + len(bomb), len(text))
    length = BLOCK + len(body)
    path.write_bytes(block_text(KIND, length, hashlib.sha256(body).hexdigest(), place) + body)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with artefact.opened(path, KIND) as file, pytest.raises(ArtefactError, match="head promises"):
        file["bytes"].whole()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_an_array_of_another_size_is_not_read(path: Path) -> None:
    with artefact.opened(path, KIND) as file:
        with pytest.raises(ArtefactError, match="not what it should be"):
            file.array("bytes", np.uint8, (5,))
        with pytest.raises(ArtefactError, match="not what it should be"):
            file.array("bytes", np.uint16, (None,))
        with pytest.raises(ArtefactError, match="has no 'cake'"):
            file["cake"]


def test_a_full_disk_is_one_line_and_the_old_file_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()
    calls = 0

    def full(self: Any, data: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Hdf5Writer, "_write", full)
    with pytest.raises(ArtefactError, match=r"cannot write .*: No space left on device; [^\n]*$"):
        artefact.write(path, KIND, {}, arrays())
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_limit_of_file_size_is_the_same_line(path: Path) -> None:
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(ArtefactError, match=r"cannot write .*: File too large; [^\n]*$"):
            artefact.write(path, KIND, {}, {"x": np.random.default_rng(0).random(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_json_is_sealed(tmp_path: Path) -> None:
    path = tmp_path / "sample.json"
    artefact.write_json(path, KIND, {"rows": [1.5, 2.25], "text": "é"}, indent=1)
    assert artefact.read_json(path, KIND) == {"rows": [1.5, 2.25], "text": "é"}
    data = path.read_bytes()
    for place in range(len(data)):
        for bit in (0, 5):
            damaged = bytearray(data)
            damaged[place] ^= 1 << bit
            path.write_bytes(bytes(damaged))
            with pytest.raises(ArtefactError):
                artefact.read_json(path, KIND)
    path.write_text("[" * 5000)
    with pytest.raises(ArtefactError, match="damaged or not JSON"):
        artefact.read_json(path, KIND)
    with pytest.raises(ArtefactError, match="there is no sample file"):
        artefact.read_json(tmp_path / "none.json", KIND)
