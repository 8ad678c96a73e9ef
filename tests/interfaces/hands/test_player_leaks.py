"""Leaks and opponents of a database: what was planted is found, and nothing else."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from overbet.agents.any_stacks import AnyStacksAgent
from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.agents.registry import make_agent
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame
from overbet.hands import ANY, HandDatabase, opponent, opponents, player_leaks
from overbet.interfaces.hands.words import FLAGS
from overbet.study.planted import THREE_LEAKS, planted_agent
from overbet.study.strategy_lookup import StrategyLookup
from tests.interfaces.hands.generated import imported_hands, played_blocks

PLANTED = {(leak.street, leak.line) for leak in THREE_LEAKS}


def _planted(hands: int, seed: int, folder: Path) -> HandDatabase:
    agent = load_blueprint_agent("heads-up")
    assert isinstance(agent, BlueprintAgent)
    return imported_hands(played_blocks([planted_agent(agent, THREE_LEAKS), agent], hands, seed), folder)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> HandDatabase:
    """Seven hundred hands of Ann, who has three leaks, and Bob, who plays the blueprint. Ann is the hero."""
    return _planted(700, 1, tmp_path_factory.mktemp("planted"))


def test_the_three_leaks_come_out_and_nothing_else(database: HandDatabase) -> None:
    found = player_leaks(database)
    assert {(leak.test.street, leak.test.line) for leak in found.report.leaks} == PLANTED
    assert found.player == "Hero"
    assert found.report.hands == 700
    assert found.report.compared == found.report.decisions == sum(found.sources.values()) > 1500
    assert found.unknown == {}
    facts = found.facts()
    assert isinstance(facts["leaks"], list)
    assert len(facts["leaks"]) == 3


def test_who_plays_the_blueprint_has_no_leak(database: HandDatabase) -> None:
    found = player_leaks(database, player="Bob")
    assert found.report.leaks == ()
    assert found.report.lines


def test_prices_rank_leaks(database: HandDatabase) -> None:
    """Rivers are given a price in the table of reviews: they come first, with what they lost."""
    connection = database.connection
    connection.execute("SAVEPOINT before")
    connection.execute("DROP TABLE IF EXISTS reviews")
    connection.execute("CREATE TABLE reviews (hand, number, loss_bb REAL, PRIMARY KEY (hand, number))")
    connection.execute("INSERT INTO reviews SELECT hand, number, 2.0 FROM decisions WHERE street = 3")
    try:
        found = player_leaks(database)
    finally:
        connection.execute("ROLLBACK TO before")
    first = found.report.leaks[0]
    assert (first.test.street, first.test.line) == ("river", "facing bet")
    assert first.bb100 == pytest.approx(100 * 2.0 * first.test.decisions / 700)
    assert found.priced == found.decisions.filter(pl.col("street") == "river").height


def test_leaks_are_of_one_player_with_hands(database: HandDatabase) -> None:
    with pytest.raises(ConfigError, match="name one"):
        player_leaks(database, player=ANY)
    with pytest.raises(ConfigError, match="no decision"):
        player_leaks(database, "players=9")


def test_opponents_are_the_others(database: HandDatabase) -> None:
    [bob] = opponents(database)
    assert (bob.name, bob.model.strategy_mix("river", "facing bet")) == ("Bob", None)
    main = {one.name: one for one in bob.main()}
    assert main["c-bet"].low < main["c-bet"].mean < main["c-bet"].high
    counted = database.connection.execute(
        "SELECT count(*) FROM seats JOIN words ON words.id = name WHERE text = 'Bob' AND flags & ?",
        (FLAGS["cbetchance"],),
    )
    assert main["c-bet"].chances == counted.fetchone()[0]
    usual = opponents(database, "id<=100", lookup=StrategyLookup())
    assert opponent(usual, "Bob").model.strategy_mix("preflop", "facing open") is not None
    with pytest.raises(ConfigError, match="no opponent 'Ann'"):
        opponent(usual, "Ann")


@pytest.mark.slow
def test_the_three_leaks_come_out_of_twenty_thousand_hands(tmp_path: Path) -> None:
    """As docs/records.md has it: exactly the three, and of the other player none."""
    with _planted(20_000, 2, tmp_path) as database:
        found = player_leaks(database)
        assert {(leak.test.street, leak.test.line) for leak in found.report.leaks} == PLANTED
        assert player_leaks(database, player="Bob").report.leaks == ()


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "opponent_name"), [(60, "tag"), (30, "lag")])
def test_who_plays_the_strategy_of_the_nearest_depth_has_no_leak(
    depth: int, opponent_name: str, tmp_path: Path
) -> None:
    """Stacks that no blueprint was trained for, and bets that it does not have and maps at random."""
    blocks: list[PlayedBlock] = []
    agents = [AnyStacksAgent(), make_agent(opponent_name)]
    table = HoldemGame(2, (100 * depth,) * 2, (50, 100))
    play_match(agents, table, 1500, seed=4, workers=1, on_block=blocks.append)
    with imported_hands(blocks, tmp_path) as database:
        found = player_leaks(database)
    assert [*found.sources] == ["nearest depth"]
    assert found.report.compared > 2000
    assert found.report.leaks == ()
