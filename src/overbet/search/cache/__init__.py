"""The cache of searches: answers are kept in memory and on disk, and found again for any names of the suits.

`SearchCache` has the two tiers, `Key` says which search an answer belongs to, `CachedAnswer` is what a search
found, and `CacheRecord` is anything else that has values for hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.search.cache.answer import CachedAnswer as CachedAnswer
    from overbet.search.cache.answer import CachedNode as CachedNode
    from overbet.search.cache.key import Key as Key
    from overbet.search.cache.record import CachedArray as CachedArray
    from overbet.search.cache.record import CacheRecord as CacheRecord
    from overbet.search.cache.search_cache import SearchCache as SearchCache
    from overbet.search.cache.search_cache import cache_folder as cache_folder
    from overbet.search.cache.statistics import CacheCounts as CacheCounts
    from overbet.search.cache.statistics import CacheStatistics as CacheStatistics
else:
    _TABLE = {
        "overbet.search.cache.answer": (
            "CachedAnswer",
            "CachedNode",
        ),
        "overbet.search.cache.key": ("Key",),
        "overbet.search.cache.record": (
            "CacheRecord",
            "CachedArray",
        ),
        "overbet.search.cache.search_cache": (
            "SearchCache",
            "cache_folder",
        ),
        "overbet.search.cache.statistics": (
            "CacheCounts",
            "CacheStatistics",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
