"""Tables of real hands: what is drawn is what the histories tell, and nobody's hidden cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import OverbetError
from overbet.interfaces.cli.app import build
from overbet.interfaces.history.played import read_played
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.vision.drawn.recorded_states import recorded_states
from overbet.interfaces.vision.drawn.samples import samples, shown_states
from overbet.interfaces.vision.drawn.states import BACK
from overbet.interfaces.vision.drawn.themes import THEMES
from overbet.kernels.holdem.layout import HIDDEN_CARD
from tests.interfaces.protocols.recorded import THREE_PLAYERS, TWO_PLAYERS


@pytest.fixture
def three(tmp_path: Path) -> Path:
    path = tmp_path / "three.log"
    path.write_text(THREE_PLAYERS)
    return path


def test_moments_are_those_of_the_hands(three: Path) -> None:
    hands = [hand for hand in read_played(three) if isinstance(hand, PlayedHand)]
    moments = list(recorded_states(three, 4, 6))
    assert len(moments) == 2 * len(hands) == 20
    for state, seats, showdown in moments:
        assert len(set(seats)) == 3
        assert 0 in seats
        order = seats[seats.index(0) :] + seats[: seats.index(0)]
        assert list(order) == sorted(order)  # nobody changes places
        assert state.is_terminal() == showdown
    assert any(showdown for *_, showdown in moments)
    assert any(state.board for state, _, showdown in moments if not showdown)


def test_amounts_are_in_the_themes_stakes(three: Path) -> None:
    theme = THEMES["green"]
    for (state, seats, _), drawn in zip(
        recorded_states(three, 4, theme.seats), shown_states(theme, 4, three)
    ):
        blind = drawn.style.big_blind
        left = [20_000 - put for put in state.put_in]
        assert [drawn.stacks[seat] for seat in seats] == [
            drawn.style.rounded(chips * blind // 100) for chips in left
        ]
        assert drawn.button == seats[-1]
        assert drawn.board == state.board


def test_hidden_cards_stay_hidden() -> None:
    example = Path(__file__).parents[3] / "examples" / "hands.txt"
    for state, seats, _ in recorded_states(example, 1, 9):
        own = state.hole[seats.index(0)] if 0 in seats else ()
        assert HIDDEN_CARD not in own
    theme = THEMES["night"]
    for drawn in shown_states(theme, 1, example):
        cards = [held for held in drawn.hole if held not in (None, BACK)]
        assert all(0 <= card < 52 for held in cards for card in held)


def test_what_a_table_cannot_show_is_one_line(three: Path, tmp_path: Path) -> None:
    with pytest.raises(OverbetError, match="no hand of hold'em that a table of 2 seats can show"):
        next(recorded_states(three, 1, 2))
    with pytest.raises(OverbetError, match="does not exist"):
        next(recorded_states(tmp_path / "nothing", 1, 2))


def test_the_command_draws_as_many_as_there_are(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    log, out = tmp_path / "two.log", tmp_path / "out"
    log.write_text("\n".join(TWO_PLAYERS.splitlines()[:3]))  # two hands
    words = ["vision", "render", "paper", str(out), "--hands", str(log), "--clean", "--count", "50"]
    done = CliRunner().invoke(build(), words)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("4 pictures in ")
    assert len(list(out.glob("*.png"))) == len(list(samples(THEMES["paper"], 1, clean=True, hands=log))) == 4
