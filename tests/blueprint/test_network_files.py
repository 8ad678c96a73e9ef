from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet import artefact
from overbet.blueprint.network.files import KIND, find_network, load_network, save_network
from overbet.blueprint.network.net import HoldemNet, hands_of_street
from overbet.errors import ArtefactError, ConfigError
from tests.blueprint.networks import config_of, encoder_called, weights, write_small


def test_a_network_is_read_back_bit_for_bit(tmp_path: Path) -> None:
    file = load_network(write_small(tmp_path / "n.h5", seed=3))
    assert (file.what, file.manifest, file.config) == ("self-play", {"seed": 3}, config_of("streets"))
    for name, array in weights("streets", 3).items():
        assert np.array_equal(file.net.arrays[name], array)


def test_shares_are_of_the_actions_there_are() -> None:
    net = HoldemNet(encoder_called("streets"), config_of("streets").shape, weights("streets"))
    encoder = net.encoder
    rows = encoder.rows(np.array([[50, 2, 37, 11, 23]], np.int8))
    for node in np.flatnonzero(encoder.tree.nodes.player >= 0)[::29].tolist():
        street = int(encoder.tree.nodes.street[node])
        hands = hands_of_street(rows, 0, street)
        shares = net.shares(node, net.of_hands(street, hands))
        assert shares.shape == (1326, len(encoder.tree.actions(node)))
        np.testing.assert_allclose(shares.sum(1), 1.0)
        assert ((shares == 0.0) | (shares > 0.009)).all()
        by_slot = net.shares_of_slots(np.full(1326, node), net.of_hands(street, hands))
        np.testing.assert_allclose(by_slot[:, encoder.slots[node] >= 0], shares, atol=1e-6)
        assert (by_slot[:, encoder.slots[node] < 0] == 0.0).all()


def test_numpy_and_pytorch_say_the_same() -> None:
    torch = pytest.importorskip("torch")
    from overbet.blueprint.network.torch_net import HandTensors, TorchNet

    encoder, shape = encoder_called("streets"), config_of("streets").shape
    net, other = HoldemNet(encoder, shape, weights("streets")), TorchNet(encoder, shape)
    other.load(weights("streets"))
    rows = encoder.rows(np.array([[50, 2, 37, 11, 23]], np.int8))
    for street, node in (
        (0, 0),
        (1, encoder.tree.find("r:0:b250:c")),
        (3, encoder.tree.find("r:0:b250:c:c:c:c:c")),
    ):
        hands = hands_of_street(rows, 0, street)
        given = HandTensors(
            torch.as_tensor(hands.card).long(),
            torch.as_tensor(np.maximum(hands.bucket, 0)).long() + other.first_bucket[street],
            torch.as_tensor(hands.strength),
            torch.full((1326,), street),
        )
        betting = torch.as_tensor(encoder.betting[node])
        with torch.no_grad():
            told = other.trunk(other.of_betting(betting) + other.of_hands(given)).numpy()
        np.testing.assert_allclose(net.logits(node, net.of_hands(street, hands)), told, atol=2e-4)


def test_what_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    path = write_small(tmp_path / "n.h5")
    good = path.read_bytes()
    path.write_bytes(good[:2000])
    with pytest.raises(ArtefactError, match="cut short"):
        load_network(path)
    broken = bytearray(good)
    broken[len(good) // 2] ^= 8
    path.write_bytes(bytes(broken))
    with pytest.raises(ArtefactError, match="damaged"):
        load_network(path)
    with pytest.raises(ArtefactError, match=r"there is no network 'gone\.h5'"):
        find_network("gone.h5")
    with pytest.raises(ConfigError, match=r"ends in \.h5"):
        save_network(
            tmp_path / "n.txt", config_of("push"), encoder_called("push"), weights("push"), "self-play", {}
        )


def test_a_network_of_another_game_or_with_odd_weights_is_refused(tmp_path: Path) -> None:
    def written(arrays: dict[str, np.ndarray], **head: str) -> Path:  # type: ignore[type-arg]
        encoder = encoder_called("push")
        facts = {"what": "self-play", "config": config_of("push").model_dump(mode="json"), "manifest": {}}
        hashes = {"game": encoder.tree.digest, "cards": encoder.cards.digest}
        artefact.write(tmp_path / "odd.h5", KIND, {**facts, **hashes, **head}, arrays)
        return tmp_path / "odd.h5"

    good = dict(weights("push"))
    assert load_network(written(good)).net.parameters == sum(array.size for array in good.values())
    with pytest.raises(ArtefactError, match="another tree"):
        load_network(written(good, game="0"))
    with pytest.raises(ArtefactError, match="other buckets"):
        load_network(written(good, cards="0"))
    with pytest.raises(ArtefactError, match="not what it should be"):
        load_network(written({**good, "answer": good["answer"][:, :3]}))
    with pytest.raises(ArtefactError, match="not finite"):
        load_network(written({**good, "bias": good["bias"] * np.float32(np.nan)}))
    with pytest.raises(ArtefactError, match="it has no 'bias'"):
        load_network(written({name: array for name, array in good.items() if name != "bias"}))
