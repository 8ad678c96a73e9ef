"""The tier in memory: the entries used last, as bytes, up to a number of bytes."""

from __future__ import annotations

from cachetools import LRUCache

OVERHEAD = 200  # bytes that an entry takes besides its own: objects, key and links


class MemoryTier:
    """Entries by key; the least recently used go first when the limit is reached."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._entries: LRUCache[bytes, bytes] = LRUCache(limit, getsizeof=_cost)

    def get(self, key: bytes) -> bytes | None:
        """Return an entry, which is then the one used last."""
        return self._entries.get(key)

    def put(self, key: bytes, data: bytes) -> None:
        """Keep an entry; one that is larger than the whole tier is left out."""
        if _cost(data) <= self.limit:
            self._entries[key] = data
        else:
            self._entries.pop(key, None)

    def delete(self, key: bytes) -> None:
        """Forget an entry."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()

    def __contains__(self, key: bytes) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def nbytes(self) -> int:
        """The bytes that all entries take."""
        return int(self._entries.currsize)


def _cost(data: bytes) -> int:
    return len(data) + OVERHEAD
