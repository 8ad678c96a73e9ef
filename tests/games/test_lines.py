"""The one grammar of lines: what is read, what is refused and where, one meaning of an amount everywhere."""

from collections.abc import Callable

import numpy as np
import pytest

from overbet.betting.menu import Menu
from overbet.cards.cards import cards
from overbet.errors import IllegalActionError
from overbet.games import lines
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.games.lines import BET, CALL, CARDS, CONTINUATION, FOLD, Token
from overbet.solvers.vector.lines import actions_at, line_of, read_line
from overbet.tree.betting import CHANCE
from overbet.tree.holdem import HoldemTree, build_tree
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import Spot

HOLE = ["AhKh", "QsQd"]
LARGE = "b" + "9" * 5000
UNREADABLE = ["B300", ",,", "b3x", "b170²", "b٣", LARGE, "b", "b-5", "b0", "b075", "C", "x", "Td9d6", "Td,9d"]


def hand(board: str = "", **options: object) -> HoldemState:
    return HoldemGame(2, **options).initial_state().with_cards(HOLE, board)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tree() -> HoldemTree:
    menu = {
        "preflop": {"sizes": "3bb", "raises": 1},
        "flop": {"sizes": ["50%", "3x"], "raises": 2},
        "turn": {"sizes": "50%", "raises": 1},
        "river": {"raises": 0},
    }
    return build_tree(HoldemGame(2, 10_000, (50, 100)), Menu.parse(menu))


@pytest.fixture(scope="module")
def spot() -> PublicTree:
    return public_tree(
        Spot.model_validate(
            {
                "board": "Td9d6h2c",
                "pot": 600,
                "stacks": 9_700,
                "ranges": {"oop": "AA", "ip": "KK"},
                "bets": {"turn": {"bet": "50%"}},
            }
        )
    )


@pytest.fixture(scope="module")
def readers(tree: HoldemTree, spot: PublicTree) -> dict[str, Callable[[str], object]]:
    """Everything that reads a line, at the lowest level."""
    return {
        "grammar": lines.parse,
        "state": hand().follow,
        "tree": tree.find,
        "spot": lambda line: read_line(spot, line),
    }


def test_tokens_are_read_and_written():
    line = "r:0:f:c:b170:Td9d6h:8h:k0:k12"
    tokens = lines.parse(line)
    assert tokens == (
        Token(FOLD),
        Token(CALL),
        Token(BET, 170),
        Token(CARDS, cards=cards("Td9d6h")),
        Token(CARDS, cards=cards("8h")),
        Token(CONTINUATION, 0),
        Token(CONTINUATION, 12),
    )
    assert lines.text(tokens) == line
    assert lines.parse(" r : c : tD 9d6h ") == (Token(CALL), Token(CARDS, cards=cards("Td9d6h")))
    assert [lines.parse(root) for root in ("", "r", "r:0", " r:0 ")] == [()] * 4
    assert lines.parse("c:b5") == lines.parse("r:0:c:b5") == (Token(CALL), Token(BET, 5))
    assert lines.board(tokens) == cards("Td9d6h8h")
    assert lines.moves(tokens[2:5]) == (Token(BET, 170),)


@pytest.mark.parametrize("reader", ["grammar", "state", "tree", "spot"])
@pytest.mark.parametrize("part", [*UNREADABLE, ""])
def test_a_part_that_cannot_be_read_is_pointed_at_everywhere(readers, reader, part):
    with pytest.raises(IllegalActionError) as told:
        readers[reader](f"r:0:c:{part}:c")
    message = str(told.value)
    assert message.startswith(f"at token 2, '{part[:70]}")
    assert "\n" not in message
    assert len(message) < 400


def test_the_error_says_what_to_write():
    with pytest.raises(
        IllegalActionError, match=r"'r:0:B300': actions are written in small letters; write b300$"
    ):
        lines.parse("r:0:B300")
    with pytest.raises(IllegalActionError, match=r"at token 1, '', of 'r:0:': it is empty; write f, c, bN"):
        lines.parse("r:0:")
    with pytest.raises(IllegalActionError, match=r"of at most 15 digits 0-9, such as b300$"):
        lines.parse(f"r:0:{LARGE}")


# actions and cards are never taken for each other


def test_an_action_is_never_a_card():
    """Card number 45 is Kd, card number 0 is 2c: neither comes for `b45` or `c`."""
    due = hand().follow("c:c")
    for part in ("b45", "c", "f", "b145"):
        with pytest.raises(IllegalActionError, match=rf"at token 1, '{part}', .* a card is due, such as 8h"):
            due.follow(part)
    with pytest.raises(IllegalActionError, match="a card is due"):
        due.action("b45")
    with pytest.raises(IllegalActionError, match="no player acts here"):
        due.token(45)


def test_a_card_is_never_an_action():
    """The ace of spades is card number 51, and no raise to 51 chips."""
    state = hand(stacks=200, blinds=(1, 2))
    with pytest.raises(
        IllegalActionError, match=r"at token 1, 'As', of 'As': As does not come here; player 1"
    ):
        state.follow("As")
    with pytest.raises(IllegalActionError, match=r"'2c', of 'r:0:c:c:2c': 2c does not come here; it is Td"):
        hand("Td9d6h", stacks=200, blinds=(1, 2)).follow("r:0:c:c:2c")


def test_a_card_that_lay_before_does_not_come_again():
    with pytest.raises(IllegalActionError, match=r"at token 6, 'Td', .* Td has been dealt already"):
        hand().follow("r:0:c:c:Td9d6h:c:c:Td")
    with pytest.raises(IllegalActionError, match=r"at token 5, 'Td', .* Td does not come here; it is Jc"):
        hand("Td9d6hJc").follow("r:0:c:c:c:c:Td")
    with pytest.raises(IllegalActionError, match=r"at token 4, '2h', .* 2h does not come here; it is Jc"):
        hand("Td9d6hJc2h").follow("r:0:b10000:c:Td9d6h:2h:Jc")
    assert hand("Td9d6hJc2h").follow("r:0:b10000:c:9d6hTd:Jc:2h").is_terminal()


# one meaning of an amount: chips put in since the root


def test_amounts_count_from_the_beginning_of_the_hand():
    """Three streets of bets: 300 before the flop, 400 and a raise to 1,200 on it, 2,000 on the turn."""
    state = hand("Td9d6h2c")
    for action in (300, 0, 400, 1200, 0, 0, 2000):
        state = state.apply(action)
    assert state.line == "r:0:b300:c:Td9d6h:b700:b1500:c:2c:c:b3500"
    assert state.put_in == (1500, 3500)
    assert hand().follow(state.line).line == state.line
    assert (
        hand("Td9d6h2c").follow("b300:c").follow("b700:b1500:c:c:b3500").vector.tolist()
        == state.vector.tolist()
    )


def test_a_blind_is_in_the_amount_and_an_ante_is_not():
    """Pio's pot has the antes in it; they are no player's. A short ante or blind is what was really paid."""
    for options in ({"ante": 30}, {"big_blind_ante": 100}, {"ante": 30, "dead_antes": True}, {}):
        state = hand("Td9d6h", **options)
        for action in (300, 0, 500):
            state = state.apply(action)
        assert state.line == "r:0:b300:c:Td9d6h:b800", options
        assert hand("Td9d6h", **options).follow(state.line) == state
    game = HoldemGame(3, [40, 10_000, 10_000], ante=70)  # the small blind cannot pay its ante
    state = game.deal(1).follow("b300:c")
    assert state.put_in == (40, 370, 370)
    assert state.apply(500).line.endswith(":b800")


def test_a_bet_that_puts_in_nothing_more_is_refused():
    """After 300 before the flop `b300` adds nothing: it is neither a check nor a bet of 300."""
    flop = hand("Td9d6h").follow("b300:c")
    for part in ("b300", "b1", "b350", "b10001"):
        with pytest.raises(IllegalActionError, match=rf"'{part}', .* player 0 \(BB\) may c, b400 to b10000$"):
            flop.follow(part)
    assert flop.follow("b400").bets == (100, 0)
    assert flop.token(100) == "b400"
    assert flop.action("b400") == 100
    with pytest.raises(
        IllegalActionError, match=r"b300 is not possible here; player 0 \(BB\) may c, b400 to"
    ):
        flop.action("b300")


def test_trees_of_whole_hands_count_the_same(tree):
    rng = np.random.default_rng(3)
    for _ in range(200):
        state, node = tree.game.deal(int(rng.integers(1000))), 0
        while tree.children(node):
            choice = int(rng.integers(len(tree.children(node))))
            assert tree.tokens(node) == tuple(state.token(action) for action in tree.actions(node))
            state, node = state.apply(tree.actions(node)[choice]), tree.children(node)[choice]
            moves = lines.text(lines.moves(lines.parse(state.line)))
            assert tree.line(node) == moves
            assert tree.find(state.line) == node
    turn = tree.find("r:0:b300:c:b600:b1200:c:b2400")  # 300 on the flop, raised to 900, 1,200 on the turn
    assert (tree.nodes.street[turn], tree.nodes.action[turn]) == (2, 1200)


def test_a_solved_spot_and_a_hand_write_the_same_line():
    """A pot of antes, checked to the flop: what follows is the spot, token by token."""
    game = HoldemGame(2, 1_000, blinds=(0, 0), ante=50, min_bet=50)
    start = game.initial_state().with_cards(HOLE, "Td9d6h2c").follow("c:c")
    flop = public_tree(flop_spot(pot=start.pot, stack=start.stacks[0]))
    assert played_as_a_spot(start, flop, 0) == "r:0:b50:b150:c:2c:b350:c"


def test_after_the_preflop_part_only_the_root_is_another():
    """After a raise and a call every amount of the hand is 300 higher than in the spot that begins there."""
    start = hand("Td9d6h2c", stacks=1_300).follow("b300:c")
    flop = public_tree(flop_spot(pot=start.pot, stack=start.stacks[0]))
    assert played_as_a_spot(start, flop, 300) == "r:0:b300:b900:c:2c:b1000:c"


def flop_spot(pot: int, stack: int) -> Spot:
    bets = {"flop": {"bet": "50%", "raise": "50%"}, "turn": {"bet": "50%, a"}, "river": {"bet": "a"}}
    ranges = {"oop": "AhKh", "ip": "QsQd"}
    return Spot.model_validate(
        {"board": "Td9d6h", "pot": pot, "stacks": stack, "ranges": ranges, "bets": bets}
    )


def played_as_a_spot(state: HoldemState, tree: PublicTree, put: int) -> str:
    """Bet, raise and call on the flop, bet and call on the turn, matched by the chips each action adds.

    put: what each player has put in before. Return the line of the spot, which has to be that of the hand.
    """
    node, before = 0, len(lines.parse(state.line))
    for bets in (True, True, False, True, False):
        if tree.betting.kind[node] == CHANCE:
            node = int(tree.betting.first_child[node])
        actions = actions_at(tree.betting, tree.spot, node)
        child = next(
            n for n, action in enumerate(actions) if action.label != "fold" and bets == bool(action.pot_share)
        )
        if not bets:
            assert actions[child].chips == state.to_call
        state = state.apply(state.bets[state.current_player()] + actions[child].chips if bets else 0)
        node = tree.betting.children(node)[child]
    line = line_of(tree, node, state.board)
    after = lines.parse(state.line)[before:]
    assert lines.text(lines.shifted(token, -put) for token in after) == line
    assert read_line(tree, line).node == node
    return line
