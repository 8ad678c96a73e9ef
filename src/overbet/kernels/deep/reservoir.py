"""The law of a reservoir: of n things that came by, `capacity` are kept, every set of them equally likely.

Algorithm R (Vitter 1985): thing number n (from 0) takes place n while there is room, later a place drawn from
0..n, if that is one of the reservoir's. The draw is a function of the key and of n, so neither the sizes of
the pieces in which things arrive nor anything remembered between them changes what is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.jit import kernel
from overbet.kernels.rng import below


@kernel
def reservoir_places(key: np.uint64, seen: int, capacity: int, places: Any, last: Any) -> None:
    """Write the place that each of the next things takes, or -1: places [n] int64.

    Of several that take the same place within the call the last stays, and the others get -1: places can be
    written to in any order. last: [capacity] int64, work space, all -1 before and after.
    """
    for i in range(len(places)):
        n = seen + i
        place = n if n < capacity else below(key, n, n + 1)
        places[i] = -1
        if place < capacity:
            if last[place] >= 0:
                places[last[place]] = -1
            places[i] = place
            last[place] = i
    for i in range(len(places)):
        if places[i] >= 0:
            last[places[i]] = -1
