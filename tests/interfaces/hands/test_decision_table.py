"""The table of decisions of a database: the same words and shares as those told from played hands."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from overbet.agents.any_stacks import AnyStacksAgent
from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.agents.protocol import PublicState
from overbet.cards.combos import combo_index
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS
from overbet.hands import ANY, HandDatabase, decision_table, import_hands
from overbet.interfaces.hands.decision_table import ODD_POSTS, decision_rows
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.history.replay import states
from overbet.study.blueprint_decisions import BlueprintReference
from overbet.study.decision_lines import KINDS, HandStep, kind_of, line_kind
from overbet.study.decisions import SHARES
from overbet.study.strategy_lookup import DRAWS, OFF_TREE, TOO_FAR, StrategyLookup
from tests.interfaces.hands.corpus import written
from tests.interfaces.hands.generated import imported_hands, played_blocks


@pytest.fixture(scope="module")
def blueprint() -> BlueprintAgent:
    agent = load_blueprint_agent("heads-up")
    assert isinstance(agent, BlueprintAgent)
    return agent


def test_it_says_what_is_told_from_the_hands_themselves(blueprint: BlueprintAgent, tmp_path: Path) -> None:
    blocks = played_blocks([blueprint, blueprint], 120, 7)
    told = BlueprintReference(blueprint).decisions(blocks)
    with imported_hands(blocks, tmp_path) as database:
        found = decision_table(database)
    assert {*found["source"]} == {"trained"}
    columns = ["position", "street", "line", "texture", "stack_bb", "action"]
    assert found.select(columns).equals(told.select(columns))
    assert np.allclose(found.select(SHARES).to_numpy(), told.select(SHARES).to_numpy())
    assert found["hand"].to_list() == (told["hand"] + 1).to_list()


def test_lines_are_those_of_the_actions_at_any_table(hands: HandDatabase) -> None:
    """The database keeps other words; at tables of two to six they come to the same lines."""
    found = decision_rows(hands, player=ANY)
    seen: set[str] = set()
    for number, group in found.group_by("hand", maintain_order=True):
        steps, lines = list[HandStep](), list[str]()
        for state, after in pairwise(states(hands.hand(int(str(number[0]))).record)):
            player, street = state.current_player(), STREETS.index(state.street)
            if player < 0:
                continue
            legal = state.legal_actions()
            if legal.fold or legal.raise_min is not None:
                lines.append(line_kind(steps, player, street))
            steps.append(HandStep(street, player, kind_of(after.history[-1][2], state.to_call > 0, street)))
        assert group["line"].to_list() == lines
        seen.update(lines)
    assert {"facing raise of limp", "barrel chance", "c-bet chance", "facing 4bet"} <= seen


def test_cards_of_showdowns_are_left_aside(blueprint: BlueprintAgent, tmp_path: Path) -> None:
    """Ann's cards are known in every hand, Bob's only where he shows them: his shares are the range's."""
    [block] = played_blocks([blueprint, blueprint], 40, 3)
    with imported_hands([block], tmp_path) as database:
        whole = decision_table(database, player="Bob")
        hidden = (
            "UPDATE seats SET hole = NULL WHERE hand % 2 AND name = (SELECT id FROM words WHERE text = 'Bob')"
        )
        database.connection.execute(hidden)
        found = decision_table(database, player="Bob")
    opening = found.filter(pl.col("line") == "unopened")
    assert opening["p_raise"].n_unique() == 1
    assert whole.filter(pl.col("line") == "unopened")["p_raise"].n_unique() > 1
    root = blueprint.blueprint.strategy_for_all_hands("r:0").mean(0)
    actions = blueprint.blueprint.actions("r:0")
    folds = float(root[actions.index(-1)])
    assert opening["p_fold"][0] == pytest.approx(folds)


def test_a_short_stack_is_compared_with_push_or_fold_and_others_as_the_agent_plays() -> None:
    lookup, agent = StrategyLookup(), AnyStacksAgent()
    ace, seven = combo_index(51, 50), combo_index(20, 1)
    for stack in (5, 30, 250):
        state = HoldemGame(2, (stack * 10,) * 2, (5, 10)).initial_state().with_cards([None, "AsAh"])
        for combo in (ace, seven):
            found = lookup.at(state, combo)
            assert found.source == ("push or fold" if stack < 6 else "nearest depth")
            strategy = agent.strategy_for_all_hands(PublicState.of(state))
            shares = np.zeros(len(KINDS))
            for action, share in zip(strategy.actions, strategy.of_hand(combo)):
                shares[KINDS.index(kind_of(action, True, 0))] += share
            assert found.shares == pytest.approx(shares)
    assert StrategyLookup(depth_ratio=1.1).at(state, ace).why == TOO_FAR


def test_what_cannot_be_compared_says_why(tmp_path: Path) -> None:
    deal = "d dh p1 AsAd, d dh p2 KsKd, "
    heads_up = written(deal + "p2 cbr 30, p1 f", (1000, 1000), _overbet_hero=2)
    straddled = written(deal + "d dh p3 QsQd, p1 cbr 60, p2 f, p3 f", (1000,) * 3, _overbet_hero=1, hand=2)
    object.__setattr__(straddled, "blinds", (5, 10, 20))
    four = written(deal + "d dh p3 QsQd, d dh p4 2c2d, p3 f, p4 f, p1 f", _overbet_hero=3, hand=3)
    (tmp_path / "a.phhs").write_text(write_hands([heads_up, straddled, four]), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        assert import_hands(database, tmp_path / "a.phhs").new == 3
        found = decision_table(database)
        assert found["why"].to_list() == [None, ODD_POSTS, "no blueprint for 4 players"]
        assert found.select(SHARES).to_numpy()[0].sum() == pytest.approx(1.0)
        assert found.select(SHARES)[1:].null_count().row(0) == (2,) * 5
        database.connection.execute("UPDATE hands SET hero = NULL")
        with pytest.raises(ConfigError, match="no hand has a hero"):
            decision_table(database)


def test_a_line_outside_of_the_tree_is_not_guessed(blueprint: BlueprintAgent) -> None:
    """Ten least raises: the tree has no such number of raises, and the agent would play by its rules."""
    state = blueprint.own_table.initial_state().with_cards([None, None])
    for raised in range(200, 1200, 100):
        state = state.apply(raised)
    assert StrategyLookup().at(state, 0) == (None, "", OFF_TREE)


def test_where_a_bet_is_mapped_at_random_the_mean_over_draws_stands(blueprint: BlueprintAgent) -> None:
    """A draw of the mapping is luck that is not the player's; no bet of the tree is 2.7 big blinds."""
    state = blueprint.own_table.initial_state().with_cards(["KhTs", None]).apply(270)
    combo, drawn = combo_index(*state.hole[0]), list[list[float]]()
    for draw in range(3 * DRAWS, 4 * DRAWS):
        strategy = blueprint.strategy_for_all_hands(PublicState.of(state, 0, draw))
        shares = [0.0] * len(KINDS)
        for action, share in zip(strategy.actions, strategy.of_hand(combo).tolist()):
            shares[KINDS.index(kind_of(action, True, 0))] += share
        drawn.append(shares)
    assert len({tuple(shares) for shares in drawn}) > 1
    assert StrategyLookup().at(state, combo, 3).shares == pytest.approx(np.mean(drawn, 0))


def test_prices_of_a_review_are_joined(blueprint: BlueprintAgent, tmp_path: Path) -> None:
    [block] = played_blocks([blueprint, blueprint], 20, 5)
    with imported_hands([block], tmp_path) as database:
        assert decision_rows(database)["ev_loss_bb"].null_count() == len(decision_rows(database))
        connection = database.connection
        connection.execute("DROP TABLE IF EXISTS reviews")
        connection.execute("CREATE TABLE reviews (hand, number, loss_bb REAL, PRIMARY KEY (hand, number))")
        first = decision_rows(database).row(0, named=True)
        connection.execute("INSERT INTO reviews VALUES (?, ?, 1.25)", (first["hand"], first["number"]))
        found = decision_rows(database)
    assert found["ev_loss_bb"][0] == 1.25
    assert found["ev_loss_bb"].drop_nulls().len() == 1
