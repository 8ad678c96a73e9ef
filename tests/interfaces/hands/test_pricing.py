"""The review of decisions: planted mistakes are found, values are those of a solve, nothing is done twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import overbet
from overbet.agents.any_stacks import AnyStacksAgent
from overbet.cards.cards import cards
from overbet.cards.combos import COMBOS, combo
from overbet.cards.range import Range
from overbet.hands import HandDatabase, PricedDecision, import_hands
from overbet.interfaces.cli.app import build
from overbet.interfaces.hands.review import team
from overbet.interfaces.hands.review.by_strategy import StrategyPricer
from overbet.interfaces.hands.review.hand import HandReviewer
from overbet.interfaces.hands.review.preflop_line import preflop_lines
from overbet.interfaces.hands.review.ranges_file import LineRanges
from overbet.interfaces.hands.review.running import ReviewProgress, review_hands
from overbet.interfaces.hands.review.settings import ReviewSettings, common_ranges
from overbet.interfaces.hands.review.start_ranges import start_ranges
from overbet.interfaces.hands.review.street_solve import SolvedStreet, StreetQuestion, solve_street
from overbet.interfaces.hands.review.totals import review_totals
from overbet.interfaces.hands.review.verdict import NotPricedError, solved_grade
from overbet.interfaces.hands.review.walk import walk_of
from overbet.interfaces.hands.reviews import ASSUMED
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.history.record import HandRecord
from overbet.solvers.pushfold import solve_pushfold
from overbet.tree.spot import Spot
from tests.interfaces.hands.corpus import written

RANGES = """\
SB open: AA,QQ,T9s,AKs
BB call vs SB open: KK,JJ,87s,A7s
BTN open: AA,QQ,T9s
BB call vs open: KK,JJ,87s
"""
DEAL = "d dh p1 KsKd, d dh p2 AsAd, "
# Bob, on the button, folds top set on the river to a bet of kings: nothing better is in the ranges
NUTS_FOLDED = DEAL + (
    "p2 cbr 25, p1 cc, d db Ah7h2h, p1 cc, p2 cbr 31, p1 cc, d db 3s, p1 cc, p2 cc, d db 9c, p1 cbr 60, p2 f"
)
FIVE = "".join(f"d dh p{seat} ????, " for seat in (1, 3, 4)) + "d dh p2 KsKd, d dh p5 AsAd, "
FIVE_HANDED = FIVE + "p3 f, p4 f, p5 cbr 25, p1 f, p2 cc, d db Ah7h2h, p2 cc, p5 cc, d db 3s, p2 cbr 30, p5 f"
MULTIWAY = FIVE + "p3 f, p4 f, p5 cbr 25, p1 cc, p2 cc, d db Ah7h2h, p1 cc, p2 cc, p5 cbr 40, p1 f, p2 f"
SIX_HANDED = FIVE_HANDED.replace("p5 cbr 25", "p5 cbr 25, p6 f").replace("d dh p5", "d dh p6 ????, d dh p5")


def stored(folder: Path, *records: HandRecord) -> HandDatabase:
    (folder / "some.phhs").write_text(write_hands(records), encoding="utf-8")
    database = HandDatabase(folder / "data")
    assert import_hands(database, folder / "some.phhs").new == len(records)
    return database


def settings(folder: Path, **changes: object) -> ReviewSettings:
    path = folder / "ranges.yaml"
    path.write_text(RANGES, encoding="utf-8")
    return ReviewSettings.parse(
        {"ranges": str(path), "threads": 1, "device": "cpu", "runs": 400, "target": 4, **changes}
    )


def by_street(database: HandDatabase, player: str) -> dict[tuple[str, int], PricedDecision]:
    """Return the verdicts on a player's decisions by street and hand."""
    found = {}
    for row in database.reviews(player=player).iter_rows(named=True):
        [one] = [each for each in database.priced(row["hand"]) if each.number == row["number"]]
        found[row["street"], row["hand"]] = one
    return found


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HandDatabase]:
    """The hand with Bob's decisions reviewed; nobody writes to it."""
    folder = tmp_path_factory.mktemp("reviewed")
    raked = {"_overbet_rake": 4, "_overbet_format": "cash"}
    with stored(folder, written(NUTS_FOLDED, (240, 240), **raked)) as database:
        run = review_hands(database, settings(folder), player="Bob", workers=1)
        assert (run.done, run.priced, run.left) == (4, 4, 0)
        yield database


def test_folding_the_best_hand_on_the_river_costs_the_pot(reviewed: HandDatabase) -> None:
    found = by_street(reviewed, "Bob")
    river = found["river", 1]
    assert (river.method, river.grade, river.taken) == ("solve", "blunder", "f")
    assert river.best != "f"
    assert river.loss_bb is not None
    assert river.accuracy_bb is not None
    won = 11.2 + 2 * 6
    assert river.loss_bb > won * (1 - 4 / 112) - 6 - river.accuracy_bb  # a call wins the pot less the rake
    assert river.share == pytest.approx(0, abs=0.01)
    folding = river.action("f")
    assert folding is not None
    assert (folding.kind, folding.ev_bb) == ("fold", pytest.approx(0))
    assert "your ranges BB call vs SB open, SB open" in river.source
    assert found["flop", 1].taken == "b31"  # the very size that was bet
    assert reviewed.reviews(player="Bob")["street"][0] == "river"
    totals = review_totals(reviewed, player="Bob")
    assert totals.clear_bb >= river.loss_bb
    assert totals.methods == {"blueprint": 1, "solve": 3}
    assert totals.per_100(totals.loss_bb) == pytest.approx(100 * totals.loss_bb)  # of one hand
    assert review_totals(reviewed, "won>1000", player="Bob").hands == 0


def test_values_are_those_of_the_spot_solved_by_itself(reviewed: HandDatabase) -> None:
    river = by_street(reviewed, "Bob")["river", 1]
    assert river.spot is not None
    assert river.loss_bb is not None
    fields = {name: value for name, value in river.spot.items() if name in Spot.model_fields}
    assert (fields["board"], fields["pot"], fields["stacks"]) == ("Ah7h2h3s9c", 112, [184, 184])
    assert fields["rake"] == {"share": pytest.approx(4 / 112), "cap": 30}
    values = [action.ev_bb for action in river.actions]
    for target, known in ((0.4, 1e-9), (0.01, 0.5)):  # as finely as here, and to the end
        node = overbet.solve(fields, target=target, threads=1, device="cpu").node(river.spot["line"])
        seat = node.seat()
        assert (node.player, river.spot["player"]) == ("ip", "ip")
        row = seat.hands.index(river.spot["hand"])
        assert seat.action_ev_chips is not None
        assert [action.token for action in node.actions] == [action.token for action in river.actions]
        assert np.abs(values - seat.action_ev_chips[row] / 10).max() < known
        assert abs(river.loss_bb - max(seat.action_ev_chips[row]) / 10) < known


def test_push_or_fold_is_exact(tmp_path: Path) -> None:
    record = written("d dh p1 ????, d dh p2 AhTh, p2 f", (80, 80))
    with stored(tmp_path, record) as database:
        review_hands(database, settings(tmp_path), player="Bob", workers=1)
        [found] = database.priced(1)
    chart = solve_pushfold(8)
    assert (found.method, found.grade, found.accuracy_bb) == ("push-fold", "blunder", 0)
    ev = dict(zip(("f", "b80"), (action.ev_bb for action in found.actions)))
    assert ev["f"] == pytest.approx(0)
    assert found.loss_bb == pytest.approx(ev["b80"])
    assert max(chart.push_ev_bb) > found.loss_bb + chart.fold_ev_bb[0] > 0


def test_a_blueprint_prices_what_is_dealt_to_two_before_the_flop(tmp_path: Path) -> None:
    folded = written("d dh p1 ????, d dh p2 AsAd, p2 f", (1000, 1000))
    opened = written("d dh p1 ????, d dh p2 AsAd, p2 cbr 27, p1 f", (500, 600))
    with stored(tmp_path, folded, opened) as database:
        review_hands(database, settings(tmp_path, runs=8000), player="Bob", workers=1)
        [bad], [good] = database.priced(1), database.priced(2)
    assert (bad.method, bad.grade, bad.share) == ("blueprint", "blunder", 0)
    assert "heads-up blueprint of 100 bb" in bad.source
    assert "nearest" not in bad.source
    assert "the nearest to 50 bb" in good.source
    assert good.taken == "b27"
    assert good.loss_bb is not None
    assert bad.loss_bb is not None
    assert good.loss_bb < 0.5 < bad.loss_bb


def test_a_blueprint_prices_three_players_after_the_flop(tmp_path: Path) -> None:
    dealt = "d dh p1 ????, d dh p2 ????, d dh p3 AsAd, "
    played = "p3 cbr 20, p1 cc, p2 cc, d db Ah7c2d, p1 cc, p2 cc, p3 cbr 30, p1 f, p2 f"
    record = written(dealt + played, (250,) * 3)
    with stored(tmp_path, record) as database:
        review_hands(database, settings(tmp_path), player="Cleo", workers=1)
        found = by_street(database, "Cleo")
    assert [found["preflop", 1].method, found["flop", 1].method] == ["blueprint", "blueprint"]
    assert "expresso blueprint" in found["flop", 1].source
    values = {action.token: action.ev_bb for action in found["flop", 1].actions}
    assert min(value for value in values.values() if value is not None) > 4  # a set of aces in a pot of 6


def test_ranges_follow_the_line_in_a_blueprint() -> None:
    record = written(
        "d dh p1 ????, d dh p2 AsAd, p2 cbr 27, p1 cbr 95, p2 cc, d db Kh7c2d, p1 cc, p2 cc", (1000, 1000)
    )
    pricer = StrategyPricer(AnyStacksAgent(), runs=400)
    ranges, source = start_ranges(walk_of(record), 1, None, pricer)
    assert source == "ranges by the heads-up blueprint of 100 bb"
    assert ranges.shape == (2, COMBOS)
    assert ranges.max(1).tolist() == [1, 1]
    three_bet, called = (Range(weights) for weights in ranges)
    assert three_bet.weight("AcAd") > 0.5 > three_bet.weight("8c3d")
    assert called.combos < 600  # who opened and called a 3-bet does not hold anything
    assert called.weight("7h2s") == 0
    assert called.weight("KhQd") == 0  # lies on the board


def test_accuracy_is_never_better_than_the_solve() -> None:
    ranges = np.stack([Range.parse(text).weights for text in ("KK,JJ,87s", "AA,QQ,T9s")]).astype(float)
    board = tuple(cards("Ah7h2h3s9c"))
    question = StreetQuestion(
        2, board, 112, (184, 184), ranges, (1, combo("AsAd")), (60,), 10, 10, rake=(0.0, 0.0)
    )
    solved = solve_street(question, ReviewSettings(target=4, threads=1, device="cpu"))
    whole = solved.solution.exploitability / 100 * 11.2
    assert solved.accuracy_bb(1, ["f"]) == pytest.approx(3 * whole)
    gain = solved.solution.best_response("oop", solved.line(1) + ":b184").gain_chips / 10
    assert solved.accuracy_bb(1, ["f", "b184"]) == pytest.approx(3 * max(whole, gain))  # no more to gain
    assert solved.ranges_after().max(1).tolist() == [1, 1]


def test_what_one_hand_could_still_gain_is_in_its_accuracy() -> None:
    """The mean over hands says little of one: a hand that plays badly later on is worth more than shown."""
    wide = ("22+,A2s+,K9s+,QTs+,ATo+", "22+,A5s+,KTs+,QJs,AJo+")
    ranges = np.stack([Range.parse(text).weights for text in wide]).astype(float)
    board = tuple(cards("Ks8h4d2c"))
    question = StreetQuestion(
        1, board, 80, (300, 300), ranges, (0, combo("AsAd")), (0, 60, 0), 10, 10, rake=(0.0, 0.0)
    )
    rough, fine = (
        solve_street(question, ReviewSettings(target=target, threads=1, device="cpu", iterations=2000))
        for target in (40, 0.4)
    )
    node, known = rough.node(0), fine.node(0)
    values, right = node.seat().action_ev_chips, known.seat().action_ev_chips
    assert values is not None
    assert right is not None
    tokens = [action.token for action in node.actions]
    outside = {"mean": 0, "hand": 0}
    gains = []
    for row, held in enumerate(node.seat().combos):
        rough = SolvedStreet(question._replace(held=(0, int(held))), rough.solution)
        best, other = np.argsort(-values[row])[:2]
        off = abs((values[row] - right[row])[best] - (values[row] - right[row])[other]) / 10
        pair = {tokens[best], tokens[other]}
        own = rough._own_gain(0, pair) / 10
        outside["hand"] += off > rough.accuracy_bb(0, pair)
        outside["mean"] += off > (rough.accuracy_bb(0, pair) - own) / 3
        gains.append(own)
    assert outside["mean"] > 0.2 * len(gains)
    assert outside["hand"] <= 0.05 * len(gains)
    assert max(gains) > 2 * np.mean(gains) > 0


def test_grades_of_a_solved_spot() -> None:
    assert solved_grade(0.0, 10, 0.1, 1.0) == "best"
    assert solved_grade(0.05, 10, 0.1, 0.0) == "within solver error"
    assert solved_grade(0.5, 10, 0.1, 0.0) == "mistake"
    assert solved_grade(0.5, 2, 0.1, 0.0) == "blunder"  # a pot below four big blinds counts as four
    assert solved_grade(0.5, 10, 0.1, 0.3) == "correct"
    assert solved_grade(-0.05, 10, 0.1, 0.0) == "within solver error"
    assert solved_grade(-0.5, 10, 0.1, 0.0) == "unclear"  # never taken, and seems worth more


def test_what_cannot_be_priced_says_why(tmp_path: Path) -> None:
    records = (
        written(FIVE_HANDED, (240,) * 5),
        written(MULTIWAY, (1000,) * 5),
        written("d dh p1 ????, d dh p2 ????, p2 cbr 25, p1 f", (1000, 1000)),
    )
    with stored(tmp_path, *records) as database:
        review_hands(database, settings(tmp_path), "id<=2", player="Emil", workers=1)
        review_hands(database, settings(tmp_path), player="Bob", workers=1)
        emil, bob = by_street(database, "Emil"), by_street(database, "Bob")
        reasons = {key: found.reason for key, found in emil.items() if found.method == "none"}
        assert reasons["preflop", 1] == "no strategy for 5 players ships; name one with --blueprint"
        assert reasons["flop", 2] == "3 players began the street and no strategy for 5 is there"
        assert emil["turn", 1].method == "solve"  # by the ranges of the file
        assert emil["turn", 1].grade == "blunder"
        assert bob["preflop", 3].reason == "the cards are not known"
        without = ReviewSettings(threads=1, device="cpu", runs=400, assume=False)
        review_hands(database, without, "id=1", player="Emil", workers=1)
        turn = by_street(database, "Emil")["turn", 1]
        assert turn.reason == "no ranges for 5 players: give yours with --ranges, or a --blueprint"
        assert turn.loss_bb is None


def test_a_strategy_of_keyed_tables_gives_ranges_and_prices_nothing(tmp_path: Path) -> None:
    walk, pricer = walk_of(written(SIX_HANDED, (1000,) * 6)), StrategyPricer(AnyStacksAgent(), runs=400)
    found = start_ranges(walk, 1, None, pricer)
    assert found.source == "ranges by the six-max blueprint of 100 bb"
    opened = Range(found.ranges[1])
    assert opened.weight("JcJs") > 0.5 > 0.1 > opened.weight("8c4d")
    first = walk.on(0)[2]
    with pytest.raises(NotPricedError, match="can be looked up, not played on"):
        pricer.price(first.state, first.action, 1)


def test_common_ranges_stand_in_and_are_named(tmp_path: Path) -> None:
    """Where neither the user nor a strategy has a range; the user's own go first, line by line."""
    walk, pricer = walk_of(written(FIVE_HANDED, (240,) * 5)), StrategyPricer(AnyStacksAgent(), runs=400)
    common = LineRanges.load(common_ranges())
    (tmp_path / "mine.yaml").write_text("BTN open: AA,QQ,T9s", encoding="utf-8")
    mine = LineRanges.load(tmp_path / "mine.yaml")
    none, own = (start_ranges(walk, 1, given, pricer, common) for given in (None, mine))
    assert none.source == f"ranges {ASSUMED}: BB call vs BTN open, BTN open"
    assert own.source == f"your range BTN open; range {ASSUMED}: BB call vs BTN open"
    opened = [Range(found.ranges[1]) for found in (none, own)]
    assert (opened[0].weight("AhKd"), opened[1].weight("AhKd")) == (1, 0)
    assert (none.ranges[0] == own.ranges[0]).all()
    with pytest.raises(NotPricedError, match=r"^mine.yaml has no range for `BB call vs BTN open`$"):
        start_ranges(walk, 1, mine, pricer)
    # a strategy for the table goes before what is assumed
    dealt = "d dh p1 ????, d dh p2 AsAd, p2 cbr 27, p1 cc, d db Kh7c2d, p1 cc, p2 cc"
    heads_up = walk_of(written(dealt, (1000, 1000)))
    assert "heads-up blueprint" in start_ranges(heads_up, 1, None, pricer, common).source
    with stored(tmp_path, written(FIVE_HANDED, (240,) * 5)) as database:
        cheap = ReviewSettings(threads=1, device="cpu", target=50)
        review_hands(database, cheap, player="Emil", workers=1)
        assert ASSUMED in by_street(database, "Emil")["turn", 1].source  # carried from the flop
        assert review_totals(database, player="Emil").assumed == 2
    result = run(tmp_path / "data", "review", "--player", "Emil", "--limit", "0")
    assert "solve, assumed" in result.output
    assert f"2 of these with ranges {ASSUMED}" in result.output
    assert f"ranges {ASSUMED}: BB call vs BTN open" in run(tmp_path / "data", "show", "1").output
    assert cheap.solve_digest() != cheap.model_copy(update={"assume": False}).solve_digest()


def test_nothing_is_priced_twice_and_a_change_prices_anew(tmp_path: Path) -> None:
    records = [written(f"d dh p1 ????, d dh p2 AhTh, p2 {end}", (80, 80)) for end in ("f", "cbr 80, p1 f")]
    with stored(tmp_path, *records) as database:
        chosen = settings(tmp_path)
        told: list[ReviewProgress] = []
        first = review_hands(database, chosen, player="Bob", workers=1, progress=told.append)
        assert (first.done, first.known) == (2, 0)
        assert (told[-1].done, told[-1].total, told[-1].priced) == (2, 2, 2)
        again = review_hands(database, chosen, player="Bob", workers=1)
        assert (again.done, again.known) == (0, 2)
        assert review_hands(database, settings(tmp_path, runs=800), player="Bob", workers=1).done == 2
        assert review_hands(database, chosen, "id=1", player="Bob", workers=1, again=True).done == 1
    finer = settings(tmp_path, target=1)
    assert finer.solve_digest() != chosen.solve_digest()
    assert finer.table_digest() == chosen.table_digest()  # strategies before the flop are what they were
    (tmp_path / "ranges.yaml").write_text(RANGES + "BB check: 72o", encoding="utf-8")
    assert finer.solve_digest() != settings(tmp_path, target=1).solve_digest()


def test_a_stopped_review_keeps_what_it_has_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = written("d dh p1 ????, d dh p2 AhTh, p2 f", (80, 80))
    large = written("d dh p1 ????, d dh p2 AhTh, p2 cbr 80, p1 f", (80, 80))
    price = HandReviewer.price

    def stops(self: HandReviewer, hand: object, *rest: object) -> list[PricedDecision]:
        if hand.id == 1:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        return price(self, hand, *rest)  # type: ignore[arg-type]

    with stored(tmp_path, small, large) as database:
        monkeypatch.setattr(team.HandReviewer, "price", stops)
        with pytest.raises(KeyboardInterrupt):
            review_hands(database, settings(tmp_path), player="Bob", workers=1)
        assert (len(database.priced(1)), len(database.priced(2))) == (0, 1)  # the larger pot came first
        monkeypatch.undo()
        run = review_hands(database, settings(tmp_path), player="Bob", workers=1)
        assert (run.done, run.known) == (1, 1)
        limited = review_hands(database, settings(tmp_path), player="Bob", workers=1, again=True, limit=1)
        assert (limited.done, limited.left) == (1, 1)


@pytest.mark.slow
def test_processes_price_what_one_does(tmp_path: Path) -> None:
    records = [written(NUTS_FOLDED, (stack, stack)) for stack in (1000, 240, 200)]
    with stored(tmp_path, *records) as database:
        review_hands(database, settings(tmp_path), player="Bob", workers=1)
        alone = [database.priced(hand) for hand in (1, 2, 3)]
        run = review_hands(database, settings(tmp_path), player="Bob", workers=2, again=True)
        assert run.done == 12
        assert [database.priced(hand) for hand in (1, 2, 3)] == alone


def test_lines_before_the_flop_have_names() -> None:
    record = written(
        "d dh p1 ????, d dh p2 ????, d dh p3 ????, d dh p4 ????, "
        "p3 cc, p4 cbr 40, p1 cc, p2 cbr 150, p3 f, p4 cbr 400, p1 f, p2 cc, d db Ah7h2h, p2 cc, p4 cc",
        (1000,) * 4,
    )
    named = preflop_lines(walk_of(record).on(0))
    assert {player: str(line) for player, line in named.items()} == {
        1: "BB call vs BTN 4bet",
        3: "BTN 4bet vs BB 3bet",
    }
    assert named[1].names() == ["BB call vs BTN 4bet", "BB call vs 4bet", "BB call"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("BTN opne: AA", "'BTN opne': unknown line 'opne' (did you mean 'open'?)"),
        ("XX open: AA", "'XX open': unknown position 'XX'"),
        ("BB call vs BTN: AA", "'BB call vs BTN': unknown raise 'btn'"),
        ("BTN open: A", "'BTN open': "),
        ("BTN open: 7", "'BTN open': write a range as text"),
        ("BTN open: AA-", "'BTN open': "),
        ("just words", "write lines such as `BTN open: 22"),
        ("a: [", "line 1"),
    ],
)
def test_faults_of_a_file_of_ranges_are_one_line(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    result = run(tmp_path / "data", "review", "--ranges", tmp_path / "mine.yaml")
    assert result.exit_code != 0
    assert str(result.exception).startswith("mine.yaml: ")
    assert fault in str(result.exception)
    assert "\n" not in str(result.exception)


def run(data: Path, *words: object) -> Result:
    return CliRunner().invoke(build("hands"), ["hands", *(str(word) for word in words), "--data", str(data)])


def test_the_verb_lists_the_most_expensive_and_show_tells_the_verdict(tmp_path: Path) -> None:
    heroes = {"_overbet_hero": 2}
    push = written("d dh p1 ????, d dh p2 AhTh, p2 f", (80, 80), **heroes)
    call = written("d dh p1 ????, d dh p2 ????, p2 f", (1000, 1000), **heroes)
    stored(tmp_path, push, call).close()
    data = tmp_path / "data"
    result = run(data, "review")
    assert result.exit_code == 0, result.exception
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[1].startswith("1 SB preflop AhTh - fold all-in 8 1.")
    assert lines[1].endswith("± 0.00 blunder push-fold")
    assert lines[2] == "2 hands; 1 of 2 decisions priced"
    assert "1 by exact push or fold" in lines
    assert "1 the cards are not known" in lines
    facts = json.loads(run(data, "review", "--json", "--limit", 0).stdout)
    assert facts["totals"]["priced"] == 1
    assert facts["decisions"][0]["loss_bb"] == pytest.approx(facts["totals"]["loss_bb"])
    told = run(data, "show", 1, "--plain").stdout
    assert "folds   blunder, -1." in told
    assert "best: all-in 8" in told
    assert "not priced" not in run(data, "show", 2, "--plain").stdout
    nobody = run(tmp_path / "other", "review", "--rake", "much")
    assert "write a share of the pot and a cap in bb" in str(nobody.exception)
