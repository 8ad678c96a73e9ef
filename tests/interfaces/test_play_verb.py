"""`overbet play` with typed keys: what is shown, what is refused, how it ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.interfaces.cli.app import build
from overbet.interfaces.cli.table_view import HELP, QUIT, keys_line, read_action, table_lines


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))


def play(keys: str, *arguments: object) -> str:
    words = ["play", *map(str, arguments), "--no-aivat"]
    result = CliRunner().invoke(build(), words, input=keys)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def test_two_hands_and_the_end_of_input() -> None:
    text = play("c\nc\nc\nc\n", "always-call", "--seed", 2, "--review", 200, "-n", 1)
    assert "hand 1, you are BB" in text
    assert "always-call (SB) calls 0.5" in text
    assert "showdown" in text
    assert (
        "blueprint:heads-up in your seat, and what each action was worth in bb "
        "(exact, or from up to 200 simulated hands)" in text
    )
    assert re.search(r"preflop \*check \d+% \([+-]\d", text)
    assert re.search(r"the end: after 1 hand [+-]\d", text)
    assert "hand 2" not in text


def test_the_result_is_that_of_the_hand() -> None:
    game = HoldemGame(2)
    final = game.deal(2, 0).follow("c:c:c:c:c:c:c:c")
    won = final.returns()[0] / 100
    text = play("c\n" * 4, "always-call", "--seed", 2, "--review", 0, "-n", 1)
    assert f"you {'win' if won >= 0 else 'lose'} {abs(won):g} bb" in text
    assert "in your seat" not in text


def test_keys_that_are_wrong_are_named_and_asked_again() -> None:
    text = play("f\n1.5\nx\n?\nc\nq\n", "always-call", "--seed", 2)
    assert "there is nothing to call" in text
    assert "1.5 bb is not a legal raise: from 2 to 100" in text
    assert "'x' is not a key" in text
    assert "a number bets or raises to so many big blinds" in text
    assert "you (BB) checks" in text
    assert text.rstrip().endswith("the end: no hand was finished")


def test_hidden_cards_stay_hidden() -> None:
    deal = HoldemGame(2).deal(2, 0)
    from overbet.cards.cards import card_name

    text = play("c\nq\n", "always-call", "--seed", 2)
    for card in deal.hole[0]:
        assert card_name(card) in text
    for card in deal.hole[1]:
        assert card_name(card) not in text


def test_several_opponents() -> None:
    text = play(
        "f\n", "tag", "always-fold", "--seats", 4, "--stacks", "20bb", "--seed", 1, "--review", 100, "-n", 1
    )
    assert "you against tag, always-fold; 4 seats, 20 bb" in text
    assert "the end: after 1 hand" in text
    with pytest.raises(ConfigError, match="2 opponents and you do not fit 2 seats"):
        play("", "tag", "lag", "--seats", 2)
    with pytest.raises(ConfigError, match="at least 4"):
        play("", "tag", "--review", 2)


def test_search_says_what_it_thought() -> None:
    spec = "search:heads-up,turn.iterations=10,river.iterations=10,threads=1"
    text = play("c\n" * 6, spec, "--seed", 2, "--review", 100, "-n", 1)
    assert f"what {spec} thought:" in text
    done = r"\n  (turn|river) +(check|call|fold|(?:to|all-in) [\d.]+): (.*)10 iterations, \d+\.\d\d s, "
    thoughts = re.findall(done + r"the answer can be exploited by \d+\.\d\d% of the pot", text)
    since = text[text.index("\nturn ") : text.index("thought:")]
    decisions = re.findall(r"\n  search:\S+ \(SB\) (?!shows)", since)
    assert len(thoughts) == len(decisions) > 0
    assert "blueprint:heads-up in your seat" in text
    assert "(exact, or from up to 100 simulated hands, the blueprint in place of search)" in text


def test_search_at_other_stacks_is_not_reviewed_by_a_blueprint_of_another_table() -> None:
    spec = "search:heads-up,turn.iterations=10,river.iterations=10,threads=1"
    text = play("c\n" * 6, spec, "--seed", 2, "--stacks", "40bb", "--review", 100, "-n", 1)
    assert "40 bb" in text
    assert "in your seat" not in text
    assert "the end: after 1 hand" in text


def test_read_action() -> None:
    state = HoldemGame(2, 10_000, (50, 100)).deal(1)
    assert [read_action(text, state) for text in ("f", "c", "3", "2.5bb", "raise to 4", "a")] == [
        -1,
        0,
        300,
        250,
        400,
        10_000,
    ]
    assert [read_action(text, state) for text in ("h", "p")] == [200, 300]  # by half and all of a pot of 200
    assert (read_action("q", state), read_action(" ? ", state)) == (QUIT, HELP)
    for text in ("", "1.99", "101", "nan", "1e300", "-3"):
        with pytest.raises(IllegalActionError):
            read_action(text, state)
    shove = HoldemGame(2, [1000, 500]).deal(1).apply(500)
    with pytest.raises(IllegalActionError, match="cannot raise here"):
        read_action("a", shove)
    with pytest.raises(IllegalActionError, match="cannot raise here"):
        read_action("7", shove)
    assert "all in" not in keys_line(shove)
    assert "call 4" in keys_line(shove)
    assert any("folded" in line for line in table_lines(HoldemGame(3).deal(1).apply(-1), ("a", "b", "c"), 0))


def test_an_expresso_goes_on_until_it_is_won_or_lost() -> None:
    text = play("a\nc\n" * 60, "--expresso", "--seed", 8, "--multiplier", 25, "--review", 100)
    assert "Expresso against any-stacks 1 and any-stacks 2: 500 chips (25 bb)" in text
    assert "x25, paid in buy-ins: 1st 20, 2nd 3, 3rd 2 (chosen); seed 8" in text
    assert re.search(r"any-stacks, \d+ decisions?: \d+% by a strategy trained for the stacks", text)
    assert "your decisions by blueprint:expresso, played on up to 100 times" in text
    held = [list(map(int, re.findall(r" (\d+)(?:,|$)", line.partition(";")[2]))) for line in hands_of(text)]
    assert all(sum(stacks) == 1500 for stacks in held)
    assert len(held) > 1
    assert held[1] != [500, 500, 500]  # what was won and lost stays so
    end = re.search(r"the end: (.*) after (\d+) hands?: ([+-][\d.]+) buy-ins?", text)
    assert end is not None
    assert int(end[2]) == len(held)
    assert float(end[3]) in ({"1st": 19, "2nd": 2, "3rd": 1}[end[1][:3]], 1.5)


def hands_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("hand ")]


def test_an_expresso_that_is_left_and_what_does_not_go_with_it() -> None:
    text = play("q\n", "tag", "lag", "--expresso", "--seed", 3)
    assert "against tag and lag" in text
    assert "drawn as PokerStars published for its 1-dollar Spin & Go of 2014" in text
    assert text.rstrip().endswith("the end: you left after 0 hands with 500 chips; no result")
    with pytest.raises(ConfigError, match="leave out --seats"):
        play("", "--expresso", "--stacks", "10bb")
    with pytest.raises(ConfigError, match="three seats"):
        play("", "tag", "tag", "lag", "--expresso")
    with pytest.raises(ConfigError, match="add --expresso"):
        play("", "tag", "--multiplier", "2")
