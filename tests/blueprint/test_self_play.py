from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from overbet.blueprint.network.memory import PolicyMemory, first_of_each  # noqa: E402
from overbet.blueprint.network.self_play import SelfPlay, SelfPlayConfig  # noqa: E402
from overbet.blueprint.network.state import load_self_play, save_state  # noqa: E402
from overbet.blueprint.network.sweep import TreeTensors  # noqa: E402
from overbet.blueprint.network.torch_net import HandTensors  # noqa: E402
from overbet.cards.combos import class_of_combos  # noqa: E402
from overbet.errors import ConfigError  # noqa: E402
from overbet.kernels.holdem.layout import TERMINAL  # noqa: E402
from overbet.solvers.pushfold import solve_pushfold  # noqa: E402
from tests.blueprint.networks import PUSH, STREETS, encoder_called  # noqa: E402

PAIRS = 1326 * 1225


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def push(**settings: Any) -> SelfPlay:
    values = {
        "network": PUSH,
        "iterations": 40,
        "boards": 1,
        "samples": 4096,
        "batch": 512,
        "memory": 20_000,
        "stored": 2048,
        "policy_steps": 4,
        "rate": 3e-3,
        **settings,
    }
    return SelfPlay(SelfPlayConfig.parse(values), encoder_called("push"))


def exploitability(run: SelfPlay, average: bool) -> float:
    """Return the mean of both players' best responses, exact, in big blinds."""
    with torch.no_grad():
        given, hands = whole(run)
        strategy = run.strategy(given, average)
        best = [float(run.tree.best_values(strategy, hands, player).double().sum()) for player in range(2)]
    return sum(best) / 2 / PAIRS


def whole(run: SelfPlay) -> Any:
    """Return all hands before the flop."""
    rows = run.encoder.rows(np.zeros((1, 5), np.int8), [True, False, False, False])
    given = HandTensors(
        torch.as_tensor(rows.card[:, 0]),
        torch.as_tensor(rows.bucket[:, 0]).long(),
        torch.as_tensor(rows.strength[:, 0]),
        torch.zeros((1, 1326), dtype=torch.long),
    )
    return [given, None, None, None], run.tree.hands(rows, np.arange(1326)[None])


def test_values_of_push_or_fold_are_the_exact_solvers() -> None:
    tree = TreeTensors(encoder_called("push"))
    run = push()
    _, hands = whole(run)
    exact = solve_pushfold(10.0)
    classes = class_of_combos()
    strategy = torch.zeros((1, 2, 6, 1326))
    for decision, push_or_call, slot in ((0, exact.push, 5), (1, exact.call, 1)):
        shares = torch.as_tensor(np.asarray(push_or_call)[classes], dtype=torch.float32)
        strategy[0, decision, slot], strategy[0, decision, 0] = shares, 1.0 - shares
    values = tree.sweep(strategy, hands).value
    assert float(values[1][0, 0].double().sum()) / PAIRS == pytest.approx(exact.value_bb, abs=1e-5)
    assert float(values[0][0, 0].double().sum()) / PAIRS == pytest.approx(-exact.value_bb, abs=1e-5)
    best = sum(float(tree.best_values(strategy, hands, player).double().sum()) for player in range(2))
    assert best / 2 / PAIRS == pytest.approx(exact.exploitability_bb, abs=1e-5)


def test_self_play_finds_push_or_fold() -> None:
    run = push()
    before = exploitability(run, False)
    run.run(40)
    assert before > 0.3
    assert exploitability(run, False) < 0.01
    assert exploitability(run, True) < 0.5 * before


def test_prediction_plays_too() -> None:
    run = push(predict=True)
    run.run(25)
    assert exploitability(run, False) < 0.03


def test_whole_boards_agree_with_hands_one_by_one() -> None:
    """On a tree of four streets: uniform play, against the mean over all pairs of hands, end by end."""
    run = SelfPlay(
        SelfPlayConfig.parse({"network": STREETS, "boards": 1, "hands": 5, "seed": 4}),
        encoder_called("streets"),
    )
    run.iteration = 1
    rows, combos = run._dealt(1)
    hands = run.tree.hands(rows, combos)
    legal = run.tree.legal.float()
    strategy = (legal / legal.sum(1, keepdim=True))[None, :, :, None].expand(1, -1, -1, 5).contiguous()
    swept = run.tree.sweep(strategy, hands)
    nodes, shown = run.encoder.tree.nodes, rows.shown[0, combos[0]]
    reach = np.ones(len(nodes.player))
    for node in range(1, len(reach)):
        reach[node] = reach[nodes.parent[node]] / nodes.num_children[nodes.parent[node]]
    wanted = np.zeros(5)
    together, early = hands.together[0].numpy(), hands.early[0].numpy()
    for end in np.flatnonzero(nodes.player < 0).tolist():
        won = nodes.won[nodes.first[end]] / 100.0
        for own in range(5):
            for other in range(5):
                if not together[own, other]:
                    continue
                if nodes.player[end] == TERMINAL:
                    paid = won[0]
                elif nodes.street[end] == 0:
                    paid = -won[0] * early[own, other]
                else:
                    paid = -won[0] * np.sign(int(shown[own]) - int(shown[other]))
                wanted[own] += reach[end] * paid
    np.testing.assert_allclose(swept.value[0][0, 0].numpy(), wanted, atol=1e-4)


def test_a_run_taken_up_again_is_the_same_run(tmp_path: Path) -> None:
    straight = push(iterations=6)
    straight.run(6)
    stopped = push(iterations=6)
    stopped.run(3)
    save_state(tmp_path / "n.state.h5", stopped)
    again = load_self_play(tmp_path / "n.state.h5")
    assert again.iteration == 3
    again.run(3)
    for name, array in straight.policy.arrays().items():
        assert np.array_equal(array, again.policy.arrays()[name]), name
    with pytest.raises(ConfigError, match="unknown key"):
        SelfPlayConfig.parse({"bords": 3})


def test_a_sample_is_kept_whole_where_places_repeat() -> None:
    """Many samples fall on each place; every part of what is kept must be of one sample, on any device."""
    memory = PolicyMemory(50, 2.0)
    source = torch.Generator().manual_seed(1)
    number = torch.arange(4000)
    rows = HandTensors(
        (number % 52)[:, None].expand(-1, 7), number, number[:, None].expand(-1, 3).float() / 4000, number % 4
    )
    played = torch.nn.functional.one_hot(number % 6, 6).float()
    memory.add(number, rows, played, torch.ones(4000), 1, source)
    kept = memory.arrays["decision"].long()
    assert memory.kept == 50
    assert torch.equal(memory.arrays["bucket"].long(), kept)
    assert torch.equal(memory.arrays["played"].argmax(1), kept % 6)
    assert torch.equal(memory.arrays["street"].long(), kept % 4)
    places = torch.tensor([7, 3, 7, 7, 1, 3])
    assert sorted(first_of_each(places).tolist()) == [0, 1, 4]


def test_the_reservoir_favours_late_iterations_as_it_says() -> None:
    gamma, rounds, size = 2.0, 60, 4000
    memory = PolicyMemory(size, gamma)
    source = torch.Generator().manual_seed(2)
    for iteration in range(1, rounds + 1):
        number = torch.full((1000,), iteration)
        rows = HandTensors(
            torch.zeros((1000, 7), dtype=torch.long), number, torch.zeros((1000, 3)), torch.zeros(1000)
        )
        memory.add(number, rows, torch.zeros((1000, 6)), torch.ones(1000), iteration, source)
    kept = memory.arrays["decision"].long().numpy()
    # full from iteration 12 on; from there a share of t^gamma
    thirds = [((kept > low) & (kept <= high)).sum() / size for low, high in ((0, 20), (20, 40), (40, 60))]
    wanted = [(high**3 - low**3) / rounds**3 for low, high in ((0, 20), (20, 40), (40, 60))]
    np.testing.assert_allclose(thirds, wanted, atol=0.05)
