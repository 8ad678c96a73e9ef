"""Policies: what they say, and that files come back as they went, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import ArtefactError, ConfigError, RulesError
from overbet.games.registry import make_game
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.policy_io import game_digest
from overbet.tree.flat import FlatGame, flatten
from tests.reference.random_games import RandomGame


@pytest.fixture(scope="module")
def kuhn() -> FlatGame:
    return flatten(make_game("kuhn"))


@pytest.fixture(scope="module")
def mixed(kuhn: FlatGame) -> TabularPolicy:
    weights = np.random.default_rng(1).random(kuhn.num_slots)
    return TabularPolicy.from_weights(kuhn, weights, {"solver": "test", "iterations": 3})


def test_uniform_play_is_as_exploitable_as_published() -> None:
    assert TabularPolicy.uniform("kuhn").exploitability() == pytest.approx(11 / 24, abs=1e-12)
    assert TabularPolicy.uniform("leduc").exploitability() == pytest.approx(2.373611, abs=1e-6)


def test_values_and_best_responses_hang_together(mixed: TabularPolicy) -> None:
    response = mixed.best_response()
    assert mixed.values().sum() == pytest.approx(0.0, abs=1e-12)
    assert response.exploitability == mixed.exploitability()
    assert response.gains.min() >= 0.0


def test_an_equilibrium_of_kuhn_written_by_hand(kuhn: FlatGame) -> None:
    bets = {(0, "J:"): 1 / 3, (0, "Q:pb"): 2 / 3, (0, "K:"): 1.0, (0, "K:pb"): 1.0}
    bets |= {(1, "J:p"): 1 / 3, (1, "Q:b"): 1 / 3, (1, "K:p"): 1.0, (1, "K:b"): 1.0}
    table = np.zeros(kuhn.num_slots)
    for key, infoset in kuhn.infoset_ids.items():
        table[kuhn.slots(infoset)] = 1.0 - bets.get(key, 0.0), bets.get(key, 0.0)
    policy = TabularPolicy(kuhn, table)
    assert policy.exploitability() == pytest.approx(0.0, abs=1e-12)
    assert policy.values()[0] == pytest.approx(-1 / 18, abs=1e-12)
    assert policy.at("J:") == {"check": pytest.approx(2 / 3), "bet": pytest.approx(1 / 3)}
    assert policy.at("Q:b", player=1)["call"] == pytest.approx(1 / 3)


def test_the_frame_is_tidy(mixed: TabularPolicy) -> None:
    frame = mixed.to_polars()
    assert frame.columns == ["infoset", "player", "action", "action_id", "probability"]
    assert frame.height == 24
    assert frame.group_by("player", "infoset").agg(pl.col("probability").sum())["probability"].to_list() == (
        pytest.approx([1.0] * 12)
    )
    row = frame.filter((pl.col("infoset") == "K:pb") & (pl.col("action") == "call"))
    assert row["probability"].item() == mixed.at("K:pb")["call"]


def test_notebooks_show_a_table_and_no_raw_names(mixed: TabularPolicy) -> None:
    html = mixed._repr_html_()
    assert "K:pb" in html
    assert f"{100 * mixed.at('K:pb')['call']:.1f}%" in html
    assert "876 more" in TabularPolicy.uniform("leduc")._repr_html_()
    nasty = flatten(RandomGame(2, 2, 3, name="<script>"))
    assert "<script>" not in TabularPolicy.uniform(nasty)._repr_html_()
    assert "12 information sets" in repr(mixed)


def test_a_policy_does_not_change(mixed: TabularPolicy) -> None:
    with pytest.raises(ValueError, match="read-only"):
        mixed.probabilities[0] = 0.5


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_files_bring_back_every_bit(mixed: TabularPolicy, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"policy{suffix}"
    mixed.save(path)
    loaded = TabularPolicy.load(path)
    assert loaded.probabilities.tobytes() == mixed.probabilities.tobytes()
    assert loaded.origin == mixed.origin
    assert loaded.game.name == "kuhn"
    assert TabularPolicy.load(path, mixed.game).game is mixed.game
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@given(st.integers(0, 40), st.integers(1, 3), st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_any_policy_of_any_game_survives_a_file(
    tmp_path_factory: pytest.TempPathFactory, game_seed: int, players: int, seed: int
) -> None:
    flat = flatten(RandomGame(game_seed, players, 4))
    if not flat.num_infosets:
        return
    policy = TabularPolicy.from_weights(flat, np.random.default_rng(seed).random(flat.num_slots) ** 9)
    folder = tmp_path_factory.mktemp("policy")
    for name in ("p.parquet", "p.json"):
        policy.save(folder / name)
        loaded = TabularPolicy.load(folder / name, flat)
        assert loaded.probabilities.tobytes() == policy.probabilities.tobytes()


def test_the_digest_tells_games_apart(kuhn: FlatGame) -> None:
    assert game_digest(kuhn) == game_digest(flatten(make_game("kuhn")))
    others = [flatten(make_game(name)) for name in ("kuhn3", "leduc", "leduc-one-bet")]
    changed = kuhn.tree.returns.copy()
    changed[3] *= 2
    others.append(FlatGame(**{**vars_of(kuhn), "tree": kuhn.tree._replace(returns=changed)}))
    assert len({game_digest(game) for game in (kuhn, *others)}) == 5


def vars_of(flat: FlatGame) -> dict[str, object]:
    return {name: getattr(flat, name) for name in FlatGame.__dataclass_fields__}


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_the_policy_of_another_game_is_refused(mixed: TabularPolicy, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"policy{suffix}"
    mixed.save(path)
    with pytest.raises(ArtefactError, match="belongs to the game 'kuhn', not to 'leduc'"):
        TabularPolicy.load(path, "leduc")
    flat = mixed.game
    rules = FlatGame(**{**vars_of(flat), "tree": flat.tree._replace(returns=2 * flat.tree.returns)})
    with pytest.raises(ArtefactError, match="other rules of 'kuhn'"):
        TabularPolicy.load(path, rules)
    unregistered = flatten(RandomGame(1, 2, 3))
    TabularPolicy.uniform(unregistered).save(path)
    with pytest.raises(ArtefactError, match="'random', which is not registered here; pass the game"):
        TabularPolicy.load(path)


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_damage_is_noticed_wherever_it_is(mixed: TabularPolicy, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"policy{suffix}"
    mixed.save(path)
    content = path.read_bytes()
    for size in range(0, len(content) - 2, 97):
        path.write_bytes(content[:size])
        with pytest.raises(ArtefactError):
            TabularPolicy.load(path)
    for place in range(0, len(content), 13):
        flipped = bytearray(content)
        flipped[place] ^= 4
        path.write_bytes(bytes(flipped))
        try:
            loaded = TabularPolicy.load(path)
        except ArtefactError:
            continue
        # what may pass are bytes that mean nothing here: white space, version, origin, statistics
        assert loaded.probabilities.tobytes() == mixed.probabilities.tobytes()


def test_damage_is_named(mixed: TabularPolicy, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    mixed.save(path)
    good = json.loads(path.read_text())
    path.write_text(path.read_text().replace("0.5", "0.6", 1))
    with pytest.raises(ArtefactError, match="does not match its seal"):
        TabularPolicy.load(path)
    del good["seal"]  # as one would who edits by hand

    def check(change: dict[str, object], match: str) -> None:
        path.write_text(json.dumps({**good, **change}))
        with pytest.raises(ArtefactError, match=match):
            TabularPolicy.load(path)

    check({"format": "another"}, "is not a policy file")
    check({"version": 9}, "has version 9")
    check({"policy": 3}, "not a list of information sets")
    check({"policy": good["policy"][1:]}, "column 'infoset'")
    check({"policy": [{**good["policy"][0], "actions": ["x", "y"]}, *good["policy"][1:]]}, "column 'action'")
    first = good["policy"][0]
    wrong = {**first, "probabilities": [0.5, 0.6]}
    check({"policy": [wrong, *good["policy"][1:]]}, "do not sum to 1")
    wrong = {**first, "probabilities": [-0.5, 1.5]}
    check({"policy": [wrong, *good["policy"][1:]]}, "not between 0 and 1")
    wrong = {**first, "probabilities": ["a", None]}
    check({"policy": [wrong, *good["policy"][1:]]}, "not between 0 and 1")
    path.write_text("[1, 2]")
    with pytest.raises(ArtefactError, match="is not a policy file"):
        TabularPolicy.load(path)
    path.write_text("\x00\xff")
    with pytest.raises(ArtefactError, match="damaged or not a JSON file"):
        TabularPolicy.load(path)


def test_an_edited_file_loads_without_its_seal(mixed: TabularPolicy, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    mixed.save(path)
    edited = json.loads(path.read_text())
    edited["policy"][0]["probabilities"] = [0.25, 0.75]
    del edited["seal"]
    path.write_text(json.dumps(edited))
    assert TabularPolicy.load(path).probabilities[:2].tolist() == [0.25, 0.75]


def test_a_foreign_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    pl.DataFrame({"x": [1]}).write_parquet(path)
    with pytest.raises(ArtefactError, match="is not a policy file"):
        TabularPolicy.load(path)


def test_bad_input_says_what_to_do(kuhn: FlatGame, tmp_path: Path) -> None:
    policy = TabularPolicy.uniform(kuhn)
    with pytest.raises(ConfigError, match=r"ends in .parquet or .json, not in '.csv'"):
        policy.save(tmp_path / "policy.csv")
    with pytest.raises(ConfigError, match="a sampling run, not a policy"):
        TabularPolicy.load(tmp_path / "run.h5")
    with pytest.raises(ArtefactError, match="there is no policy file"):
        TabularPolicy.load(tmp_path / "nothing.json")
    with pytest.raises(ConfigError, match=r"unknown information set of player 0 'K:bp' \(did you mean"):
        policy.at("K:bp")
    with pytest.raises(ConfigError, match="has 24 entries, not"):
        TabularPolicy(kuhn, np.ones(3))
    with pytest.raises(ConfigError, match="'J:' sum to 2, not to 1"):
        TabularPolicy(kuhn, np.ones(24))
    with pytest.raises(ConfigError, match="sum to nan"):
        TabularPolicy(kuhn, np.full(24, np.nan))
    with pytest.raises(ConfigError, match="between 0 and 1"):
        TabularPolicy(kuhn, np.tile([1.5, -0.5], 12))
    with pytest.raises(RulesError, match="did you mean 'kuhn'"):
        TabularPolicy.uniform("kun")
