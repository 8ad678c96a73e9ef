"""Networks as ONNX, for programs that know nothing of overbet: `rows` in, `told` out.

The graph is written out by hand: products, sums, rectifiers and one normalisation are all there is, and
PyTorch's own export would want another package. With `legal` (1 where an action may be taken) the output of
networks that say shares is their softmax.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from overbet.errors import ConfigError
from overbet.files import replacing
from overbet.solvers.deep.network_file import NO_NETWORK, NetworkFile

_OPSET, _IR = 17, 8  # since 2022: LayerNormalization is in it
_OUT = -1e9


def save_onnx(networks: NetworkFile, network: int, path: str | Path) -> None:
    """Write one network (by its player) to a .onnx file, atomically.

    Inputs: `rows` [n, inputs] float32 and, where shares are told, `legal` [n, outputs] bool; output: `told`
    [n, outputs] float32.
    """
    if Path(path).suffix.lower() != ".onnx":
        raise ConfigError(f"an ONNX file ends in .onnx, and {str(path)!r} does not")
    data = _model(networks, network).SerializeToString()
    with replacing(path) as beside:
        beside.write_bytes(data)


def check_export(average: str) -> None:
    """Say before a run why its policy networks cannot be written; average: that of its config."""
    if average != "network":
        raise ConfigError(NO_NETWORK)
    _onnx()


def _onnx() -> Any:
    try:
        import onnx
    except ImportError as error:
        raise ConfigError("export needs the package onnx: pip install 'overbet[deep]'") from error
    return onnx


def _model(networks: NetworkFile, network: int) -> Any:
    onnx = _onnx()
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    shape, arrays = networks.shapes[network], networks.networks[network]
    constants = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    nodes, last = [], "rows"
    for layer in range(shape.layers):
        affine, found = f"affine{layer}", f"found{layer}"
        nodes.append(helper.make_node("Gemm", [last, f"weight{layer}", f"bias{layer}"], [affine]))
        nodes.append(helper.make_node("Relu", [affine], [found]))
        if shape.skip and layer:
            nodes.append(helper.make_node("Add", [found, last], [f"hidden{layer}"]))
            found = f"hidden{layer}"
        last = found
    if shape.norm:
        constants.append(numpy_helper.from_array(np.ones(shape.width, np.float32), "ones"))
        nodes.append(helper.make_node("LayerNormalization", [last, "ones"], ["normed"], epsilon=1e-5))
        last = "normed"
    shares = networks.says == "shares"
    head = "said" if shares else "told"
    nodes.append(helper.make_node("Gemm", [last, f"weight{shape.layers}", f"bias{shape.layers}"], [head]))
    inputs = [helper.make_tensor_value_info("rows", onnx.TensorProto.FLOAT, ["n", shape.inputs])]
    if shares:
        inputs.append(helper.make_tensor_value_info("legal", onnx.TensorProto.BOOL, ["n", shape.outputs]))
        constants.append(numpy_helper.from_array(np.array(_OUT, np.float32), "out"))
        nodes.append(helper.make_node("Where", ["legal", "said", "out"], ["open"]))
        nodes.append(helper.make_node("Softmax", ["open"], ["told"], axis=1))
    outputs = [helper.make_tensor_value_info("told", onnx.TensorProto.FLOAT, ["n", shape.outputs])]
    graph = helper.make_graph(nodes, f"{networks.game}-{network}", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR
    onnx.checker.check_model(model)
    return model
