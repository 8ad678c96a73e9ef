"""Where an array's numbers lie, for operations that are written as LLVM code.

As everywhere, callers validate; where numba's bounds checking is on, these operations check theirs too.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils as _cgutils

# Numba's code generation is untyped: `Any` stands for its contexts, builders and values.
cgutils: Any = _cgutils


def data_of(context: Any, builder: Any, kind: Any, array: Any, at: Any, count: int = 1) -> Any:
    """Return a pointer to an array's data, of which `count` entries from offset `at` on are to be used."""
    held = context.make_array(kind)(context, builder, array)
    if getattr(numba.config, "BOUNDSCHECK", None):
        for place in (at, builder.add(at, ir.Constant(at.type, count - 1))):
            cgutils.do_boundscheck(context, builder, place, held.nitems)
    return held.data
