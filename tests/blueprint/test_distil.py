from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from overbet.blueprint.catalogue import find_blueprint  # noqa: E402
from overbet.blueprint.network.distil import DistilConfig, Distillation, lessons_of  # noqa: E402
from overbet.blueprint.network.files import load_network  # noqa: E402
from overbet.blueprint.network.state import load_distillation, save_state  # noqa: E402
from overbet.blueprint.query import Blueprint  # noqa: E402
from overbet.errors import ArtefactError  # noqa: E402
from overbet.kernels.network.imitation import imitate  # noqa: E402

SMALL = {"shape": {"width": 32, "blocks": 1, "embedding": 16}, "batch": 256, "ring": 20_000, "chunk": 8192}


@pytest.fixture(scope="module")
def teacher() -> Blueprint:
    return Blueprint.load(find_blueprint("heads-up"))


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def distilled(teacher: Blueprint, **settings: Any) -> Distillation:
    return Distillation(teacher, DistilConfig.parse({**SMALL, "steps": 150, "asked": 5000, **settings}))


def test_samples_are_what_the_blueprint_would_do(teacher: Blueprint) -> None:
    run = distilled(teacher)
    lessons = lessons_of(4000)
    deals, count = imitate(run.teacher, 5, 0, 0.25, 2, 0.25, lessons)
    assert deals > 100
    assert 3900 < count <= 4000
    tree, encoder = teacher.tree, run.encoder
    record = run.teacher.record
    for one in range(0, count, 37):
        node, street = int(lessons.node[one]), int(lessons.street[one])
        assert tree.nodes.street[node] == street
        row = record[node, 2] + record[node, 3] * int(lessons.bucket[one])
        wanted = run.teacher.strategy[row : row + tree.nodes.num_children[node]] / 255.0
        played = lessons.played[one][encoder.slots[node] >= 0]
        np.testing.assert_allclose(played, wanted, atol=1e-6)
        assert lessons.played[one].sum() == pytest.approx(1.0, abs=1e-6)
    run.close()


def test_a_network_comes_close_to_the_blueprint_and_goes_on(teacher: Blueprint, tmp_path: Path) -> None:
    run = distilled(teacher)
    before, _ = run.apart()
    run.run(100)
    save_state(tmp_path / "n.state.h5", run)
    after, _ = run.apart()
    assert after < 0.85 * before
    run.save(tmp_path / "n.h5", {"apart": after})
    file = load_network(tmp_path / "n.h5")
    assert file.what == "distilled"
    assert file.manifest["steps"] == 100
    again = distilled(teacher)
    load_distillation(tmp_path / "n.state.h5", again)
    assert (again.steps, again.apart()) == (100, run.apart())
    again.run(5)
    assert again.steps == 105
    with pytest.raises(ArtefactError, match="not what it should be"):
        load_distillation(tmp_path / "n.state.h5", distilled(teacher, shape={"width": 8, "embedding": 8}))
    for one in (run, again):
        one.close()
