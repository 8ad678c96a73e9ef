"""The tier on disk: one LMDB environment with a size limit.

    entries   key -> bytes of the entry
    uses      key -> number of its last use, bytes it takes
    order     number of the last use, key -> nothing: the first is the one to evict
    totals    name -> number: the clock of uses, bytes of all entries, what happened in all time

Every change is one transaction: a process can be killed at any moment, and the four tables fit each other.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import lmdb

from overbet.errors import ArtefactError, ConfigError, short
from overbet.search.cache.environment import CacheFullError, release, shared_environment
from overbet.search.cache.statistics import CacheCounts

LEAST_BYTES = 1 << 20
LAYOUT = 1
KEPT = 0.9  # part of the room that is still used after an eviction
_RESERVED_PAGES = 64  # besides an eighth of the limit: LMDB writes new pages before it frees old ones
_FULL = (0.9, 0.7, 0.4, 0.0)  # what is kept when the file has no room, try after try
_BATCH = 64  # entries read in one transaction by `entries`
_MOST_USED = 4096  # keys that wait to be noted
_USE = struct.Struct(">QQ")
_NUMBER = struct.Struct(">q")


class PendingNotes:
    """What is to be written with the next entry: keys that were used, and what happened."""

    def __init__(self) -> None:
        self.used: dict[bytes, None] = {}
        self.counts = CacheCounts()

    def use(self, key: bytes) -> None:
        """Note that a key was used now."""
        self.used.pop(key, None)
        self.used[key] = None
        if len(self.used) > _MOST_USED:  # nobody writes them: the disk is left out, or cannot be used
            del self.used[next(iter(self.used))]


class DiskTier:
    """Entries in a folder. Every method may raise an `ArtefactError` where the disk cannot be used.

    limit: bytes that the file may take. Entries have seven eighths of it; the rest is needed to write.
    """

    def __init__(self, folder: Path, limit: int, pending: PendingNotes | None = None) -> None:
        if limit < LEAST_BYTES:
            raise ConfigError(f"a search cache on disk needs at least {LEAST_BYTES:,} bytes, not {limit:,}")
        self.folder, self.limit, self.process = folder, limit, os.getpid()
        self.pending = pending or PendingNotes()
        self._environment = shared_environment(folder, limit)
        self._tables = self._environment.tables
        try:
            self._check_layout()
        except BaseException:
            release(self._environment)
            raise
        self.room = limit - limit // 8 - _RESERVED_PAGES * self._environment.page

    def get(self, key: bytes) -> bytes | None:
        """Return the bytes of an entry; its use is noted with the next write."""
        with self._environment.transaction() as transaction:
            found = transaction.get(key, db=self._tables["entries"])
        if found is None:
            return None
        self.pending.use(key)
        return bytes(found)

    def has(self, key: bytes) -> bool:
        """Return whether there is an entry, without using it."""
        with self._environment.transaction() as transaction:
            return transaction.get(key, db=self._tables["uses"]) is not None

    def put(self, key: bytes, data: bytes) -> int:
        """Write an entry and what is pending; return how many were evicted. A huge entry is left out."""
        if self._cost(data) > self.room:
            self.note()
            return 0
        evicted = 0
        for kept in _FULL:
            try:
                return evicted + self._put(key, data)
            except CacheFullError:  # the free pages of the file lie apart, or are still being read
                evicted += self._make_room(kept)
        return evicted + self._put(key, data)

    def note(self) -> None:
        """Write what is pending."""
        if self.pending.used or any(self.pending.counts):
            with self._environment.transaction(write=True) as transaction:
                self._write_pending(transaction)
            self._forget_pending()

    def delete(self, key: bytes) -> None:
        """Remove an entry."""
        with self._environment.transaction(write=True) as transaction:
            self._remove(transaction, key)

    def clear(self) -> None:
        """Remove all entries and totals; the file keeps its size and its pages are used again."""
        with self._environment.transaction(write=True) as transaction:
            for table in self._tables.values():
                transaction.drop(table, delete=False)

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield keys and bytes of all entries; writers are never kept waiting for long."""
        after = b""
        while True:
            batch: list[tuple[bytes, bytes]] = []
            with (
                self._environment.transaction() as transaction,
                transaction.cursor(self._tables["entries"]) as cursor,
            ):
                there = cursor.set_range(after) if after else cursor.first()
                while there and len(batch) < _BATCH:
                    batch.append((bytes(cursor.key()), bytes(cursor.value())))
                    there = cursor.next()
            if not batch:
                return
            yield from batch
            after = batch[-1][0] + b"\0"  # the least key that is greater

    def totals(self) -> tuple[int, int, int, CacheCounts]:
        """Return entries, their bytes, the limit of who wrote last, and what happened in all time."""
        with self._environment.transaction() as transaction:
            entries = int(transaction.stat(self._tables["entries"])["entries"])
            size, limit = (self._total(transaction, name) for name in ("bytes", "limit"))
            counts = CacheCounts(*(self._total(transaction, name) for name in CacheCounts._fields))
        return entries, size, limit, counts.plus(self.pending.counts)

    def file_bytes(self) -> int:
        """Return what the file takes on the disk."""
        return self._environment.file_bytes()

    def close(self) -> None:
        """Write what is pending, if that can be, and let go of the environment."""
        if os.getpid() == self.process:
            with suppress(ArtefactError):
                self.note()
        release(self._environment)

    def _check_layout(self) -> None:
        with self._environment.transaction() as transaction:
            layout = self._total(transaction, "layout")
        if layout not in (0, LAYOUT):
            raise ArtefactError(
                f"the search cache in {short(self.folder, 200)} was written by another version of overbet; "
                "`overbet cache clear` removes it"
            )

    # -- within a transaction

    def _put(self, key: bytes, data: bytes) -> int:
        cost = self._cost(data)
        with self._environment.transaction(write=True) as transaction:
            self._write_pending(transaction)
            self._remove(transaction, key)
            evicted = 0
            if self._total(transaction, "bytes") + cost > self.room:
                evicted = self._evict(transaction, int(KEPT * self.room) - cost)
            self._insert(transaction, key, data)
            for name, number in (("limit", self.limit), ("layout", LAYOUT)):
                self._add(transaction, name, number - self._total(transaction, name))
        self._forget_pending()
        return evicted

    def _insert(self, transaction: lmdb.Transaction, key: bytes, data: bytes) -> None:
        stamp, cost = self._tick(transaction), self._cost(data)
        transaction.put(key, data, db=self._tables["entries"])
        transaction.put(key, _USE.pack(stamp, cost), db=self._tables["uses"])
        transaction.put(_order(stamp, key), b"", db=self._tables["order"])
        self._add(transaction, "bytes", cost)
        self._add(transaction, "stored", 1)

    def _make_room(self, kept: float) -> int:
        """Evict all but a part of what is there; its pages can be used in the transaction after the next."""
        self._environment.forget_killed_readers()
        with self._environment.transaction(write=True) as transaction:
            evicted = self._evict(transaction, int(kept * self._total(transaction, "bytes")))
        with self._environment.transaction(write=True) as transaction:
            self._tick(transaction)
        return evicted

    def _evict(self, transaction: lmdb.Transaction, target: int) -> int:
        """Remove the entries used longest ago until the rest takes no more than `target` bytes."""
        evicted, size = 0, self._total(transaction, "bytes")
        with transaction.cursor(self._tables["order"]) as cursor:
            while size > target and cursor.first():
                key = bytes(cursor.key())[8:]
                used = transaction.get(key, db=self._tables["uses"])
                if used is None:
                    raise lmdb.CorruptedError("an entry has no last use")
                _, cost = _USE.unpack(used)
                cursor.delete()
                transaction.delete(key, db=self._tables["uses"])
                transaction.delete(key, db=self._tables["entries"])
                size -= cost
                evicted += 1
        self._add(transaction, "bytes", size - self._total(transaction, "bytes"))
        self._add(transaction, "evicted", evicted)
        return evicted

    def _remove(self, transaction: lmdb.Transaction, key: bytes) -> None:
        used = transaction.get(key, db=self._tables["uses"])
        if used is None:
            return
        stamp, cost = _USE.unpack(used)
        for name, row in (("order", _order(stamp, key)), ("uses", key), ("entries", key)):
            transaction.delete(row, db=self._tables[name])
        self._add(transaction, "bytes", -cost)

    def _write_pending(self, transaction: lmdb.Transaction) -> None:
        for key in self.pending.used:
            used = transaction.get(key, db=self._tables["uses"])
            if used is not None:  # not evicted meanwhile
                stamp, cost = _USE.unpack(used)
                now = self._tick(transaction)
                transaction.delete(_order(stamp, key), db=self._tables["order"])
                transaction.put(_order(now, key), b"", db=self._tables["order"])
                transaction.put(key, _USE.pack(now, cost), db=self._tables["uses"])
        for name, count in self.pending.counts._asdict().items():
            self._add(transaction, name, count)

    def _forget_pending(self) -> None:
        self.pending.used.clear()
        self.pending.counts = CacheCounts()

    def _tick(self, transaction: lmdb.Transaction) -> int:
        return self._add(transaction, "clock", 1)

    def _total(self, transaction: lmdb.Transaction, name: str) -> int:
        found = transaction.get(name.encode(), db=self._tables["totals"])
        return 0 if found is None else int(_NUMBER.unpack(found)[0])

    def _add(self, transaction: lmdb.Transaction, name: str, number: int) -> int:
        total = self._total(transaction, name) + number
        if number:
            transaction.put(name.encode(), _NUMBER.pack(total), db=self._tables["totals"])
        return total

    def _cost(self, data: bytes) -> int:
        """Return the bytes that an entry takes in the file: whole pages, and its rows in the tables."""
        page = self._environment.page
        return (len(data) + 16 + page - 1) // page * page + 256


def _order(stamp: int, key: bytes) -> bytes:
    """Return the row of `order`: rows of earlier uses come first."""
    return stamp.to_bytes(8, "big") + key
