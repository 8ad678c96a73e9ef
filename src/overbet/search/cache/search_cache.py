"""The two tiers as one cache: memory first, then disk; what the disk cannot do is left out and counted."""

from __future__ import annotations

import os
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from overbet.errors import ArtefactError, ConfigError, short
from overbet.files import data_folder
from overbet.search.cache.answer import CachedAnswer
from overbet.search.cache.disk import LEAST_BYTES, DiskTier, PendingNotes
from overbet.search.cache.encoding import decode, encode
from overbet.search.cache.environment import DamagedCacheError, remove_files
from overbet.search.cache.memory import MemoryTier
from overbet.search.cache.record import CacheRecord
from overbet.search.cache.statistics import CacheCounts, CacheStatistics

if TYPE_CHECKING:
    from overbet.search.cache.key import Key

FOLDER = "search-cache"
MEMORY_BYTES = 256 << 20
DISK_BYTES = 4 << 30
_AGAIN_SECONDS = 60.0  # after which a disk that failed is tried again
_NOTES = 256  # lookups after which uses and counts are written

T = TypeVar("T")


def cache_folder() -> Path:
    """Return where the cache lies: in the data folder, `$OVERBET_HOME` or `~/.local/share/overbet`."""
    return data_folder() / FOLDER


class SearchCache:
    """Answers of searches by key, in memory and on disk. Threads may share one, and processes a folder.

    folder: of the tier on disk, `cache_folder()` unless named. memory_bytes, disk_bytes: limits of the tiers;
    0 leaves a tier out. tell: gets one line the first time that the disk cannot be used; the cache then goes
    on in memory alone, and tries the disk again after a minute.

    Nothing is opened before the first lookup. `close`, or `with`, writes the last counts.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        *,
        memory_bytes: int = MEMORY_BYTES,
        disk_bytes: int = DISK_BYTES,
        tell: Callable[[str], object] | None = None,
    ) -> None:
        if memory_bytes < 0 or (disk_bytes != 0 and disk_bytes < LEAST_BYTES):
            raise ConfigError(
                f"a search cache takes 0 bytes of memory or more and 0 or at least {LEAST_BYTES:,} bytes of "
                f"disk; {memory_bytes:,} and {disk_bytes:,} were asked for"
            )
        self.folder = cache_folder() if folder is None else Path(folder)
        self.disk_limit = disk_bytes
        self._memory = MemoryTier(memory_bytes)
        self._lock = threading.RLock()
        self._pending = PendingNotes()
        self._process = CacheCounts()
        self._tier: DiskTier | None = None
        self._closing: weakref.finalize[[], SearchCache] | None = None
        self._again = 0.0
        self._tell, self._told = tell or _warn, False

    def get(self, key: Key) -> CacheRecord | None:
        """Return the record of a key in the real suits, None where there is none; arrays are read only."""
        with self._lock:
            for data in (self._from_memory, self._from_disk):
                found = data(key.data)
                if found is not None:
                    return found.renamed(key.back)
            self._count(misses=1)
            return None

    def put(self, key: Key, record: CacheRecord) -> None:
        """Keep a record, given in the real suits, in both tiers; one that is there is replaced."""
        data = encode(record.renamed(key.renaming), key.data)
        with self._lock:
            self._memory.put(key.data, data)
            self._process = self._process._replace(stored=self._process.stored + 1)
            evicted = self._on_disk(lambda tier: tier.put(key.data, data), needed=True)
            self._process = self._process._replace(evicted=self._process.evicted + (evicted or 0))

    def __contains__(self, key: Key) -> bool:
        """Return whether a key has an entry; that is no lookup, and the entry may turn out to be damaged."""
        with self._lock:
            return key.data in self._memory or bool(self._on_disk(lambda tier: tier.has(key.data)))

    def get_answer(self, key: Key) -> CachedAnswer | None:
        """Return the answer of a search in the real suits, None where there is none."""
        record = self.get(key)
        if record is not None:
            with suppress(ArtefactError):  # a record of another kind is no answer
                return CachedAnswer.of(record)
        return None

    def put_answer(self, key: Key, answer: CachedAnswer) -> None:
        """Keep the answer of a search, given in the real suits."""
        self.put(key, answer.record())

    def statistics(self) -> CacheStatistics:
        """Return what happened and how full the tiers are."""
        with self._lock:
            found = self._on_disk(lambda tier: (*tier.totals(), tier.file_bytes()))
            entries, size, _, all_time, file_bytes = found or (0, 0, 0, self._pending.counts, 0)
            return CacheStatistics(
                str(self.folder),
                found is not None,
                self._process,
                all_time,
                len(self._memory),
                self._memory.nbytes,
                self._memory.limit,
                entries,
                size,
                self.disk_limit,
                file_bytes,
            )

    def flush(self) -> None:
        """Write uses and counts that wait for the next entry."""
        with self._lock:
            self._on_disk(DiskTier.note)

    def clear(self) -> None:
        """Remove all entries of both tiers, and the totals."""
        with self._lock:
            self._memory.clear()
            self._pending.used.clear()
            self._pending.counts = CacheCounts()
            self._on_disk(DiskTier.clear)

    def close(self) -> None:
        """Write the last counts and let go of the disk; a later lookup opens it again."""
        with self._lock:
            self._let_go()

    def __enter__(self) -> SearchCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- lookups

    def _from_memory(self, key: bytes) -> CacheRecord | None:
        data = self._memory.get(key)
        if data is None:
            return None
        self._pending.use(key)
        self._count(memory_hits=1)
        return decode(data, key)

    def _from_disk(self, key: bytes) -> CacheRecord | None:
        data = self._on_disk(lambda tier: tier.get(key), needed=True)
        if data is None:
            return None
        try:
            found = decode(data, key)
        except ArtefactError:
            self._count(damaged=1)
            self._on_disk(lambda tier: tier.delete(key))
            return None
        self._memory.put(key, data)
        self._count(disk_hits=1)
        return found

    def _count(self, **more: int) -> None:
        counts = CacheCounts(**more)
        self._process = self._process.plus(counts)
        self._pending.counts = self._pending.counts.plus(counts)
        if self._pending.counts.lookups >= _NOTES:
            self._on_disk(DiskTier.note)

    # -- the disk

    def _on_disk(self, action: Callable[[DiskTier], T], *, needed: bool = False) -> T | None:
        """Do something with the disk; None where it cannot be done, which is counted where it was needed."""
        try:
            tier = self._opened()
            if tier is not None:
                return action(tier)
        except ArtefactError as error:
            self._fail(error)
        if needed and self.disk_limit:
            failed = CacheCounts(failures=1)
            self._process = self._process.plus(failed)
            self._pending.counts = self._pending.counts.plus(failed)
        return None

    def _opened(self) -> DiskTier | None:
        if self._tier is not None and self._tier.process != os.getpid():
            self._let_go()  # forked: the environment belongs to the other process
        if self._tier is None and self.disk_limit and time.monotonic() >= self._again:
            self._tier = DiskTier(self.folder, self.disk_limit, self._pending)
            self._closing = weakref.finalize(self, self._tier.close)
        return self._tier

    def _fail(self, error: ArtefactError) -> None:
        self._again = time.monotonic() + _AGAIN_SECONDS
        self._let_go()
        if isinstance(error, DamagedCacheError):
            with suppress(ArtefactError):  # the first error is the one to tell
                if remove_files(self.folder):
                    self._again = 0.0  # a new one can be begun at once
        if not self._told:
            self._told = True
            now = "searches are kept in memory alone for now" if self._again else "a new one is begun"
            self._tell(f"{short(error, 500)}; {now}")

    def _let_go(self) -> None:
        if self._closing is not None:
            self._closing()
        self._tier, self._closing = None, None


def _warn(line: str) -> None:
    warnings.warn(line, stacklevel=2)
