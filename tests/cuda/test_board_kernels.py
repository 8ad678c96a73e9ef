"""The kernels that train by whole boards pass numba-cuda's typing and lowering, for which no GPU is needed.

numba's simulator runs kernels as Python and accepts what the compiler refuses: a local array whose size is
an expression, say.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from numba import types

from overbet.cuda.arrays import LeafOrder

boards = pytest.importorskip("overbet.cuda.boards", reason="numba-cuda is not installed")
if boards.SIMULATED:
    pytest.skip("the simulator compiles nothing", allow_module_level=True)

_HOPPER = (9, 0)


def _flat(kind: Any) -> Any:
    return types.Array(kind, 1, "C")


_INTS, _FLOATS, _INDEX = _flat(types.int32), _flat(types.float32), types.int64
_LINES = types.NamedTuple((_INTS,) * 3, boards.GpuLines)
_BOARDS = types.NamedTuple((_INDEX,) * 4 + (_INTS,) * 3, boards.GpuBoards)
_ENDS = types.NamedTuple((_INTS,) * 3 + (_FLOATS,), boards.GpuEnds)
_ORDER = types.NamedTuple((_INDEX, _INTS, _INDEX, _flat(types.uint64), _flat(types.uint32)), LeafOrder)
_CARRIED = (_LINES, _BOARDS, *(_FLOATS,) * 4, *(_INDEX,) * 3)
SIGNATURES = {
    "match_rows": (_INTS, *(_FLOATS,) * 3),
    "carry_down": _CARRIED,
    "carry_up": _CARRIED,
    "all_in_before_flop": (_BOARDS, _INTS, *(_FLOATS,) * 3),
    "evaluate_ends": (_BOARDS, _ORDER, _ENDS, _FLOATS, _INDEX),
    "discount_entries": (_FLOATS, _FLOATS, _INDEX),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_kernels_can_be_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.cuda import dispatcher
    from numba.cuda.compiler import compile_cuda

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=_HOPPER))
    kernel = getattr(boards, name).py_func
    compiled = compile_cuda(kernel, types.void, SIGNATURES[name], cc=_HOPPER, nvvm_options={"opt": 3})
    assert compiled.signature.args == SIGNATURES[name]
