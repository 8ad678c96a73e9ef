"""The rules by example: blinds, order of play, minimum raise, all-ins, pots, rake, and what is refused."""

from __future__ import annotations

import pytest

from overbet.cards.cards import card, cards
from overbet.errors import CardError, IllegalActionError, RulesError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.games.protocol import CHANCE, TERMINAL, Game, State

FOLD, CALL = -1, 0
HOLE = ["AhKh", "QsQd", "7c2d", "JsTs", "8h8d", "5c4c", "9c9s", "AcAd", "KsKd"]


def table(players: int, **options: object) -> HoldemState:
    """Return a dealt hand with a dry board to come."""
    game = HoldemGame(players, **options)  # type: ignore[arg-type]
    return game.initial_state().with_cards(HOLE[:players], "Td6h3sJc2h")


# blinds, positions, order


def test_six_players_post_and_under_the_gun_opens():
    state = table(6)
    assert state.stacks == (9950, 9900, 10000, 10000, 10000, 10000)
    assert (state.pot, state.street, state.current_player(), state.to_call) == (150, "preflop", 2, 100)
    assert state.legal_actions().raise_min == 200
    state = state.follow("c:c:c:c:c:c")
    assert (state.street, state.current_player(), state.pot) == ("flop", 0, 600)


def test_heads_up_the_button_posts_the_small_blind_acts_first_and_then_last():
    state = table(2)
    assert state.bets == (100, 50)
    assert state.game.position(1) == "SB"
    assert state.current_player() == 1
    state = state.follow("c:c")
    assert (state.street, state.current_player()) == ("flop", 0)
    assert state.apply(CALL).current_player() == 1


def test_the_big_blind_has_the_option():
    state = table(3).follow("c:c")
    assert state.current_player() == 1
    assert not state.legal_actions().fold
    assert state.legal_actions().raise_min == 200
    assert state.apply(300).current_player() == 2


def test_position_names():
    assert [HoldemGame(9).position(p) for p in range(9)] == [
        "SB",
        "BB",
        "UTG",
        "UTG+1",
        "UTG+2",
        "LJ",
        "HJ",
        "CO",
        "BTN",
    ]
    assert [HoldemGame(10).position(p) for p in range(4, 8)] == ["UTG+2", "UTG+3", "LJ", "HJ"]
    assert [HoldemGame(6).position(p) for p in range(6)] == ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
    assert [HoldemGame(3).position(p) for p in range(3)] == ["SB", "BB", "BTN"]


def test_antes_are_paid_by_everybody_and_a_big_blind_ante_by_one():
    assert table(4, ante=10).stacks == (9940, 9890, 9990, 9990)
    state = table(4, big_blind_ante=100)
    assert state.stacks == (9950, 9800, 10000, 10000)
    assert state.to_call == 100
    assert table(2, big_blind_ante=100).stacks == (9800, 9950)  # heads up player 0 is the big blind


def test_a_straddle_acts_last_before_the_flop():
    state = table(5, blinds=(50, 100, 200))
    assert (state.current_player(), state.to_call) == (3, 200)
    assert state.follow("c:c:c:c").current_player() == 2


# raising


def test_a_raise_is_at_least_as_large_as_the_one_before():
    state = table(3)
    assert state.legal_actions().raise_min == 200
    state = state.apply(350)
    assert state.legal_actions().raise_min == 600
    state = state.apply(1000)
    assert state.legal_actions().raise_min == 1650
    flop = table(2).follow("c:c")
    assert flop.legal_actions().raise_min == 100
    assert flop.apply(250).legal_actions().raise_min == 500


def test_an_all_in_short_of_a_full_raise_does_not_reopen_the_betting():
    # player 2 bets 300, player 0 calls, player 1 is all in for 450: 150 more, a full raise is 200
    state = table(3, stacks=[10000, 450, 10000]).follow("b300:c:b450")
    assert state.current_player() == 2
    assert state.legal_actions().raise_min is None
    assert state.legal_actions().call == 150
    with pytest.raises(IllegalActionError, match=r"legal: fold, call 150$"):
        state.apply(1000)
    assert state.apply(CALL).legal_actions().raise_min is None  # player 0 has called 300 before


def test_a_player_who_has_not_acted_may_raise_a_short_all_in():
    # the cut-off calls, the button is all in for 150; small and big blind have not acted yet
    state = table(4, stacks=[10000, 10000, 10000, 150]).follow("c:b150")
    assert state.current_player() == 0
    assert (state.legal_actions().raise_min, state.legal_actions().raise_max) == (250, 10000)
    state = state.follow("f:c")
    assert state.current_player() == 2
    assert state.legal_actions().raise_min is None  # 50 more is not a full raise: TDA rule 47, example 3


def test_short_all_ins_that_add_up_to_a_full_raise_reopen():
    # bet 300 (a raise of 200), all in 420, all in 520: the first player faces 220 more
    state = table(4, stacks=[420, 520, 10000, 10000]).follow("b300:c:b420:b520")
    assert state.current_player() == 2
    assert (state.legal_actions().call, state.legal_actions().raise_min) == (220, 720)
    # the player who called 300 faces the same; one who has already met the 420 would not be let in
    state = table(5, stacks=[10000, 10000, 10000, 420, 520]).follow("b300:b420:b520:c:c")
    assert state.legal_actions().raise_min == 720


def test_nobody_raises_when_all_others_are_all_in():
    state = table(2, stacks=[500, 10000]).follow("c:b500")
    assert state.current_player() == 1
    assert tuple(state.legal_actions()) == (FOLD, CALL)


def test_a_check_is_offered_instead_of_a_fold():
    state = table(2).follow("c")
    assert FOLD not in state.legal_actions()
    with pytest.raises(
        IllegalActionError,
        match=r"^fold is not legal for player 0 \(BB\); legal: check, bet or raise to 200-10000$",
    ):
        state.apply(FOLD)


# all-ins, pots, odd chips, rake


def test_an_uncalled_bet_is_returned():
    state = table(3).follow("b900:f:f")
    assert state.is_terminal()
    assert state.returns() == (-50.0, -100.0, 150.0)
    assert state.pot == 250
    state = table(2, stacks=[1000, 5000]).follow("b5000:c")  # the queens have 1,000 to lose, no more
    assert (state.pot, state.stacks) == (2000, (0, 6000))


def test_side_pots_go_to_whom_they_belong():
    # aces have 300, kings 700, queens 1200, jacks 1200; the board helps nobody
    game = HoldemGame(4, [300, 700, 1200, 1200])
    state = game.initial_state().with_cards(["AhAd", "KhKd", "QhQd", "JhJd"], "2c3d5h8s9c")
    state = state.follow("b1200:c:c:c")
    assert state.pots == ((1200, (0, 1, 2, 3)), (1200, (1, 2, 3)), (1000, (2, 3)))
    assert state.stacks == (1200, 1200, 1000, 0)


def test_odd_chips_go_to_the_first_winner_left_of_the_button():
    # 25 dead from the folded small blind: 225 for two equal hands
    game = HoldemGame(3, [1000] * 3, blinds=(25, 100))
    state = game.initial_state().with_cards(["7c2d", "AhKd", "AsKc"], "Ac9d8h4s3c")
    state = state.follow("c:f:c:c:c:c:c:c:c")
    assert state.pot == 225
    assert state.stacks == (975, 1013, 1012)


def test_the_short_ante_wins_antes_of_its_own_size_only():
    # player 0 has 5 chips and aces: five chips from everybody; the rest is for the others
    game = HoldemGame(3, [5, 1000, 1000], blinds=(0, 100), ante=20)
    state = game.initial_state().with_cards(["AhAd", "KhKd", "QhQd"], "2c3d5h8s9c")
    state = state.follow("c:c:c:c:c:c:c:c")
    assert state.stacks == (15, 1000 - 120 + 30 + 200, 880)
    # a big-blind ante is the main pot's whole
    game = HoldemGame(3, [5, 1000, 1000], blinds=(5, 100), big_blind_ante=100)
    state = game.initial_state().with_cards(["AhAd", "KhKd", "QhQd"], "2c3d5h8s9c")
    state = state.follow("c:c:c:c:c:c:c:c")
    assert state.stacks == (115, 990, 900)


def test_a_blind_all_in_for_less():
    # heads up the big blind has 30 of 100: the small blind's 50 covers it and nobody has to act
    game = HoldemGame(2, [30, 1000])
    state = game.initial_state().with_cards(["7c2d", "AhAd"], "KcQd9h8s3c")
    assert state.is_terminal()
    assert state.returns() == (-30.0, 30.0)
    # three-handed with 30 in the big blind: by default a call costs what is posted, else a full blind
    posted = table(3, stacks=[1000, 30, 1000])
    assert (posted.to_call, posted.legal_actions().raise_min) == (50, 150)
    full = table(3, stacks=[1000, 30, 1000], full_blind=True)
    assert (full.to_call, full.legal_actions().raise_min) == (100, 200)
    # nobody is asked to match more than an opponent can have
    assert full.apply(FOLD).to_call == 0


@pytest.mark.parametrize(
    ("options", "raked"),
    [
        ({"rake": 0.05}, 50),
        ({"rake": 0.05, "rake_cap": 30}, 30),
        ({"rake": 0.0333}, 33),
        ({"rake": 0.05, "no_flop_no_drop": True}, 50),
    ],
)
def test_rake_is_a_share_rounded_down_and_capped(options, raked):
    state = table(2, **options).follow("c:c:b500:c:c:c:c:c")
    assert state.pot == 1000
    assert state.raked == raked
    assert sum(state.stacks) == 20000 - raked
    assert sum(state.returns()) == -raked


def test_no_flop_no_drop_and_no_rake_on_an_uncalled_bet():
    assert table(2, rake=0.05).follow("b5000:f").raked == 10  # of 200, not of 5100
    assert table(2, rake=0.05, no_flop_no_drop=True).follow("b5000:f").raked == 0
    assert table(2, rake=0.05, no_flop_no_drop=True).follow("b500:c:b1000:f").raked == 50


# the interface


def test_the_protocol_names_are_there():
    game = HoldemGame(3)
    assert isinstance(game, Game)
    assert isinstance(game.initial_state(), State)


def test_cards_come_one_by_one_player_by_player_then_the_board():
    state = HoldemGame(2).initial_state()
    assert state.current_player() == CHANCE
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 52
    assert sum(probability for _, probability in outcomes) == pytest.approx(1)
    for name in ("Ah", "Kh", "Qs", "Qd"):
        assert state.current_player() == CHANCE
        state = state.apply(card(name))
    assert state.hole == (cards("AhKh"), cards("QsQd"))
    assert state.chance_outcomes() == ()
    state = state.follow("c:c")
    assert state.current_player() == CHANCE
    assert len(state.legal_actions()) == 48
    with pytest.raises(IllegalActionError, match="Ah has been dealt already"):
        state.apply(card("Ah"))
    state = state.follow("Td6h3s")
    assert (state.street, state.board) == ("flop", cards("Td6h3s"))


def test_everybody_all_in_leaves_only_cards_to_come():
    state = HoldemGame(2, 1000).initial_state().with_cards(HOLE[:2]).follow("b1000:c")
    for name in ("Td", "6h", "3s", "Jc"):
        assert state.current_player() == CHANCE
        state = state.apply(card(name))
    assert state.street == "river"
    state = state.apply(card("2c"))
    assert state.current_player() == TERMINAL
    assert state.returns() == (-1000.0, 1000.0)


def test_legal_actions_are_a_lazy_sequence():
    legal = table(6).legal_actions()
    assert (legal.fold, legal.call, legal.raise_min, legal.raise_max) == (True, 100, 200, 10000)
    assert len(legal) == 2 + 9801
    assert [legal[0], legal[1], legal[2], legal[-1]] == [FOLD, CALL, 200, 10000]
    assert legal[1:4] == (CALL, 200, 201)
    assert 10000 in legal
    assert 199 not in legal
    assert 10001 not in legal
    assert legal.index(201) == 3
    assert list(legal) == sorted(legal)
    assert str(legal) == "fold, call 100, raise to 200-10000"
    with pytest.raises(IndexError):
        legal[9803]
    with pytest.raises(ValueError, match="not"):
        legal.index(150)


@pytest.mark.parametrize("action", [-2, 1, 199, 10001, 10**15])
def test_an_illegal_action_names_what_is_legal(action):
    with pytest.raises(IllegalActionError, match=r"legal: fold, call 100, raise to 200-10000$"):
        table(6).apply(action)


def test_other_refusals():
    with pytest.raises(IllegalActionError, match="whole numbers"):
        table(2).apply(200.5)  # type: ignore[arg-type]
    over = table(2).follow("f")
    assert len(over.legal_actions()) == 0
    with pytest.raises(IllegalActionError, match="over"):
        over.apply(CALL)
    with pytest.raises(IllegalActionError, match="only once"):
        table(2).returns()
    with pytest.raises(IllegalActionError, match="not a card"):
        HoldemGame().initial_state().apply(52)


def test_action_names():
    state = table(3, stacks=[10000, 10000, 2000])
    assert [state.action_name(a) for a in (FOLD, CALL, 300, 2000)] == [
        "fold",
        "call 100",
        "raise to 300",
        "all-in 2000",
    ]
    flop = state.follow("c:c:c")
    assert [flop.action_name(a) for a in (CALL, 150)] == ["check", "bet 150"]
    assert HoldemGame().initial_state().action_name(51) == "As"


def test_the_line_reads_and_follows():
    state = table(3).follow("b300:c:f:c:b700:b1500:c:c:c")
    assert state.line == "r:0:b300:c:f:Td6h3s:c:b700:b1500:c:Jc:c:c:2h"
    fresh = HoldemGame(3).initial_state().with_cards(HOLE[:3])
    again = fresh.follow(state.line)
    assert again.line == state.line
    assert again.stacks == state.stacks


def test_what_a_player_knows():
    mine = table(2).follow("c:c")
    other = HoldemGame().initial_state().with_cards(["KhAh", "7c7d"], "6hTd3s").follow("c:c")
    assert mine.information_state(0) == other.information_state(0)  # cards in another order, hidden cards
    assert mine.information_state(1) != other.information_state(1)
    assert "Qs" not in mine.information_state(0)
    assert "Jc" not in mine.information_state(0)  # a board card that is fixed but has not come
    assert mine.information_state(0) != mine.apply(CALL).information_state(0)
    before = HoldemGame().initial_state().apply(card("Ah"))
    assert before.information_state(0) != before.apply(card("2c")).information_state(1)


def test_states_are_values():
    one, two = table(3).follow("b300:c"), table(3).follow("b300:c")
    assert one == two
    assert hash(one) == hash(two)
    assert one != one.apply(CALL)
    assert one != "a hand"
    vector = one.vector
    vector[:] = 0
    assert one == two
    with pytest.raises(AttributeError, match="cannot be changed"):
        one.history = ()
    with pytest.raises(RulesError, match="players are 0 to 2"):
        one.information_state(-1)


def test_repr_says_where_we_are():
    assert repr(table(3).follow("b300")) == (
        "<hold'em preflop, pot 450, stacks 9950 9900 9700; player 0 (SB): fold, call 250, raise to 500-10000>"
    )
    assert "a card is to be dealt" in repr(HoldemGame().initial_state())
    assert repr(table(2).follow("f")).endswith("over: +50 -50>")


def test_a_seeded_deal_fixes_every_card():
    game = HoldemGame(4)
    state = game.deal(7, 3)
    assert state == game.deal(7, 3)
    assert state.hole != game.deal(7, 4).hole
    assert state.hole != game.deal(8, 3).hole
    state = state.follow("c:c:c:c")
    assert len(state.board) == 3
    dealt = [*state.board, *(c for pair in state.hole for c in pair)]
    assert len(set(dealt)) == 11


def test_board_cards_can_be_fixed_later():
    state = HoldemGame().initial_state().with_cards(HOLE[:2]).follow("c:c")
    state = state.with_cards(board="Td6h3sJc")
    assert state.board == cards("Td6h3s")
    assert state.follow("c:c").board == cards("Td6h3sJc")
    with pytest.raises(CardError, match="does not begin"):
        state.with_cards(board="2c6h3sJc")


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        (["AhKh", "AhQd"], "", "Ah appears twice"),
        (["AhKh", "QsQd"], "Ah6h3s", "Ah appears twice"),
        (["AhKh"], "", "hole cards for 1 players"),
        (["AhKh", "Qs"], "", "two hole cards"),
        (["AhKh", "QsQd"], "2c3c4c5c6c7c", "at most 5"),
    ],
)
def test_impossible_cards_are_refused(hole, board, message):
    with pytest.raises((CardError, RulesError), match=message):
        HoldemGame().initial_state().with_cards(hole, board)


def test_hidden_cards_lose_and_a_mucked_hand_cannot_win():
    state = HoldemGame().initial_state().with_cards([None, "7c2d"], "AcKd9h8s3c").follow("c:c:c:c:c:c:c:c")
    assert state.returns() == (-100.0, 100.0)
    assert state.information_state(0).startswith("p0 ? ")
    state = HoldemGame().initial_state().with_cards(["AhAd", "7c2d"], "AcKd9h8s3c").with_mucked([0])
    assert state.follow("c:c:c:c:c:c:c:c").returns() == (-100.0, 100.0)


# setting up


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 1}, "2 to 10 players, not 1"),
        ({"num_players": 11}, "2 to 10 players, not 11"),
        ({"num_players": 2.5}, "2.5 is not a whole number"),
        ({"stacks": 99.5}, "stacks: 99.5 is not a whole number"),
        ({"stacks": [100, -5]}, "stacks: -5 chips is less than nothing"),
        ({"stacks": [100, 0]}, "player 1 has no chips"),
        ({"stacks": [100, 100, 100]}, "stacks: 3 given for 2 players"),
        ({"stacks": 10**13}, "more than"),
        ({"stacks": 10**9 + 1}, "2,000,000,002 chips on the table are more than 2,000,000,000; use a larger"),
        ({"blinds": (50, 2**31)}, "more than 2,000,000,000"),
        ({"ante": 2**31}, "more than 2,000,000,000"),
        ({"min_bet": 2**63}, "more than 2,000,000,000"),
        ({"rake": 0.05, "rake_cap": 2**31}, "more than 2,000,000,000"),
        ({"stacks": True}, "not a whole number"),
        ({"blinds": (100, 50)}, "small blind 100 is larger than the big blind 50"),
        ({"blinds": (-50, 100)}, "blinds: -50 chips"),
        ({"blinds": (0.5, 1)}, "blinds: 0.5 is not a whole number"),
        ({"blinds": (50,)}, "2 players post 2 blinds, not 1"),
        ({"blinds": 100}, r"write small and big blind, such as \(50, 100\)"),
        ({"blinds": (0, 0)}, "no blinds and no antes"),
        ({"ante": -1}, "ante: -1 chips"),
        ({"ante": 10, "big_blind_ante": 100}, "either ante or big_blind_ante"),
        ({"rake": 1.5}, "rake is a share"),
        ({"rake": -0.1}, "rake is a share"),
        ({"rake_cap": -3}, "rake_cap: -3"),
        ({"min_bet": 0.5}, "min_bet: 0.5"),
    ],
)
def test_impossible_tables_are_refused_in_one_line(options, message):
    with pytest.raises(RulesError, match=message) as caught:
        HoldemGame(**options)
    assert "\n" not in str(caught.value)
