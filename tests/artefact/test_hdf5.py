"""What the writer of HDF5 files writes is what h5py reads, and may be changed by it."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from overbet import artefact
from overbet.artefact.lookup3 import lookup3

KIND = artefact.Kind("sample", 1, "write it again")
TYPES = ("b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
SHAPES = ((0,), (1,), (5,), (4, 0), (1003, 7), (3, 4, 5), (6_001,), (7, 1, 2, 3, 2))


def arrays(kind: str) -> dict[str, np.ndarray]:
    """Return arrays of all shapes, in groups and outside, more in one than HDF5 keeps in a list itself."""
    rng = np.random.default_rng(3)
    made = {
        f"g{n % 2}/deep/x{n}": (rng.normal(size=shape) * 99).astype(kind) for n, shape in enumerate(SHAPES)
    }
    return made | {f"small {n}": rng.integers(0, 2, n).astype(kind) for n in range(20)}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("level", "chunk_bytes"), [(0, 1 << 20), (1, 1 << 20), (9, 1 << 12), (1, 40)])
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_h5py_reads_all_types_and_shapes(tmp_path: Path, kind: str, level: int, chunk_bytes: int) -> None:
    path, wanted = tmp_path / "sample.h5", arrays(kind)
    artefact.write(
        path, KIND, {}, wanted, level=level, chunk_bytes=chunk_bytes, mapped=frozenset({"small 7"})
    )
    found: list[str] = []
    with h5py.File(path) as file, artefact.opened(path, KIND) as ours:
        file.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None)
        assert sorted(found) == sorted([*wanted, "head"])
        for name, array in wanted.items():
            assert file[name].dtype == ours[name].dtype == array.dtype
            assert file[name].shape == array.shape
            assert file[name][...].tobytes() == array.tobytes()
            assert ours[name].whole().tobytes() == array.tobytes()
            if len(array):
                assert file[name][len(array) // 2].tobytes() == array[len(array) // 2].tobytes()


def test_h5py_sees_how_arrays_are_packed(tmp_path: Path) -> None:
    path = tmp_path / "sample.h5"
    array = np.arange(1000, dtype=np.float64)
    artefact.write(path, KIND, {}, {"packed": array, "mapped": array}, level=4, mapped=frozenset({"mapped"}))
    with h5py.File(path) as file, artefact.opened(path, KIND) as ours:
        packed, mapped = file["packed"], file["mapped"]
        assert (packed.compression, packed.compression_opts, packed.shuffle) == ("gzip", 4, True)
        assert mapped.chunks is None
        assert mapped.id.get_offset() == ours["mapped"].offset
        assert packed.id.get_storage_size() < array.nbytes


def test_h5py_may_go_on_with_the_file(tmp_path: Path) -> None:
    path, wanted = tmp_path / "sample.h5", arrays("f4")
    artefact.write(path, KIND, {}, wanted, chunk_bytes=512)
    with h5py.File(path, "r+") as file:
        del file["small 3"]
        file["g0/deep"].attrs["said"] = "so"
        file["g1/deep/x7"][2] = 5.0
        for number in range(30):
            file[f"g0/new {number}"] = np.arange(number)
    with h5py.File(path) as file:
        assert "small 3" not in file
        assert file["g0/new 29"][28] == 28
        assert (file["g1/deep/x7"][2] == 5.0).all()
        assert np.array_equal(file["g0/deep/x4"][...], wanted["g0/deep/x4"])


def test_other_types_are_refused(tmp_path: Path) -> None:
    for array in (np.zeros(3, complex), np.array(["a"]), np.zeros(2, "M8[s]")):
        with pytest.raises(TypeError, match="are not written"):
            artefact.write(tmp_path / "sample.h5", KIND, {}, {"x": array})
    assert not list(tmp_path.iterdir())


def test_the_checksum_is_the_published_one() -> None:
    """The values its author gives beside the function."""
    assert lookup3(b"") == 0xDEADBEEF.to_bytes(4, "little")
    assert lookup3(b"Four score and seven years ago") == 0x17770551.to_bytes(4, "little")
