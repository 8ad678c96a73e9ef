"""Targets for the cache of searches: the bytes of one entry, and the file of the whole cache."""

from __future__ import annotations

import random
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np

from overbet.errors import ArtefactError
from overbet.search.cache.answer import CachedAnswer, CachedNode
from overbet.search.cache.encoding import checksum, decode, encode
from overbet.search.cache.key import Key
from overbet.search.cache.maintenance import check_cache
from overbet.search.cache.search_cache import SearchCache
from tests.fuzz.grammar import mutated_bytes, mutated_text
from tests.fuzz.target import Target, WrongError, wrong_message

_KEYS = [Key(bytes([number]) * 32, (0, 1, 2, 3)) for number in range(12)]
_FIXED = struct.Struct("<8sIIQQ")
_LIMIT = 1 << 20


def _answer(number: int) -> CachedAnswer:
    rng = np.random.default_rng(number)
    shares = rng.dirichlet(np.ones(3), 1326).T.astype(np.float32)
    node = CachedNode("r:0", number % 2, ("c", "b300", "b900"))
    return CachedAnswer((node,), (shares,), rng.normal(size=(2, 1326)).astype(np.float32), 0.5)


class CacheEntryTarget(Target):
    """Entries, mutated: packed or unpacked, most with the checksum of their bytes, as anybody can."""

    name = "cache-entry"

    def prepare(self, folder: Path) -> None:
        """Write a good entry and read it."""
        self.good = encode(_answer(1).record(), _KEYS[1].data)
        self.run(self.good)

    def make(self, rng: random.Random) -> bytes:
        """Return a mutated entry."""
        if rng.random() < 0.3:
            return mutated_bytes(rng, self.good)
        fixed = list(_FIXED.unpack_from(self.good))
        body = zlib.decompress(self.good[_FIXED.size : -32])
        head, rest = body[: fixed[2]], body[fixed[2] :]
        if rng.random() < 0.7:
            head = mutated_text(rng, head.decode()).encode("utf-8", "surrogatepass")
        else:
            rest = mutated_bytes(rng, rest)
        packed = zlib.compress(head + rest, 1)
        packed = mutated_bytes(rng, packed) if rng.random() < 0.1 else packed
        fixed[2:] = [len(head), len(packed), len(head) + len(rest)]
        if rng.random() < 0.2:
            fixed[rng.randrange(2, 5)] = rng.choice((0, 1, 2**16, 2**28, 2**32 - 1))
        data = _FIXED.pack(*fixed) + packed
        return data + checksum(data, _KEYS[1].data)

    def run(self, given: bytes) -> None:
        """Read the entry; what has another checksum must be refused."""
        record = decode(given, _KEYS[1].data)
        if checksum(given[:-32], _KEYS[1].data) != given[-32:]:
            raise WrongError("an entry with another checksum was read")
        CachedAnswer.of(record)


class CacheFileTarget(Target):
    """The file of a cache, mutated: where its structure is whole, entries are right or misses.

    LMDB trusts the structure of its file and may end the process where it is damaged; `overbet cache check`
    finds that, and files it refuses are not opened here.
    """

    name = "cache-file"

    def prepare(self, folder: Path) -> None:
        """Fill a cache and keep its file."""
        self.folder = folder / "cache"
        shutil.rmtree(self.folder, ignore_errors=True)
        with SearchCache(self.folder, disk_bytes=_LIMIT) as cache:
            for number, key in enumerate(_KEYS[:10]):
                cache.put_answer(key, _answer(number))
        self.good = (self.folder / "data.mdb").read_bytes()
        self.run(self.good)

    def make(self, rng: random.Random) -> bytes:
        """Return a mutated file: bytes anywhere, the heads of pages, whole pages, or a part of it."""
        found, page = bytearray(self.good), 4096 * rng.randrange(len(self.good) // 4096)
        how = rng.choice((0, 1, 2, 3, 4, 4, 4, 4))
        if how == 0:
            return mutated_bytes(rng, self.good)
        if how == 1:
            found[page + rng.randrange(64)] ^= 1 << rng.randrange(8)
        elif how == 2:
            found[page : page + 4096] = rng.choice((bytes(4096), rng.randbytes(4096)))
        elif how == 3:
            other = 4096 * rng.randrange(len(self.good) // 4096)
            found[page : page + 4096] = self.good[other : other + 4096]
        else:
            for _ in range(rng.choice((1, 10, 100))):
                found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
        return bytes(found)

    def run(self, given: bytes) -> None:
        """Read and write; whatever is found must be what was written, and a fault is one line."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "data.mdb").write_bytes(given)
        checked = check_cache(self.folder)
        if checked.fault:
            raise ArtefactError(checked.fault)
        told: list[str] = []
        with SearchCache(self.folder, memory_bytes=0, disk_bytes=_LIMIT, tell=told.append) as cache:
            for number, key in enumerate(_KEYS[:10]):
                found = cache.get_answer(key)
                if found is not None and not np.array_equal(found.values, _answer(number).values):
                    raise WrongError(f"entry {number} answers otherwise")
            cache.put_answer(_KEYS[11], _answer(11))
            cache.put_answer(_KEYS[3], _answer(3))
            damaged = cache.statistics().process.damaged
        if damaged > checked.damaged:  # an entry whose key is damaged is never asked for
            raise WrongError(f"the check found {checked.damaged} damaged entries, and the cache {damaged}")
        wrong = [wrong_message(line) for line in told]
        if len(told) > 1 or any(wrong):
            raise WrongError(f"told {len(told)} lines: {wrong}")


def targets() -> list[Target]:
    """Return the targets of this file."""
    return [CacheEntryTarget(), CacheFileTarget()]
