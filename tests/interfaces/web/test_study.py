"""Study over HTTP against the Python API on the same file."""

from __future__ import annotations

import numpy as np
import pytest

import overbet
from overbet import study
from overbet.cards.categories import DRAWS, MADE
from overbet.cards.combos import combo
from overbet.solvers.vector.solution import Solution
from tests.interfaces.web.server import Server


@pytest.fixture(scope="module")
def solution(server: Server, turn: str) -> Solution:
    return overbet.load(server.data / "solves" / turn / "solution.h5")


def test_lines_that_are_never_played_open_and_cards_are_walked(server: Server, turn: str) -> None:
    header = server.get(f"/solves/{turn}/node", line="r:0:b45:c:Ah:b158")
    assert [step["chosen"] for step in header["steps"]] == ["b45", "c", "Ah", "b158"]
    assert [step["kind"] for step in header["steps"]] == ["oop", "ip", "card", "oop"]
    assert header["board"] == "Qs8h4d2cAh"
    assert header["pot_odds"] == pytest.approx(113 / (60 + 45 + 158 + 113))
    dealt = server.get(f"/solves/{turn}/node", line="r:0:c:c")
    assert dealt["kind"] == "card"
    assert len(dealt["cards"]) == 48
    refused = server.client.get(f"/api/solves/{turn}/node", params={"line": "r:0:b44"})
    assert refused.status_code == 422
    assert refused.json()["where"] == "line"
    assert "did you mean 'b45'" in refused.json()["error"]


def test_zero_reach_hands_are_there_and_marked(server: Server, turn: str, solution: Solution) -> None:
    for token in ("c", "b45"):
        _, arrays = server.arrays(f"/solves/{turn}/node.bin", line=f"r:0:{token}")
        never = (arrays["oop.reach"] == 0) & np.isfinite(arrays["oop.ev"])
        node = solution.node(f"r:0:{token}")
        assert never.sum() == (node.oop.reach == 0).sum()


def test_a_class_in_the_grid_is_the_python_grids(server: Server, turn: str, solution: Solution) -> None:
    for line in ("r:0", "r:0:c", "r:0:c:b45"):
        node = solution.node(line)
        _, arrays = server.arrays(f"/solves/{turn}/node.bin", line=line)
        grid, seat = node.grid(), node.seat()
        held = arrays[f"{seat.player}.class_combos"] > 0
        assert held.sum() == node.to_polars()["class"].n_unique()
        np.testing.assert_allclose(arrays["class_mix"].T[held], grid.mix[held], rtol=1e-5, atol=1e-6)
        assert np.isnan(arrays["class_mix"].T[~held]).all()
        for one in (node.oop, node.ip):
            np.testing.assert_allclose(
                arrays[f"{one.player}.class_weight"], node.grid(one.player).weights, rtol=1e-5, atol=1e-7
            )
            here = np.isfinite(one.by_class(one.ev_chips))
            for name, values in (("ev", one.ev_chips), ("equity", one.equity)):
                sent = arrays[f"{one.player}.class_{name}"]
                np.testing.assert_allclose(sent[here], one.by_class(values)[here], rtol=1e-4, atol=1e-4)
    _, arrays = server.arrays(f"/solves/{turn}/compare.bin", line="r:0", first="c", second="b45")
    seat = solution.node().oop
    assert seat.action_ev_chips is not None
    expected = seat.by_class(seat.action_ev_chips[:, 0] - seat.action_ev_chips[:, 1], never=True)
    np.testing.assert_allclose(arrays["class_difference"], expected, rtol=1e-3, atol=1e-3)
    _, arrays = server.arrays(f"/solves/{turn}/exploit.bin", line="r:0", player="oop")
    best = solution.best_response("oop")
    np.testing.assert_allclose(arrays["class_best"].T, best.class_mix(), atol=1e-6)
    np.testing.assert_allclose(np.nan_to_num(arrays["class_best"].T), best.grid().mix, atol=1e-6)


def test_run_outs_are_the_report(server: Server, turn: str, solution: Solution) -> None:
    shown = server.get(f"/solves/{turn}/runouts", line="r:0:c:c")
    frame = solution.report("r:0:c:c")
    assert [row["card"] for row in shown["rows"]] == frame["card"].to_list()
    assert [row["oop"]["ev_chips"] for row in shown["rows"]] == pytest.approx(frame["oop_ev_chips"].to_list())
    assert shown["labels"] == ["check", "bet 4.5bb", "all-in 17bb"][: len(shown["labels"])]
    assert sum(row["probability"] for row in shown["rows"]) == pytest.approx(1)
    after = server.get(f"/solves/{turn}/runouts", line="r:0:c:c", then="c")
    assert after["rows"][0]["acts"] == "ip"


def test_the_distribution_has_the_range_in_order(server: Server, turn: str, solution: Solution) -> None:
    shown = server.get(f"/solves/{turn}/equity-distribution", line="r:0", points=201)
    node = solution.node()
    for seat in (node.oop, node.ip):
        curve = shown[seat.player]
        assert len(curve["equity"]) == 201
        assert curve["equity"] == sorted(curve["equity"])
        assert np.mean(curve["equity"]) == pytest.approx(seat.mean_equity, abs=0.01)
        assert curve["equity"][0] == pytest.approx(seat.equity.min())
        assert curve["equity"][-1] == pytest.approx(seat.equity.max())


def test_two_sizes_side_by_side(server: Server, turn: str, solution: Solution) -> None:
    header, arrays = server.arrays(f"/solves/{turn}/compare.bin", line="r:0", first="c", second="b45")
    seat = solution.node().oop
    assert seat.action_ev_chips is not None
    expected = seat.action_ev_chips[:, 0] - seat.action_ev_chips[:, 1]
    np.testing.assert_allclose(arrays["difference"][seat.combos], expected, rtol=1e-4, atol=1e-4)
    assert header["difference_chips"] == pytest.approx(seat.mean(expected))
    assert header["prefers_first"] + header["prefers_second"] <= 1 + 1e-9
    refused = server.client.get(f"/api/solves/{turn}/compare.bin", params={"first": "c", "second": "b1"})
    assert refused.status_code == 422


def test_two_solves_side_by_side(server: Server, turn: str) -> None:
    header, arrays = server.arrays(f"/solves/{turn}/compare-solves.bin", other="example", other_line="r:0:c")
    assert header["left"]["board"] == "Qs8h4d2c"
    assert header["right"]["line"] == "r:0:c"
    assert {"oop.difference", "ip.difference"} <= set(arrays)
    _, same = server.arrays(f"/solves/{turn}/compare-solves.bin", other=turn)
    assert np.nanmax(np.abs(same["oop.difference"])) == 0


def test_the_exploit_view_is_the_best_response(server: Server, turn: str, solution: Solution) -> None:
    header, arrays = server.arrays(f"/solves/{turn}/exploit.bin", line="r:0", player="ip")
    found = solution.best_response("ip")
    assert header["gain_chips"] == pytest.approx(found.gain_chips)
    np.testing.assert_allclose(arrays["gain"][found.combos], found.gains_chips, rtol=1e-3, atol=1e-4)
    header, arrays = server.arrays(f"/solves/{turn}/exploit.bin", line="r:0", player="oop")
    best = arrays["best_action"]
    assert set(np.unique(best[np.isfinite(best)])) <= {0.0, 1.0}


def test_blockers_shift_frequencies(server: Server, turn: str, solution: Solution) -> None:
    header, arrays = server.arrays(f"/solves/{turn}/blockers.bin", line="r:0")
    seat = solution.node().oop
    assert seat.strategy is not None
    whole = (seat.reach @ seat.strategy) / seat.reach.sum()
    assert header["frequencies"] == pytest.approx(whole.tolist())
    ace = next(entry for entry in header["cards"] if entry["card"] == "Ah")
    free = np.array(["Ah" not in hand for hand in seat.hands])
    kept = (seat.reach[free] @ seat.strategy[free]) / seat.reach[free].sum()
    assert ace["frequencies"] == pytest.approx(kept.tolist())
    assert np.isnan(arrays["frequencies"][:, combo("QsJd")]).all()


def test_a_table_of_combos_comes_as_csv(server: Server, turn: str) -> None:
    found = server.client.get(f"/api/solves/{turn}/export.csv", params={"line": "r:0", "player": "ip"})
    assert found.headers["content-type"].startswith("text/csv")
    assert found.text.splitlines()[0].startswith("hand,class,reach")


def test_run_outs_and_made_hands_are_pythons(server: Server, turn: str, solution: Solution) -> None:
    found = server.client.get(f"/api/solves/{turn}/runouts.csv", params={"line": "r:0:c:c", "then": "c"})
    assert found.headers["content-disposition"] == 'attachment; filename="run-outs.csv"'
    assert found.text == solution.report("r:0:c:c", "c").write_csv()
    refused = server.client.get(f"/api/solves/{turn}/runouts.csv", params={"line": "r:0"})
    assert (refused.status_code, refused.json()["where"]) == (422, "line")
    shown = server.get(f"/solves/{turn}/categories", line="r:0:c")
    assert shown == study.plain(study.category_breakdown(solution, "r:0:c"))
    assert server.get(f"/solves/{turn}/categories", line="r:0:c", player="oop")["actions"] == []


def test_ranges_boards_and_categories(server: Server) -> None:
    shown = server.post("/ranges/parse", {"text": "AA,KQs,A5s-A2s,KTo+:0.5,AsKh:.25"})
    assert shown["combos"] == 44.25
    assert shown["text"] == "AA,A5s-A2s,KQs,KTo+:0.5,AsKh:0.25"
    back = server.post("/ranges/format", {"weights": shown["weights"]})
    assert back["text"] == shown["text"]
    classes = server.post("/ranges/format", {"classes": [1.0] + [0.0] * 168})
    assert classes["text"] == "AA"
    blocked = server.post("/ranges/parse", {"text": "AA", "board": "AhKd2c"})
    assert blocked["combos"] == 3
    for body, where in (({"text": "AA,KXs"}, "text"), ({"text": "AA", "board": "Ah"}, "board")):
        assert server.post("/ranges/parse", body, status=422)["where"] == where
    assert server.post("/ranges/format", {"weights": [2.0] * 1326}, status=422)["where"] == "weights"
    assert len(server.get("/ranges/presets")["presets"]) > 8
    assert server.get("/boards/parse", text="td 9D 6h")["board"] == "Td9d6h"
    assert len(server.get("/boards/random", cards=3)["cards"]) == 3
    found = server.get("/categories", board="Td9d6h")
    assert [entry["key"] for entry in found["made"]] == list(MADE)
    assert found["made"][found["made_of"][combo("TsTh")]]["key"] == "set"
    assert found["draws_of"][combo("AdKd")] & 1 << list(DRAWS).index("flush-draw")


def test_the_first_visit_has_a_solved_example(server: Server) -> None:
    guide = server.get("/guide")
    assert len(guide["lines"]) == 2
    shown = server.get(f"/solves/{guide['solve']}")
    assert shown["example"]
    assert shown["status"] == "done"
    assert shown["exploitability"] < 0.1
    assert server.get(f"/solves/{guide['solve']}/node", line=guide["line"])["player"] == "oop"
    names = {entry["name"] for entry in guide["examples"]}
    assert {"river", "turn", "flop", "quick"} <= names
    meta = server.get("/meta")
    assert [unit["key"] for unit in meta["units"]] == ["bb", "chips", "pot"]
