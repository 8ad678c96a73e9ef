"""Public subgames and the values at their roots: found rightly, and equal to what best responses say."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.errors import ConfigError, RulesError
from overbet.games.registry import make_game
from overbet.search.tabular.alternatives import OpponentView, alternatives, gifts
from overbet.search.tabular.augmented import AugmentedGame, Beginning, choice, deal, pick
from overbet.search.tabular.subgames import after_chance, after_decisions, find_subgames
from overbet.search.tabular.walks import reaches
from overbet.solvers.tabular import best_response
from overbet.tree.flat import FlatGame, flatten
from tests.reference.public_games import LineGame
from tests.reference.random_games import RandomGame


@pytest.fixture(scope="module")
def leduc() -> FlatGame:
    return flatten(make_game("leduc"))


def random_strategy(flat: FlatGame, seed: int) -> np.ndarray:
    return flat.normalise(np.random.default_rng(seed).gamma(0.5, size=flat.num_slots) + 1e-3)


def test_leduc_has_a_subgame_for_each_line_and_public_card(leduc: FlatGame) -> None:
    subgames = find_subgames(leduc)
    assert len(subgames) == 5 * 6
    second_round = {name.partition(":")[2].rpartition(":")[0] for name in leduc.infoset_names if "/" in name}
    seen, slots = set(), []
    for subgame in subgames:
        assert len(subgame.roots) == 20
        assert [subgame.num_known(player) for player in (0, 1)] == [5, 5]
        names = [leduc.infoset_names[i] for i in np.unique(leduc.tree.slot_infoset[subgame.slots])]
        [public] = {name.partition(":")[2].rpartition(":")[0] for name in names}
        seen.add(public)
        slots.append(subgame.slots)
    assert seen == second_round
    inside = [s for s in range(leduc.num_slots) if "/" in leduc.infoset_names[leduc.tree.slot_infoset[s]]]
    assert np.sort(np.concatenate(slots)).tolist() == inside


def test_players_know_their_own_card_at_the_root(leduc: FlatGame) -> None:
    tree = leduc.tree
    for subgame in find_subgames(leduc):
        for player in (0, 1):
            # the cards dealt to a player are the actions of chance at the top of the tree
            cards = []
            for root in subgame.roots:
                path = [int(root)]
                while tree.parent[path[-1]] >= 0:
                    path.append(int(tree.parent[path[-1]]))
                cards.append(int(tree.action[path[-2 - player]]))
            pairs = {*zip(cards, subgame.known[player].tolist())}
            assert len(pairs) == len({*cards}) == subgame.num_known(player)


def test_a_player_without_a_decision_before_knows_its_card() -> None:
    """After the first player's action in Kuhn poker the second has not acted, but has seen its card."""
    kuhn = flatten(make_game("kuhn"))
    subgames = find_subgames(kuhn, after_decisions(kuhn, 1))
    assert [subgame.num_known(1) for subgame in subgames] == [3, 3]
    assert [subgame.num_known(0) for subgame in subgames] == [3, 3]


def test_subgames_that_are_none_are_refused(leduc: FlatGame) -> None:
    roots = after_chance(leduc)
    with pytest.raises(RulesError, match="inside and outside"):
        find_subgames(leduc, roots[:7])
    with pytest.raises(ConfigError, match="begin inside another"):
        find_subgames(leduc, [*roots, int(leduc.tree.first_child[roots[0]])])
    with pytest.raises(ConfigError, match="say with `at`"):
        find_subgames("kuhn")
    with pytest.raises(ConfigError, match="begin at nodes 0 to"):
        find_subgames(leduc, [leduc.num_nodes])
    with pytest.raises(RulesError, match="two players"):
        find_subgames("kuhn3", [0])
    with pytest.raises(RulesError, match="zero-sum"):
        find_subgames(RandomGame(3, 2, 3), [0])


@pytest.mark.parametrize("searcher", [0, 1])
def test_values_at_the_top_are_those_of_the_best_response(leduc: FlatGame, searcher: int) -> None:
    strategy = random_strategy(leduc, 1)
    view = OpponentView(leduc, strategy, searcher)
    judged = best_response(leduc, strategy)
    opponent = 1 - searcher
    assert view.response_values[0] == pytest.approx(
        judged.values[opponent] + judged.gains[opponent], abs=1e-12
    )
    assert view.estimated_values[0] == pytest.approx(judged.values[opponent], abs=1e-12)
    floor = view.floor_values(after_chance(leduc), "response")
    assert (floor <= view.response_values + 1e-12).all()
    assert floor[0] < view.response_values[0] - 0.1


@pytest.mark.parametrize("searcher", [0, 1])
def test_values_of_roots_and_gifts_account_for_the_whole_game(searcher: int) -> None:
    """A best response is worth its value at the roots and at the ends of the trunk; no gift is on its way."""
    flat = flatten(LineGame(5, types=3, length=4))
    strategy = random_strategy(flat, 2)
    view = OpponentView(flat, strategy, searcher)
    at = after_decisions(flat, 2)
    subgames = find_subgames(flat, at)
    given = gifts(view, at)
    own = flat.tree.infoset_player[flat.tree.slot_infoset] == view.opponent
    played = own & (view.response == 1.0) & (reaches(flat, view.response)[view.opponent][0] > 0)
    first = own & (flat.tree.infoset_parent[flat.tree.slot_infoset] < 0)
    assert given[played & first].max() == pytest.approx(0.0, abs=1e-12)
    assert given[own].max() > 0.1
    reach = reaches(flat, view.response)[view.opponent]
    total = 0.0
    for subgame in subgames:
        worth, weight = alternatives(view, subgame)
        mine = np.zeros(len(worth))
        mine[subgame.known[view.opponent]] = reach[subgame.roots]
        total += float((worth * weight * mine).sum())
    roots = np.concatenate([subgame.roots for subgame in subgames])
    inside = np.zeros(flat.num_nodes, dtype=bool)
    inside[roots] = True
    for node in range(1, flat.num_nodes):
        inside[node] |= inside[flat.tree.parent[node]]
    over = (flat.tree.terminal >= 0) & ~inside
    total += float((view.others * reach * view.response_values)[over].sum())
    assert total == pytest.approx(view.response_values[0], abs=1e-12)


def check_tree(flat: FlatGame) -> None:
    """Hold a flat game to what its docstring says, node by node."""
    tree = flat.tree
    last = np.full((flat.num_nodes, 2), -1)
    for node in range(flat.num_nodes):
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        children = range(first, first + count)
        assert all(tree.parent[child] == node for child in children)
        if tree.terminal[node] >= 0:
            assert count == 0
            assert tree.returns[tree.terminal[node]].sum() == pytest.approx(0.0, abs=1e-12)
        elif tree.infoset[node] >= 0:
            infoset, mover = int(tree.infoset[node]), int(tree.player[node])
            slots = flat.slots(infoset)
            assert tree.infoset_player[infoset] == mover
            assert [int(tree.slot[child]) for child in children] == list(range(slots.start, slots.stop))
            assert last[node, mover] == tree.infoset_parent[infoset]
            assert tree.infoset_parent[infoset] < slots.start
        else:
            assert tree.probability[list(children)].sum() == pytest.approx(1.0, abs=1e-12)
        for child in children:
            last[child] = last[node]
            if tree.infoset[node] >= 0:
                last[child, tree.player[node]] = tree.slot[child]
    assert (np.diff(tree.parent) >= 0).all()
    assert (tree.parent[1:] < np.arange(1, flat.num_nodes)).all()


@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize("head", ["deal", "choice", "pick"])
def test_augmented_games_are_games(leduc: FlatGame, head: str, opponent: int) -> None:
    subgame = find_subgames(leduc)[7]
    weights = np.random.default_rng(3).random(len(subgame.roots)) + 0.1
    start = Beginning(opponent, subgame.roots, weights, subgame.known[opponent])
    alternative = np.arange(subgame.num_known(opponent), dtype=np.float64)
    made: AugmentedGame = (
        deal(leduc, start)
        if head == "deal"
        else {"choice": choice, "pick": pick}[head](leduc, start, alternative)
    )
    check_tree(made.flat)
    copied = made.slots[made.slots >= 0]
    assert np.array_equal(np.sort(copied), subgame.slots)
    assert [made.flat.slot_names[i] for i in np.flatnonzero(made.slots >= 0)] == [
        leduc.slot_names[s] for s in copied
    ]


@pytest.mark.parametrize("searcher", [0, 1])
def test_the_blueprint_gives_the_alternatives_in_its_own_gadget(leduc: FlatGame, searcher: int) -> None:
    """Against the blueprint nobody gains by choosing between entering and the value of entering."""
    strategy = random_strategy(leduc, 4)
    view = OpponentView(leduc, strategy, searcher)
    subgame = find_subgames(leduc)[11]
    worth, weight = alternatives(view, subgame)
    start = Beginning(view.opponent, subgame.roots, view.others[subgame.roots], subgame.known[view.opponent])
    for head, expected in ((choice, (worth * weight).sum() / weight.sum()), (pick, 0.0)):
        made = head(leduc, start, worth)
        played = made.flat.uniform()
        played[made.slots >= 0] = strategy[made.slots[made.slots >= 0]]
        judged = best_response(made.flat, played)
        best = judged.values[view.opponent] + judged.gains[view.opponent]
        assert best == pytest.approx(expected, abs=1e-12)
