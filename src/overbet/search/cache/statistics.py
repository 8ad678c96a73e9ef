"""How often the cache had the answer, and how full it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class CacheCounts(NamedTuple):
    """What happened to a cache.

    damaged: entries that were thrown away. failures: times the disk was needed and could not be used.
    """

    memory_hits: int = 0
    disk_hits: int = 0
    misses: int = 0
    stored: int = 0
    evicted: int = 0
    damaged: int = 0
    failures: int = 0

    @property
    def lookups(self) -> int:
        """How often an answer was asked for."""
        return self.memory_hits + self.disk_hits + self.misses

    @property
    def hit_rate(self) -> float | None:
        """The part of the lookups that found an answer; None without lookups."""
        return (self.memory_hits + self.disk_hits) / self.lookups if self.lookups else None

    def plus(self, other: CacheCounts) -> CacheCounts:
        """Return the sums."""
        return CacheCounts(*(one + two for one, two in zip(self, other)))

    def facts(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self._asdict(), "hit_rate": self.hit_rate}


@dataclass(frozen=True)
class CacheStatistics:
    """The state of a cache. Bytes are those of the entries; `file_bytes` is what the disk's file takes.

    process: since this cache was opened. all_time: of all processes since the cache was last cleared; what a
    process did since it last wrote to the disk is missing where it was killed. on_disk: whether the disk is
    in use.
    """

    folder: str
    on_disk: bool
    process: CacheCounts
    all_time: CacheCounts
    memory_entries: int = 0
    memory_bytes: int = 0
    memory_limit: int = 0
    disk_entries: int = 0
    disk_bytes: int = 0
    disk_limit: int = 0
    file_bytes: int = 0

    def facts(self) -> dict[str, Any]:
        """Return everything as plain values."""
        counts = {"process": self.process.facts(), "all_time": self.all_time.facts()}
        return {**self.__dict__, **counts}
