"""The search over prefixes against the sum over every path; numpy's layers against PyTorch's."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby, product

import numpy as np
import pytest

from overbet.interfaces.vision.networks.layers import CARD_STEPS, LETTERS, TEXT_STEPS, run
from overbet.interfaces.vision.networks.spelling import spelled


def test_probabilities_are_sums_over_all_paths() -> None:
    rng = np.random.default_rng(0)
    classes = [0, 1, 2]
    shares = np.zeros((5, len(LETTERS) + 1), np.float32)
    shares[:, classes] = rng.dirichlet([1, 1, 1], 5)
    plain: dict[str, float] = defaultdict(float)
    for path in product(classes, repeat=5):
        text = "".join(LETTERS[code - 1] for code, _ in groupby(path) if code)
        plain[text] += float(np.prod([shares[column, code] for column, code in enumerate(path)]))
    found = dict(spelled(shares, beam=1000))
    best = max(plain, key=lambda text: plain[text])
    assert max(found, key=lambda text: found[text]) == best
    for text, share in found.items():
        assert share == pytest.approx(plain[text], abs=0.03)


def test_layers_are_those_of_the_trained_module() -> None:
    torch = pytest.importorskip("torch")
    from overbet.interfaces.vision.networks.training import exported, network

    torch.manual_seed(0)
    card = network(CARD_STEPS, 3, 56, 40).eval()
    pictures = torch.randn(2, 3, 56, 40)
    ours = run(CARD_STEPS, exported(CARD_STEPS, card), pictures.permute(0, 2, 3, 1).numpy())
    np.testing.assert_allclose(ours, card(pictures).detach().numpy(), atol=1e-4)
    text = network(TEXT_STEPS, 1).eval()
    lines = torch.randn(2, 1, 24, 64)
    ours = run(TEXT_STEPS, exported(TEXT_STEPS, text), lines.permute(0, 2, 3, 1).numpy())[:, 0]
    np.testing.assert_allclose(ours, text(lines)[:, :, 0].permute(0, 2, 1).detach().numpy(), atol=1e-4)
