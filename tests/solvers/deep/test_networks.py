"""Networks side by side, Adam on them, and the same networks in numpy and as ONNX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from overbet.errors import ArtefactError, ConfigError
from overbet.solvers.deep.fitting import Chunk, FitConfig, Fitter
from overbet.solvers.deep.network_file import NetworkFile
from overbet.solvers.deep.networks import NetworkShape, Stack, told_by
from overbet.solvers.deep.onnx_export import save_onnx

SHAPES = [
    NetworkShape(5, 3, 3, 8, True, True),
    NetworkShape(5, 3, 1, 8, False, False),
    NetworkShape(4, 2, 4, 6, True, False),
]


def trained(shape: NetworkShape, count: int = 1) -> Stack:
    """Return networks whose heads say something too."""
    stack = Stack(shape, count)
    stack.reset(list(range(1, count + 1)))
    with torch.no_grad():
        stack.flat += 0.1 * torch.randn(stack.flat.shape, generator=torch.Generator().manual_seed(3))
    return stack


@pytest.mark.parametrize("shape", SHAPES)
def test_numpy_says_what_pytorch_says(shape: NetworkShape) -> None:
    stack = trained(shape, 2)
    rows = torch.randn(2, 7, shape.inputs, generator=torch.Generator().manual_seed(1))
    said = stack(rows).detach().numpy()
    for place in range(2):
        arrays = {name: array[place] for name, array in stack.arrays().items()}
        assert told_by(arrays, shape, rows[place].numpy()) == pytest.approx(said[place], abs=1e-5)


def test_new_networks_say_nothing_and_are_their_key_s() -> None:
    stack, again = Stack(SHAPES[0], 2), Stack(SHAPES[0], 2)
    stack.reset([1, 2])
    again.reset([2, 1])
    assert not stack(torch.randn(2, 4, 5)).any()
    assert torch.equal(stack.flat[0], again.flat[1])
    assert not torch.equal(stack.flat[0], stack.flat[1])


def steps(fitter: Fitter, target: torch.Tensor, count: int = 20) -> None:
    weight = torch.full_like(target, 1 / target.shape[-2])
    fitter.fit(lambda _, n: Chunk(target.expand(n, *target.shape), weight.expand(n, *target.shape)), count)


@pytest.mark.parametrize("clip", [0.0, 0.05])
def test_steps_are_those_of_adam(clip: float) -> None:
    """One network against torch.optim.Adam and clip_grad_norm_, from the same weights."""
    shape, draw = SHAPES[0], np.random.default_rng(0)
    features, legal = draw.normal(size=(6, 5)).astype(np.float32), np.ones((6, 3), bool)
    target = torch.from_numpy(draw.normal(size=(1, 6, 3)).astype(np.float32))
    fitter = Fitter(Stack(shape, 1), features, legal, FitConfig(clip=clip, learning_rate=0.01))
    fitter.begin([4])
    other = Stack(shape, 1)
    other.copy_from(fitter.stack)
    steps(fitter, target)
    adam = torch.optim.Adam(other.parameters, lr=0.01)
    for _ in range(20):
        adam.zero_grad()
        ((other(torch.from_numpy(features)[None]) - target).square() / 6).sum().backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(other.parameters, clip)
        adam.step()
    assert torch.allclose(fitter.stack.flat, other.flat, atol=2e-5)


def test_networks_side_by_side_learn_what_each_learns_alone() -> None:
    shape, draw = SHAPES[0], np.random.default_rng(0)
    features, legal = draw.normal(size=(6, 5)).astype(np.float32), np.ones((6, 3), bool)
    target = (
        torch.from_numpy(draw.normal(size=(2, 6, 3)).astype(np.float32))
        * torch.tensor([1.0, 50.0])[:, None, None]
    )
    config = FitConfig(polyak=0.9, last_rate=0.1)
    both = Fitter(Stack(shape, 2), features, legal, config)
    both.begin([1, 2])
    steps(both, target)
    for place in range(2):
        alone = Fitter(Stack(shape, 1), features, legal, config)
        alone.begin([place + 1])
        steps(alone, target[place : place + 1])
        assert torch.allclose(both.stack.flat[place], alone.stack.flat[0], atol=1e-5)
        assert torch.allclose(both.player.flat[place], alone.player.flat[0], atol=1e-5)
        assert not torch.equal(alone.player.flat, alone.stack.flat)  # a running mean


def test_a_fit_comes_close_and_leaves_out_what_is_not_legal() -> None:
    draw = np.random.default_rng(0)
    features, legal = np.eye(5, dtype=np.float32), draw.random((5, 3)) < 0.7
    legal[:, 0] = True
    target = torch.from_numpy(np.where(legal, draw.random((1, 5, 3)), 0.0).astype(np.float32))
    shares = target / target.sum(-1, keepdim=True)
    fitter = Fitter(Stack(SHAPES[0], 1), features, legal, FitConfig(learning_rate=0.02), "shares")
    fitter.begin([1])
    steps(fitter, shares, 400)
    table = fitter.table()
    assert table[0] == pytest.approx(shares[0].numpy(), abs=0.02)
    assert not table[0][~legal].any()


def a_file(says: str = "shares") -> NetworkFile:
    shapes = (SHAPES[0], SHAPES[2])
    arrays = tuple({k: a[0] for k, a in trained(shape).arrays().items()} for shape in shapes)
    return NetworkFile("kuhn", "0" * 64, "kuhn", says, shapes, arrays, {"iterations": 3})


def test_a_file_of_networks_comes_back(tmp_path: Path) -> None:
    networks = a_file()
    networks.save(tmp_path / "n.h5")
    back = NetworkFile.load(tmp_path / "n.h5", "kuhn", "0" * 64)
    assert back.shapes == networks.shapes
    assert back.origin == {"iterations": 3}
    for one, other in zip(networks.networks, back.networks):
        assert one.keys() == other.keys()
        assert all((one[key] == other[key]).all() for key in one)


def test_another_game_s_or_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "n.h5"
    a_file().save(path)
    with pytest.raises(ArtefactError, match="networks of the game 'kuhn', not of 'leduc'"):
        NetworkFile.load(path, "leduc")
    with pytest.raises(ArtefactError, match="other rules of 'kuhn'"):
        NetworkFile.load(path, "kuhn", "1" * 64)
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    with pytest.raises(ArtefactError, match="damaged"):
        NetworkFile.load(path)
    with pytest.raises(ConfigError, match=r"ends in \.h5"):
        a_file().save(tmp_path / "n.txt")


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    networks = a_file()
    networks.networks[0]["bias0"][0] = np.nan
    networks.save(tmp_path / "n.h5")
    with pytest.raises(ArtefactError, match="no numbers"):
        NetworkFile.load(tmp_path / "n.h5")


@pytest.mark.parametrize("says", ["shares", "values"])
def test_onnx_says_the_same(tmp_path: Path, says: str) -> None:
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    networks = a_file(says)
    for network, shape in enumerate(networks.shapes):
        save_onnx(networks, network, tmp_path / "n.onnx")
        session = runtime.InferenceSession(tmp_path / "n.onnx", providers=["CPUExecutionProvider"])
        draw = np.random.default_rng(network)
        rows = draw.normal(size=(50, shape.inputs)).astype(np.float32)
        legal = draw.random((50, shape.outputs)) < 0.6
        legal[:, 0] = True
        given = {"rows": rows} | ({"legal": legal} if says == "shares" else {})
        ours = networks.shares(network, rows, legal) if says == "shares" else networks.told(network, rows)
        assert session.run(None, given)[0] == pytest.approx(ours, abs=1e-5)
    with pytest.raises(ConfigError, match=r"ends in \.onnx"):
        save_onnx(networks, 0, tmp_path / "n.h5")
