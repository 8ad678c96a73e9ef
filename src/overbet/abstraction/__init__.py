"""Card buckets: hands that are played alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.abstraction.bucket_build import build_buckets as build_buckets
    from overbet.abstraction.bucket_config import BucketsConfig as BucketsConfig
    from overbet.abstraction.bucket_config import preset as preset
    from overbet.abstraction.bucket_files import find_buckets as find_buckets
    from overbet.abstraction.bucket_files import load_buckets as load_buckets
    from overbet.abstraction.bucket_files import save_buckets as save_buckets
    from overbet.abstraction.buckets import Buckets as Buckets
else:
    _TABLE = {
        "overbet.abstraction.bucket_build": ("build_buckets",),
        "overbet.abstraction.bucket_config": (
            "BucketsConfig",
            "preset",
        ),
        "overbet.abstraction.bucket_files": (
            "find_buckets",
            "load_buckets",
            "save_buckets",
        ),
        "overbet.abstraction.buckets": ("Buckets",),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
