"""All-in EV: exact beside plain enumeration, side pots, rake, cash-outs, and without bias."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from overbet.cards.cards import cards
from overbet.games.holdem import HoldemGame
from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.hands.all_in import TABLE, all_in_nets
from overbet.interfaces.history.phh_writer import record_of, write_hands
from overbet.interfaces.history.record import AsPlayed, HandRecord
from overbet.interfaces.history.replay import states
from tests.interfaces.hands.corpus import written

FLOP = written(
    "d dh p1 AsAd, d dh p2 KsKd, p2 cbr 30, p1 cc, d db 2c7d9h, p1 cbr 60, p2 cbr 970, p1 cc, "
    "d db Kc, d db 3s, p1 sm AsAd, p2 sm KsKd",
    (1000, 1000),
)
SIDE_POTS = written(
    "d dh p1 AsAd, d dh p2 KsKd, d dh p3 QsJs, d dh p4 7c7h, p3 cbr 60, p4 f, p1 cbr 120, p2 cc, p3 cc, "
    "d db Ts9s2h, p1 cc, p2 cbr 480, p3 cc, p1 cc, d db 4c, d db 4d, p1 sm AsAd, p2 sm KsKd, p3 sm QsJs",
    (300, 600, 1200, 1000),
)


def enumerated(record: HandRecord, lying: int, dead: str) -> list[float]:
    """Return the mean result of every player over all run-outs, each played by the rules."""
    board = [action for action in record.actions if action.startswith("d db ")]
    shown = "".join(action.removeprefix("d db ") for action in board)[: 2 * lying]
    held = "".join(action.split()[3] for action in record.actions if action.startswith("d dh"))
    out = {*cards(shown), *cards(held.replace("?", "")), *cards(dead)}
    deck = [card for card in range(52) if card not in out]
    *_, final = states(record)
    hole = list(final.hole)
    start = final.game.initial_state().with_cards(hole)
    total = np.zeros(final.num_players)
    runs = list(combinations(deck, 5 - lying))
    for run in runs:
        state = start.with_cards(board=[*cards(shown), *run])
        for _, _, action in final.history:
            state = state.apply(action)
        total += state.returns()
    return (total / len(runs)).tolist()


def last_street(record: HandRecord) -> int:
    *_, final = states(record)
    return final.history[-1][0]


def nets(record: HandRecord) -> list[int]:
    *_, final = states(record)
    return [int(chips) for chips in final.returns()]


@pytest.mark.parametrize("record", [FLOP, SIDE_POTS], ids=["heads up", "side pots"])
def test_it_is_the_mean_over_all_run_outs(record: HandRecord) -> None:
    found = all_in_nets(record, nets(record), last_street(record))
    assert found is not None
    mean = enumerated(record, 3, "")
    inside = [player for player, value in enumerate(found) if value is not None]
    assert len(inside) == (2 if record is FLOP else 3)
    for player in inside:
        assert found[player] == pytest.approx(mean[player], abs=0.5)  # odd chips are not split
        assert found[player] != nets(record)[player]
    assert sum(found[player] or 0.0 for player in inside) == pytest.approx(
        sum(nets(record)[player] for player in inside)
    )


def test_a_known_pair_before_the_flop() -> None:
    """Aces against kings of the other two suits are 81.26 %, as everybody's tables have it."""
    record = written(
        "d dh p1 AsAd, d dh p2 KhKc, p2 cbr 1000, p1 cc, d db 2c7d9h, d db Kd, d db 3s, "
        "p1 sm AsAd, p2 sm KhKc",
        (1000, 1000),
    )
    [aces, kings] = all_in_nets(record, [-1000, 1000], 0) or []
    assert aces == pytest.approx(2000 * 0.8126 - 1000, abs=0.2)
    assert kings == pytest.approx(-aces if aces is not None else 0.0)


def test_the_house_has_its_part_of_what_is_contested() -> None:
    """The deeper player's last chips are not called: they go back whole; the rake is of the rest."""
    deep = replace(
        written(
            "d dh p1 AsAd, d dh p2 KhKc, p2 cbr 1500, p1 cc, d db 2c7d9h, d db Kd, d db 3s, "
            "p1 sm AsAd, p2 sm KhKc",
            (1000, 1500),
        ),
        as_played=AsPlayed(rake=50),
    )
    found = all_in_nets(deep, [-1000, 950], 0)
    free = all_in_nets(replace(deep, as_played=None), [-1000, 1000], 0)
    assert found is not None
    assert free is not None
    assert sum(value or 0.0 for value in found) == pytest.approx(-50)
    for with_rake, without in zip(found, free):
        assert with_rake is not None
        assert without is not None
        assert with_rake == pytest.approx((without + 1000) * (1 - 50 / 2000) - 1000)


def test_who_cashed_out_keeps_the_result_and_unseen_cards_leave_all_of_it() -> None:
    cashed = replace(FLOP, as_played=AsPlayed(beside=(900, 0)))
    found = all_in_nets(cashed, [-100, 1000], 1)
    assert found is not None
    assert found[0] is None
    assert found[1] == pytest.approx((all_in_nets(FLOP, [-1000, 1000], 1) or [0.0, 0.0])[1])
    twice = replace(FLOP, as_played=AsPlayed(boards=("2c7d9h5d5c",)))
    assert all_in_nets(twice, [0, 0], 1) == all_in_nets(FLOP, [-1000, 1000], 1)
    mucked = replace(
        FLOP,
        actions=tuple(a.replace("p2 KsKd", "p2 ????").replace("p2 sm KsKd", "p2 sm") for a in FLOP.actions),
    )
    assert all_in_nets(mucked, [1000, -1000], 1) is None


def test_it_has_no_bias_and_less_luck(tmp_path: Path) -> None:
    """Dealt at random, all in before or on the flop: on average nothing changes, and results vary less."""
    table, records = HoldemGame(2, (1000, 1000), (5, 10)), []
    for number in range(200):
        state = table.deal(9, number)
        for action in ((1000, 0), (0, 0, 990, 0))[number % 2]:
            state = state.apply(action)
        records.append(record_of(state, {"players": ["Ann", "Bob"], "hand": number}))
    (tmp_path / "many.phhs").write_text(write_hands(records), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        assert import_hands(database, tmp_path / "many.phhs").new == 200
        row = database.stats(player="Ann", all_in_ev=True).row(0, named=True)
        query = f"SELECT ev - net, ev FROM {TABLE} JOIN seats USING (hand, player) WHERE player = 0"
        changed, values = np.array(database.connection.execute(query).fetchall()).T
    assert len(changed) == row["all_ins"] == 200
    assert abs(changed.mean()) < 3.0 * changed.std() / np.sqrt(200)
    assert changed.std() > 500
    assert (
        abs(np.corrcoef(changed, values)[0, 1]) < 0.2
    )  # what is left out is luck: it hangs on nothing known
    assert row["ev_half_width"] < 0.6 * row["half_width"]
    assert row["all_ins_unseen"] == 0


def test_it_stands_beside_the_results(tmp_path: Path) -> None:
    (tmp_path / "two.phhs").write_text(write_hands([FLOP, SIDE_POTS]), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        assert import_hands(database, tmp_path / "two.phhs").new == 2
        row = database.stats(player="Ann", all_in_ev=True).row(0, named=True)
        expected = [(all_in_nets(record, nets(record), 1) or [0.0])[0] or 0.0 for record in (FLOP, SIDE_POTS)]
    assert row["bb_per_100"] == pytest.approx(100 * sum(nets(r)[0] for r in (FLOP, SIDE_POTS)) / 10 / 2)
    assert row["ev_bb_per_100"] == pytest.approx(100 * sum(expected) / 10 / 2)
