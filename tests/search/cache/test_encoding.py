"""Entries as bytes: what is read is what was written, or it is refused."""

from __future__ import annotations

import json
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from overbet.errors import ArtefactError
from overbet.search.cache import CachedArray, CacheRecord
from overbet.search.cache.encoding import checksum, decode, encode

TYPES = ["u1", "i1", "<u2", ">u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", ">f4", "<f8"]
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def records(draw: st.DrawFn) -> CacheRecord:
    found = {}
    for name in draw(st.lists(st.text(), unique=True, max_size=3)):
        dtype = np.dtype(draw(st.sampled_from(TYPES)))
        values = draw(
            arrays.arrays(dtype, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
        )
        axes = draw(st.lists(st.text(max_size=5), unique=True, min_size=values.ndim, max_size=values.ndim))
        found[name] = CachedArray(tuple(f"of {axis}" for axis in axes), values)
    if draw(st.booleans()):
        hands = np.arange(1326 * 2, dtype=np.uint16).reshape(2, 1326)
        found["of all hands"] = CachedArray(("row", "hand"), hands)
    return CacheRecord(draw(st.dictionaries(st.text(), PLAIN, max_size=4)), found)


@given(record=records(), key=st.binary(max_size=40))
@settings(max_examples=50, deadline=None)
def test_a_record_is_read_as_it_was_written(record: CacheRecord, key: bytes) -> None:
    found = decode(encode(record, key), key)
    small = {
        name: CachedArray(axes, values.astype(values.dtype.newbyteorder("<")))
        for name, (axes, values) in record.arrays.items()
    }
    assert found.equals(CacheRecord(record.head, small))
    assert not any(values.flags.writeable for _, values in found.arrays.values())


SMALL = CacheRecord({"a": 1}, {"x": CachedArray(("n",), np.arange(5, dtype=np.float32))})


def test_every_flipped_bit_is_refused() -> None:
    data = encode(SMALL, b"key")
    for place in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[place // 8] ^= 1 << place % 8
        with pytest.raises(ArtefactError, match="damaged"):
            decode(bytes(damaged), b"key")


def test_other_lengths_and_other_keys_are_refused() -> None:
    data = encode(SMALL, b"key")
    for bad in (b"", data[:-1], data + b"\0", data[:40], data[1:]):
        with pytest.raises(ArtefactError, match="damaged"):
            decode(bad, b"key")
    with pytest.raises(ArtefactError, match="do not match"):
        decode(data, b"another")


def signed(head: object, arrays: bytes = b"", *, length: int | None = None, version: int = 1) -> bytes:
    """An entry with a good checksum, as somebody else may write it."""
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    body = text + arrays
    packed = zlib.compress(body)
    length = len(body) if length is None else length
    data = struct.pack("<8sIIQQ", b"OVBCACHE", version, len(text), len(packed), length) + packed
    return data + checksum(data, b"")


@pytest.mark.parametrize(
    "data",
    [
        signed({"head": {}, "arrays": []}, version=2),
        signed({"head": {}, "arrays": []}, b"more"),
        signed({"head": {}, "arrays": []}, bytes(1 << 20), length=200),  # unpacks to more than it says
        signed({"head": {}, "arrays": []}, length=1 << 40),
        signed({"head": [], "arrays": []}),
        signed({"arrays": []}),
        signed([]),
        signed(b"no JSON"),
        signed(b"[" * 100_000),
        signed({"head": {}, "arrays": [["x", "|O", ["n"], [1]]]}, bytes(8)),
        signed({"head": {}, "arrays": [["x", "<f4", ["n"], [2]]]}, bytes(4)),
        signed({"head": {}, "arrays": [["x", "<f4", ["n", "m"], [2**63, 2]]]}),
        signed({"head": {}, "arrays": [["x", "<f4", ["n"], [-1]]]}),
        signed({"head": {}, "arrays": [["x", "<f4", [], [1]]]}, bytes(4)),
        signed({"head": {}, "arrays": [["x", "<f4", ["hand"], [1]]]}, bytes(4)),
        signed({"head": {}, "arrays": [["x", "<f4", [3], [1]]]}, bytes(4)),
        signed({"head": {}, "arrays": [[["x"], "<f4", ["n"], [1]]]}, bytes(4)),
        signed({"head": {}, "arrays": [["x", "<f4", ["n"], [True]]]}, bytes(4)),
        signed({"head": {}, "arrays": [["x", "<f4", ["n"], [1]], ["x", "<f4", ["n"], [1]]]}, bytes(8)),
    ],
)
def test_a_crafted_entry_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(ArtefactError, match="an entry of the cache is damaged") as caught:
        decode(data)
    assert "\n" not in str(caught.value)


def test_a_good_signed_entry_is_read() -> None:
    found = decode(signed({"head": {"a": 2}, "arrays": [["x", "<f4", ["n"], [2]]]}, bytes(8)))
    assert found.head == {"a": 2}
    assert found["x"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("values", [np.array(["text"]), np.array([object()]), np.array([1j])])
def test_other_types_are_not_kept(values: np.ndarray) -> None:
    with pytest.raises(ValueError, match="not kept"):
        encode(CacheRecord({}, {"x": CachedArray(("n",), values)}))


def test_axes_must_fit() -> None:
    for axes, shape in ((("n",), (2, 2)), (("n", "n"), (2, 2)), (("hand",), (1325,))):
        with pytest.raises(ValueError, match=r"ax[ie]s"):
            CacheRecord({}, {"x": CachedArray(axes, np.zeros(shape))})
