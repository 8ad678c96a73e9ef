"""Looking at a cache folder from outside, checking it and emptying it, while others may be using it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from overbet.errors import ArtefactError, short
from overbet.search.cache.disk import DiskTier
from overbet.search.cache.encoding import decode
from overbet.search.cache.environment import DATA, DamagedCacheError, remove_files, structural_fault, told
from overbet.search.cache.search_cache import DISK_BYTES, cache_folder
from overbet.search.cache.statistics import CacheCounts, CacheStatistics


class CacheCheck(NamedTuple):
    """What a check found. removed: damaged entries that were taken out.

    fault: what is wrong with the structure of the file, in which case no entry was read; "" where nothing is,
    None where the file was in use and its structure was not looked at.
    """

    entries: int
    bytes: int
    damaged: int
    removed: int
    fault: str | None = ""


def stored_statistics(folder: Path | None = None) -> CacheStatistics:
    """Return how full a cache is on disk and what happened to it in all time; zeros where there is none."""
    place = folder or cache_folder()
    if not _is_there(place):
        return CacheStatistics(str(place), False, CacheCounts(), CacheCounts())
    with _opened(place) as tier:
        entries, size, limit, all_time = tier.totals()
        return CacheStatistics(
            str(place),
            True,
            CacheCounts(),
            all_time,
            disk_entries=entries,
            disk_bytes=size,
            disk_limit=limit,
            file_bytes=tier.file_bytes(),
        )


def check_cache(
    folder: Path | None = None,
    *,
    remove: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> CacheCheck:
    """Verify the structure of the file and every entry; progress: called with entries done and in all.

    remove: take damaged entries out, which would happen anyhow when they are asked for, or remove a file of
    damaged structure.
    """
    place = folder or cache_folder()
    if not _is_there(place):
        return CacheCheck(0, 0, 0, 0)
    fault = structural_fault(place)
    if fault:
        if remove:
            remove_files(place)
        return CacheCheck(0, 0, 0, 0, fault)
    checked, size, damaged = 0, 0, []
    with _opened(place) as tier:
        total = tier.totals()[0]
        for key, data in tier.entries():
            checked, size = checked + 1, size + len(data)
            try:
                decode(data, key)
            except ArtefactError:
                damaged.append(key)
            if progress is not None:
                progress(checked, max(total, checked))
        if remove and damaged:
            for key in damaged:
                tier.delete(key)
            tier.pending.counts = CacheCounts(damaged=len(damaged))
    return CacheCheck(checked, size, len(damaged), len(damaged) if remove else 0, fault)


def clear_cache(folder: Path | None = None) -> int | None:
    """Empty a cache and return how many entries it had, None where that cannot be told.

    The files are removed where nobody uses them; otherwise they keep their size and are filled anew.
    """
    place = folder or cache_folder()
    if not _is_there(place):
        return 0
    entries: int | None = None
    try:
        with _opened(place) as tier:
            entries = tier.totals()[0]
            tier.clear()
    except ArtefactError as error:  # damaged, or of another version: the files can still be removed
        if not remove_files(place):
            if isinstance(error, DamagedCacheError):
                raise ArtefactError(
                    f"the search cache in {short(place, 200)} is damaged and in use; "
                    "end the other overbet processes and try again"
                ) from error
            raise
    remove_files(place)
    return entries


def _is_there(folder: Path) -> bool:
    with told(folder):
        return (folder / DATA).is_file()


@contextmanager
def _opened(folder: Path) -> Iterator[DiskTier]:
    tier = DiskTier(folder, DISK_BYTES)
    try:
        yield tier
    finally:
        tier.close()
