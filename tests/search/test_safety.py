"""What safe re-solving promises, checked by exact best responses: coin toss, Leduc, random games."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.games.registry import make_game
from overbet.search.tabular.alternatives import OpponentView, alternatives, gifts
from overbet.search.tabular.coarse import coarse_policy
from overbet.search.tabular.locked import best_below
from overbet.search.tabular.resolving import cfr_solve, resolve_all, resolve_subgame
from overbet.search.tabular.subgames import after_decisions, find_subgames
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.tabular import TabularSolver, best_response
from overbet.tree.flat import FlatGame, flatten
from tests.reference.public_games import CoinToss, LineGame
from tests.reference.sequence_form import solve_exactly

SAFE = ("resolve", "maxmargin", "reach")


def worst_case(policy: TabularPolicy, player: int) -> float:
    """Return what a best response wins against one player's part of a policy."""
    judged = best_response(policy.game, policy.probabilities)
    return float((judged.values + judged.gains)[1 - player])


# --- the coin toss ---------------------------------------------------------------------------------------


def guessing(cards: int, heads: float, plays: float = 0.5) -> TabularPolicy:
    """Return the policy that guesses heads that often, and plays on with either side that often."""
    flat = flatten(CoinToss(cards))
    names, owner = flat.slot_names, flat.tree.infoset_player[flat.tree.slot_infoset]
    first = np.arange(flat.num_slots) == flat.tree.infoset_offset[flat.tree.slot_infoset]
    assert len(names) == 4 + 2 * cards
    shares = np.where(owner == 0, np.where(first, 1.0 - plays, plays), np.where(first, heads, 1.0 - heads))
    return TabularPolicy(flat, shares)


def guesses(policy: TabularPolicy) -> list[float]:
    """Return how often heads is guessed, after each card."""
    tree = policy.game.tree
    sets = range(int(tree.player_infosets[1]), int(tree.player_infosets[2]))
    return [float(policy.probabilities[policy.game.slots(i)][0]) for i in sets]


def at_guess(policy: TabularPolicy) -> np.ndarray:
    """Return the histories at which player 1 guesses."""
    return np.flatnonzero(policy.game.tree.player == 1)


def test_in_the_coin_toss_heads_is_guessed_one_time_in_four() -> None:
    for solve in (solve_exactly, cfr_solve(5000)):
        policy = TabularPolicy.from_weights(CoinToss(), solve(flatten(CoinToss())))
        assert guesses(policy) == pytest.approx([0.25], abs=2e-3)
        assert policy.values()[0] == pytest.approx(0.0, abs=2e-3)
        assert policy.exploitability() < 2e-3


@pytest.mark.parametrize("gadget", SAFE)
@pytest.mark.parametrize("plays", [0.2, 0.5, 1.0])
def test_safe_re_solving_keeps_one_quarter(gadget: str, plays: float) -> None:
    blueprint = guessing(1, heads=0.25, plays=plays)
    found = resolve_all(blueprint, gadget, at_guess(blueprint), players=[1], solve=solve_exactly)
    assert guesses(found.policy) == pytest.approx([0.25], abs=1e-9)
    assert worst_case(found.policy, 1) == pytest.approx(0.0, abs=1e-9)
    found = resolve_all(blueprint, gadget, at_guess(blueprint), players=[1], solve=cfr_solve(5000))
    assert guesses(found.policy) == pytest.approx([0.25], abs=1e-3)


def test_unsafe_re_solving_fails_at_the_coin_toss() -> None:
    """The cards believed in are even, so any guess looks as good as another."""
    blueprint = guessing(1, heads=0.25)
    found = resolve_all(blueprint, "unsafe", at_guess(blueprint), players=[1])
    assert abs(guesses(found.policy)[0] - 0.25) > 0.1
    assert worst_case(found.policy, 1) > worst_case(blueprint, 1) + 0.05


def test_gifts_of_the_coin_toss() -> None:
    """Guessing heads in 0.4: whoever plays heads gave away 0.5 - 0.2, so heads may have 0.5, tails -0.2.

    The margins 0.5 - (1 - 2p) and -0.2 - (2p - 1) are equal at p = 0.325. Without the gift nothing moves.
    """
    blueprint = guessing(1, heads=0.4)
    at = at_guess(blueprint)
    for gadget, expected in (("resolve", 0.4), ("maxmargin", 0.4), ("reach", 0.325)):
        found = resolve_all(blueprint, gadget, at, players=[1], solve=solve_exactly)
        assert guesses(found.policy) == pytest.approx([expected], abs=1e-9)
    assert worst_case(blueprint, 1) == pytest.approx(0.5 * (0.5 - 0.2))
    assert worst_case(found.policy, 1) == pytest.approx(0.5 * (0.5 - 0.35))


def test_right_estimates_give_one_quarter_whatever_the_blueprint() -> None:
    blueprint = guessing(1, heads=0.9)
    [subgame] = find_subgames(blueprint.game, at_guess(blueprint))
    view = OpponentView(blueprint.game, blueprint.probabilities, 1)
    for gadget in ("resolve", "maxmargin"):
        part = resolve_subgame(view, subgame, gadget, np.array([0.5, -0.5]), solve_exactly)
        assert part.augmented is not None
        assert part.solved[part.augmented.slots >= 0][-2:] == pytest.approx([0.25, 0.75], abs=1e-9)


def test_gifts_are_split_over_sibling_subgames() -> None:
    """Eight cards: each subgame gets its share. With the whole gift each, the result is worse than before."""
    blueprint = guessing(8, heads=0.4)
    at = at_guess(blueprint)
    subgames = find_subgames(blueprint.game, at, seen=blueprint.game.tree.action[at])
    assert len(subgames) == 8
    found = resolve_all(blueprint, "reach", subgames, players=[1], solve=solve_exactly)
    assert guesses(found.policy) == pytest.approx([0.325] * 8, abs=1e-9)

    view = OpponentView(blueprint.game, blueprint.probabilities, 1)
    given = gifts(view, at)
    strategy = blueprint.probabilities.copy()
    for subgame in subgames:
        worth, _ = alternatives(view, subgame)
        with_share, _ = alternatives(view, subgame, given=given)
        assert with_share - worth == pytest.approx([0.3, 0.0])
        part = resolve_subgame(view, subgame, "maxmargin", worth + 8 * (with_share - worth), solve_exactly)
        assert part.augmented is not None
        part.augmented.into(strategy, part.solved, 1)
    assert worst_case(blueprint, 1) == pytest.approx(0.15)
    assert worst_case(TabularPolicy(blueprint.game, strategy), 1) == pytest.approx(0.25)


# --- Leduc -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def leduc() -> FlatGame:
    return flatten(make_game("leduc"))


def leduc_blueprint(flat: FlatGame, name: str) -> TabularPolicy:
    """Return a blueprint by name: a rule and its iterations, or which cards look the same."""
    if name == "uniform":
        return TabularPolicy.uniform(flat)
    if name == "jacks are queens":
        return coarse_policy("leduc", lambda seen: seen.replace("Q", "J"), cfr_solve(300))
    rule, _, iterations = name.partition(" ")
    solver = TabularSolver(flat, rule)
    solver.run(int(iterations))
    return solver.policy()


@pytest.mark.parametrize("name", ["uniform", "cfr 20", "dcfr 1000", "jacks are queens"])
def test_leduc_is_never_more_exploitable_than_its_blueprint(leduc: FlatGame, name: str) -> None:
    blueprint = leduc_blueprint(leduc, name)
    before = blueprint.exploitability()
    solve = cfr_solve(300)
    for gadget in SAFE:
        found = resolve_all(blueprint, gadget, solve=solve)
        assert found.error < 0.01
        assert found.policy.exploitability() <= before + found.error + 1e-12
        if name != "dcfr 1000":  # so near an equilibrium that 300 iterations cannot better it
            assert found.policy.exploitability() < before
        outside = np.ones(leduc.num_slots, dtype=bool)
        for part in found.subgames:
            outside[part.subgame.slots] = False
        assert np.array_equal(found.policy.probabilities[outside], blueprint.probabilities[outside])


def test_unsafe_re_solving_makes_a_good_blueprint_worse(leduc: FlatGame) -> None:
    """1,000 iterations of CFR: 0.0118 before, ten times that after; reach makes it better."""
    blueprint = leduc_blueprint(leduc, "cfr 1000")
    before = blueprint.exploitability()
    assert before == pytest.approx(1.182e-2, rel=1e-3)
    assert resolve_all(blueprint, "unsafe", solve=cfr_solve(300)).policy.exploitability() > 5 * before
    floored = resolve_all(blueprint, "reach", solve=cfr_solve(300), bound="floor")
    assert floored.policy.exploitability() < 0.8 * before


def test_reach_with_estimates_is_no_worse_than_the_solve_it_estimates_by(leduc: FlatGame) -> None:
    blueprint = leduc_blueprint(leduc, "cfr 5")
    solve = cfr_solve(200)
    first = resolve_all(blueprint, "unsafe", solve=solve).policy.exploitability()
    found = resolve_all(blueprint, "reach-estimates", solve=solve)
    assert found.policy.exploitability() <= first + found.error + 1e-12
    assert found.policy.exploitability() < first


def test_no_gadget_beats_the_best_that_the_trunk_allows(leduc: FlatGame) -> None:
    blueprint = leduc_blueprint(leduc, "cfr 100")
    solve = cfr_solve(200)
    best = best_below(blueprint, solve=cfr_solve(1000))
    trunk = np.array(["/" not in name for name in leduc.infoset_names])[leduc.tree.slot_infoset]
    assert np.array_equal(best.probabilities[trunk], blueprint.probabilities[trunk])
    for gadget in ("unsafe", "reach"):
        assert resolve_all(blueprint, gadget, solve=solve).policy.exploitability() > best.exploitability()


def test_estimates_cost_at_most_twice_their_error(leduc: FlatGame) -> None:
    """Alternatives off by `error` from the values under the least exploitable strategy with this trunk."""
    blueprint = leduc_blueprint(leduc, "cfr 20")
    best = best_below(blueprint, solve=cfr_solve(1000))
    rng = np.random.default_rng(1)
    for player, error in ((0, 0.1), (1, 0.0)):
        view = OpponentView(leduc, blueprint.probabilities, player)
        target = OpponentView(leduc, best.probabilities, player)
        strategy, slack = best.probabilities.copy(), 0.0
        for subgame in find_subgames(leduc):
            worth, _ = alternatives(target, subgame)
            noisy = worth + error * rng.choice([-1.0, 1.0], len(worth))
            part = resolve_subgame(view, subgame, "maxmargin", noisy, cfr_solve(200))
            assert part.augmented is not None
            part.augmented.into(strategy, part.solved, player)
            slack += part.error
        policy = TabularPolicy.from_weights(leduc, strategy)
        assert worst_case(policy, player) <= worst_case(best, player) + 2 * error + slack + 1e-12
        assert worst_case(policy, player) < worst_case(blueprint, player) + 2 * error


# --- random games ----------------------------------------------------------------------------------------


def near_equilibrium(flat: FlatGame, seed: int, share: float) -> TabularPolicy:
    """Return a blueprint that is a random strategy in part: little to spare, so that mistakes show."""
    rng = np.random.default_rng(seed)
    noise = flat.normalise(rng.gamma(0.5, size=flat.num_slots))
    return TabularPolicy.from_weights(flat, (1.0 - share) * cfr_solve(500)(flat) + share * noise)


def exact_cases(seed: int, length: int, decisions: int) -> list[float]:
    """Return what each way of safe re-solving adds to the exploitability of a random game, then unsafe."""
    flat = flatten(LineGame(seed, types=2 + seed % 2, length=length, deals=50))
    blueprint = near_equilibrium(flat, seed, 0.02 + 0.1 * (seed % 3))
    before = blueprint.exploitability()
    added = []
    for gadget, bound in (*((name, "blueprint") for name in SAFE), ("reach", "floor"), ("unsafe", "none")):
        at = after_decisions(flat, decisions)
        found = resolve_all(blueprint, gadget, at, solve=solve_exactly, bound=bound)
        assert found.error < 1e-9
        added.append(found.policy.exploitability() - before)
    return added


@pytest.mark.parametrize("seed", range(4))
def test_random_games_solved_exactly_are_never_worse(seed: int) -> None:
    assert max(exact_cases(seed, 3, 1)[:-1]) <= 1e-9


@pytest.mark.slow
def test_many_random_games_solved_exactly_are_never_worse() -> None:
    cases = np.array([exact_cases(seed, 3 + depth - 1, depth) for seed in range(4, 34) for depth in (1, 2)])
    print(f"{len(cases)} cases; most added {cases.max(axis=0)}, least {cases.min(axis=0)}")
    print(f"cases made worse {(cases > 1e-9).sum(axis=0)}, better {(cases < -1e-9).sum(axis=0)}")
    assert cases[:, :-1].max() <= 1e-9
    assert (cases[:, -1] > 0.01).sum() >= 3


def test_random_games_are_never_worse_beyond_the_error_of_the_solver() -> None:
    worse, better, cases = 0, 0, 0
    for seed in range(16):
        flat = flatten(LineGame(seed, types=2 + seed % 2, length=3 + (seed % 4 == 1), deals=30))
        at = after_decisions(flat, 1 + (seed % 4 == 1))
        blueprint = near_equilibrium(flat, seed, 0.02 + 0.2 * (seed % 3))
        solve = cfr_solve(200, "cfr+")
        before = blueprint.exploitability()
        for gadget in SAFE:
            found = resolve_all(blueprint, gadget, at, solve=solve)
            assert found.policy.exploitability() <= before + found.error + 1e-12
            better += found.policy.exploitability() < before
            cases += 1
        worse += resolve_all(blueprint, "unsafe", at, solve=solve).policy.exploitability() > before + 0.01
    assert cases > 40
    assert better > 0.8 * cases
    assert worse >= 3  # unsafe is, in some of them


# --- manners ---------------------------------------------------------------------------------------------


def test_wrong_words_are_named() -> None:
    policy = TabularPolicy.uniform("leduc-one-bet")
    with pytest.raises(ConfigError, match="did you mean 'maxmargin'"):
        resolve_all(policy, "maxmargins")
    with pytest.raises(ConfigError, match="bound of gifts"):
        resolve_all(policy, "reach", bound="bluprint")
    with pytest.raises(ConfigError, match="source of estimates"):
        resolve_all(policy, "reach-estimates", estimates="guess")
    with pytest.raises(ConfigError, match="players are 0 and 1"):
        resolve_all(policy, "resolve", players=[2])
    with pytest.raises(ConfigError, match="at least one iteration"):
        resolve_all(policy, "resolve", solve=cfr_solve(0))


@pytest.mark.parametrize("gadget", ["unsafe", "resolve", "maxmargin", "reach"])
def test_the_whole_game_as_one_subgame(gadget: str) -> None:
    """Nothing came before: every gadget finds an equilibrium but resolve, which need not better it."""
    blueprint = TabularPolicy.uniform("kuhn")
    found = resolve_all(blueprint, gadget, [0], solve=solve_exactly).policy.exploitability()
    assert found <= blueprint.exploitability() if gadget == "resolve" else found < 1e-9


def test_a_subgame_that_the_searcher_never_reaches_keeps_the_blueprint() -> None:
    """Player 0 never bets in the first round; where it would have, nothing is solved."""
    flat = flatten(make_game("leduc-one-bet"))
    weights = flat.uniform()
    for (player, name), infoset in flat.infoset_ids.items():
        if player == 0 and name.endswith(":"):
            weights[flat.slots(infoset)] = [1.0, 0.0]
    blueprint = TabularPolicy(flat, weights)
    found = resolve_all(blueprint, "maxmargin", players=[0], solve=cfr_solve(50))
    kept = [part for part in found.subgames if part.augmented is None]
    assert len(kept) == 6  # one line of three, six cards
    for part in kept:
        slots = part.subgame.slots
        assert np.array_equal(found.policy.probabilities[slots], blueprint.probabilities[slots])
    # where the opponent never gets by the blueprint, unsafe still solves
    loose = resolve_all(blueprint, "unsafe", players=[1], solve=cfr_solve(50))
    assert all(part.augmented is not None for part in loose.subgames)
