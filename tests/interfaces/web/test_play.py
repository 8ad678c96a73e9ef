"""Tables, the review of hands, the drill, blueprints, runs."""

from __future__ import annotations

import csv
import json
import time
from typing import Any

import numpy as np
import pytest
import yaml

from overbet.agents.registry import make_agent
from overbet.blueprint.query import Blueprint
from overbet.evaluation import ledger
from overbet.evaluation.statistics import Estimate
from overbet.interfaces.cli.table_view_session import Session
from overbet.interfaces.web.folder import DataFolder
from overbet.interfaces.web.mistake_store import MistakeStore
from overbet.study.grades import GRADES, grade
from overbet.study.review import total_loss
from overbet.study.tables import GAMES
from tests.interfaces.web.server import COMPILATION, RUNS, Server

SHIPPED = ("shipped-heads-up", "shipped-expresso")
DEPTHS = [8, 12, 17, 25, 40, 60, 100, 200]  # big blinds heads up


@pytest.fixture(scope="module")
def blueprints(server: Server) -> dict[str, Any]:
    return {entry["id"]: entry for entry in server.get("/blueprints")["blueprints"]}


def played(server: Server, table: str, number: int) -> dict[str, Any]:
    """Play a hand: call, and now and then raise as little as possible."""
    shown = server.post(f"/play/tables/{table}/deal")
    taken = 0
    while not shown["hand"]["over"]:
        assert shown["hand"]["hero_acts"]
        legal = shown["hand"]["legal"]
        raises = (number + taken) % 4 == 3 and legal["raise_min"]
        shown = server.post(f"/play/tables/{table}/act", {"action": legal["raise_min"] if raises else 0})
        taken += 1
    return dict(shown)


def estimated(server: Server, table: str) -> dict[str, Any]:
    """Wait until every hand of a table has its AIVAT estimate; it is worked out beside the play."""
    end = time.monotonic() + COMPILATION
    while time.monotonic() < end:
        result = server.get(f"/play/tables/{table}")["result"]
        if not result["note"]:
            return dict(result)
        time.sleep(0.2)
    raise AssertionError(result["note"])


def test_opponents_say_how_long_they_were_trained(server: Server) -> None:
    notes = {one["id"]: one["note"] for one in server.get("/play/opponents")["opponents"]}
    assert notes["shipped-heads-up"] == "trained blueprint, 100 bb, 125 s of a GPU"
    assert notes["shipped-expresso"] == "trained blueprint, 25 bb, 2.2 core hours"


def test_ten_hands_are_played_counted_and_reviewed(server: Server) -> None:
    opponents = server.get("/play/opponents")["opponents"]
    against = next(one["id"] for one in opponents if "heads-up" in one["tables"])  # blueprints come first
    table = server.post("/play/tables", {"kind": "heads-up", "opponent": against, "seed": 11})["id"]
    won = 0
    buttons = []
    for number in range(10):
        shown = played(server, table, number)
        hand = shown["hand"]
        assert hand["number"] == number
        buttons.append(hand["button"])
        assert sum(hand["won_chips"]) == 0
        won += hand["won_chips"][0]
        for seat in hand["seats"]:
            hidden = seat["seat"] != 0 and (
                seat["folded"] or sum(not s["folded"] for s in hand["seats"]) == 1
            )
            assert (seat["cards"] is None) == hidden
    assert buttons[:3] == [1, 0, 1]
    result = shown["result"]
    assert result["hands"] == 10
    assert result["won_chips"] == won
    unit = shown["big_blind"]
    assert result["raw_mbb_per_hand"] == pytest.approx(1000 * won / 10 / unit)
    low, high = result["raw_interval"]
    assert low < result["raw_mbb_per_hand"] < high
    adjusted = estimated(server, table)
    assert adjusted["aivat_interval"][0] < adjusted["aivat_mbb_per_hand"] < adjusted["aivat_interval"][1]
    assert adjusted["aivat_mbb_per_hand"] != adjusted["raw_mbb_per_hand"]
    review = server.get(f"/play/tables/{table}/hands/9")
    mine = [entry for entry in hand["log"] if entry["seat"] == 0 and entry["action"] is not None]
    assert [entry["action"] for entry in review["review"]] == [entry["action"] for entry in mine]
    for entry in review["review"]:
        assert hand["log"][entry["log_index"]]["action"] == entry["action"]
        assert sum(choice["share"] for choice in entry["strategy"]) == pytest.approx(1, abs=0.01)
        assert entry["ev_loss_bb"] >= 0
    assert all(seat["cards"] for seat in review["hand"]["seats"])
    assert review["phh"].startswith("variant = ")
    assert len(server.get(f"/play/tables/{table}/hands")["hands"]) == 10
    assert server.client.get(f"/api/play/tables/{table}/hands/10").status_code == 404
    assert server.client.delete(f"/api/play/tables/{table}").status_code == 204


@pytest.mark.parametrize(("opponent", "spec"), [("tag", "tag"), ("shipped-heads-up", "blueprint:heads-up")])
def test_the_terminal_gives_the_pages_verdict(server: Server, opponent: str, spec: str) -> None:
    from rich.console import Console

    table = server.post("/play/tables", {"kind": "heads-up", "opponent": opponent, "seed": 23})["id"]
    shown = server.post(f"/play/tables/{table}/deal")
    keys, raised = [], False
    while not shown["hand"]["over"]:
        legal = shown["hand"]["legal"]
        most = legal["raise_max"] if not raised else None  # all in at once: something to grade
        keys.append("a" if most else "c")
        shown = server.post(f"/play/tables/{table}/act", {"action": most or 0})
        raised = True
    page = server.get(f"/play/tables/{table}/hands/0")["review"]
    typed = iter(keys)
    session = Session(
        [make_agent(spec)], GAMES["heads-up"], 23, Console(quiet=True), lambda _: next(typed), runs=RUNS
    )
    session.play(1)
    assert len(page) == len(session.reviewed) > 0
    for entry, verdict in zip(page, session.reviewed):
        assert entry["action"] == verdict.decision.taken
        assert entry["grade"] == verdict.grade
        assert entry["ev_loss_bb"] == pytest.approx(verdict.loss_bb, abs=1e-9)
        assert [choice["share"] for choice in entry["strategy"]] == pytest.approx(
            [choice.share for choice in verdict.decision.choices]
        )
    total = server.get(f"/play/tables/{table}/hands")["hands"][0]["loss_bb"]
    assert total == pytest.approx(total_loss(session.reviewed)[0], abs=1e-9)
    assert f"given up {total:.2f}" in session.standing()


def test_the_rules_are_kept_and_nothing_is_seen_too_early(server: Server) -> None:
    table = server.post("/play/tables", {"opponent": "always-call", "seed": 3})["id"]
    assert "deal one" in server.post(f"/play/tables/{table}/act", {"action": 0}, status=409)["error"]
    played(server, table, 0)
    shown = server.post(f"/play/tables/{table}/deal")  # the button now: first to act
    assert "act first" in server.post(f"/play/tables/{table}/deal", status=409)["error"]
    refused = server.post(f"/play/tables/{table}/act", {"action": 1}, status=422)
    assert refused["where"] == "action"
    assert "legal" in refused["error"]
    assert shown["hand"]["seats"][1]["cards"] is None
    assert shown["hand"]["board"] == []
    again = server.get(f"/play/tables/{table}")
    assert again["hand"] == shown["hand"]  # the same hand, whoever asks
    over = server.post(f"/play/tables/{table}/act", {"action": -1})
    assert over["hand"]["over"]
    assert over["hand"]["seats"][1]["cards"] is None
    assert server.post("/play/tables", {"opponent": "nobody"}, status=422)["where"] == "opponent"
    wrong = server.post("/play/tables", {"opponent": SHIPPED[0], "kind": "expresso"}, status=422)
    assert wrong["where"] == "opponent"


def test_the_drill_scores_by_what_an_answer_gives_up(server: Server, turn: str) -> None:
    server.client.delete("/api/drill/score")
    answered = 0
    for street in ("turn", "river", None):
        question = server.post("/drill/questions", {"solve": turn, "street": street})
        if street:
            assert question["street"] == street
        tokens = [action["token"] for action in question["actions"]]
        assert server.post(f"/drill/questions/{question['question']}/answer", {"token": "b1"}, status=422)
        verdict = server.post(f"/drill/questions/{question['question']}/answer", {"token": tokens[-1]})
        answered += 1
        evs = {action["token"]: action["ev_chips"] for action in verdict["actions"]}
        assert verdict["loss_chips"] == pytest.approx(max(evs.values()) - evs[tokens[-1]])
        _, arrays = server.arrays(f"/solves/{turn}/node.bin", line=question["line"])
        from overbet.cards.combos import combo

        place = combo(question["hand"])
        np.testing.assert_allclose(arrays["action_ev"][:, place], list(evs.values()), rtol=1e-4, atol=1e-4)
        assert verdict["score"]["answered"] == answered
        gone = server.post(
            f"/drill/questions/{question['question']}/answer", {"token": tokens[0]}, status=404
        )
        assert "next one" in gone["error"]
    fixed = server.post("/drill/questions", {"solve": turn, "line": "r:0:c"})
    assert fixed["player"] == "ip"
    assert server.post("/drill/questions", {"solve": turn, "line": "r:0:c:c"}, status=422)["where"] == "line"
    assert server.post("/drill/questions", {}, status=422)["error"]
    assert server.get("/drill/score")["answered"] == answered


def test_mistakes_are_kept_and_asked_again(server: Server, turn: str) -> None:
    def asked(**body: Any) -> Any:
        return server.post("/drill/questions", body)

    def told(question: Any, token: str) -> Any:
        return server.post(f"/drill/questions/{question['question']}/answer", {"token": token})

    known = {one["id"] for one in server.get("/drill/mistakes")["mistakes"]}
    for _ in range(200):  # folding to a bet is a mistake with most hands
        question = asked(solve=turn, player="oop", facing="bet", street="turn")
        assert (question["player"], question["street"]) == ("oop", "turn")
        assert question["to_call_chips"] > 0
        verdict = told(question, "f")
        if verdict["grade"] in ("inaccuracy", "mistake", "blunder"):
            break
    kept = server.get("/drill/mistakes")["mistakes"][0]
    assert kept["id"] not in known
    assert {kept[name] for name in ("solve", "line", "hand", "grade")} == {
        turn,
        question["line"],
        question["hand"],
        verdict["grade"],
    }
    assert (kept["chosen"], kept["best"], kept["facing"]) == ("f", verdict["best"], "bet")
    assert kept["loss_chips"] == pytest.approx(verdict["loss_chips"])
    assert (kept["source"], kept["there"], kept["tries"]) == ("turn", True, 0)
    again = asked(mistake=kept["id"])
    assert (again["line"], again["hand"], again["mistake"]) == (kept["line"], kept["hand"], kept["id"])
    assert told(again, kept["best"])["grade"] == "best"
    on_disk = json.loads((server.data / "mistakes.json").read_text())["mistakes"][-1]  # at once, on disk
    assert (on_disk["id"], on_disk["tries"], on_disk["mended"]) == (kept["id"], 1, True)
    assert MistakeStore(DataFolder(server.data)).get(kept["id"]).mended  # a new start reads it
    drawn = asked(mistakes=True, facing="bet", player="oop")
    assert drawn["mistake"]
    none = server.post("/drill/questions", {"mistakes": True, "pot": "3-bet"}, status=409)
    assert none["error"] == "there is no mistake in 3-bet pots; choose something wider"
    assert server.client.delete(f"/api/drill/mistakes/{kept['id']}").status_code == 204
    assert server.post("/drill/questions", {"mistake": kept["id"]}, status=404)["error"]
    wrong = server.post("/drill/questions", {"solve": turn, "pot": "3-bet"}, status=422)
    assert wrong["where"] == "pot"


def test_a_blueprints_mistake_is_dealt_again(server: Server, blueprints: dict[str, Any]) -> None:
    if SHIPPED[0] not in blueprints:
        pytest.skip("no blueprint is shipped")
    wanted = {"blueprint": SHIPPED[0], "player": "BB", "pot": "3-bet", "street": "flop"}
    assert server.post("/drill/questions", {**wanted, "player": "BTN"}, status=422)["where"] == "player"
    kept: Any = None
    for _ in range(12):  # all in is hardly ever the strategy's on the flop of a three-bet pot
        question = server.post("/drill/questions", wanted)
        assert (question["player"], question["street"]) == ("BB", "flop")
        raises = [step for step in question["steps"] if step["street"] == "preflop" and "b" in step["chosen"]]
        assert len(raises) == 2
        token = question["actions"][-1]["token"]
        verdict = server.post(f"/drill/questions/{question['question']}/answer", {"token": token})
        if verdict["grade"] in ("inaccuracy", "mistake", "blunder"):
            kept = server.get("/drill/mistakes")["mistakes"][0]
            break
    assert kept is not None
    assert (kept["blueprint"], kept["pot"], kept["player"]) == (SHIPPED[0], "3-bet", "BB")
    again = server.post("/drill/questions", {"mistake": kept["id"]})
    same = ("line", "board", "hand", "player", "pot_chips", "steps", "actions")
    assert {name: again[name] for name in same} == {name: question[name] for name in same}
    server.client.delete(f"/api/drill/mistakes/{kept['id']}")


def test_the_drill_deals_from_a_blueprint(server: Server, blueprints: dict[str, Any]) -> None:
    own = [name for name in blueprints if blueprints[name]["error"] is None]
    if not own:
        pytest.skip("no blueprint is shipped")
    question = server.post("/drill/questions", {"blueprint": own[0]})
    token = question["actions"][0]["token"]
    verdict = server.post(f"/drill/questions/{question['question']}/answer", {"token": token})
    assert verdict["grade"] in GRADES
    assert verdict["link"]["blueprint"] == own[0]


@pytest.mark.parametrize(
    ("loss", "share", "word", "within"),
    [
        (0.0, 0.0, "best", False),
        (0.4, 0.0, "correct", True),
        (0.6, 0.5, "correct", False),
        (2.0, 0.0, "inaccuracy", False),
        (9.0, 0.01, "mistake", False),
        (11.0, 0.0, "blunder", False),
    ],
)
def test_grades(loss: float, share: float, word: str, within: bool) -> None:
    assert grade(loss, 100.0, 0.5, share) == (word, within)


def test_blueprints_are_browsed_down_to_buckets(server: Server, blueprints: dict[str, Any]) -> None:
    name = SHIPPED[0]
    if name not in blueprints:
        pytest.skip("no blueprint is shipped")
    assert blueprints[name]["error"] is None
    assert blueprints[name]["manifest"]["iterations"] > 0
    assert blueprints[name]["manifest"]["measured"]["against tag"]["hands"] > 0
    header, arrays = server.arrays(f"/blueprints/{name}/node.bin", line="r:0")
    from overbet.blueprint.catalogue import SHIPPED as FOLDER

    blueprint = Blueprint.load(FOLDER / "heads-up.h5")
    expected = blueprint.strategy_for_all_hands("r:0", allow_missing=True)
    np.testing.assert_allclose(arrays["strategy"].T, expected, atol=1e-6)
    assert header["position"] == "SB"
    assert [a["label"] for a in header["actions"]] == list(blueprint.action_names("r:0"))
    header, arrays = server.arrays(f"/blueprints/{name}/node.bin", line="r:0:c:c")
    assert header["needs_board"] == 3
    assert "strategy" not in arrays
    assert arrays["by_bucket"].shape == (len(header["actions"]), header["buckets"])
    header, arrays = server.arrays(f"/blueprints/{name}/node.bin", line="r:0:c:c:Td9d6h")
    assert header["board"] == "Td9d6h"
    assert np.isnan(arrays["bucket"]).sum() == 1326 - 49 * 48 // 2
    bet = next(a for a in header["actions"] if a["amount"] > 0)
    assert bet["token"] == f"b{100 + bet['amount']}"  # all that was put in: the blind, too
    assert bet["line"] == f"r:0:c:c:Td9d6h:{bet['token']}"
    later, _ = server.arrays(f"/blueprints/{name}/node.bin", line=f"r:0:c:c:Td9d6h:{bet['token']}")
    assert later["to_call_chips"] == bet["amount"]
    assert [step["chosen"] for step in later["steps"]] == ["c", "c", "Td9d6h", bet["token"]]
    for line in ("r:0:B300", "r:0:c:,,", "r:0:b170²", "r:0::c"):
        told = server.client.get(f"/api/blueprints/{name}/node.bin", params={"line": line})
        assert (told.status_code, told.json()["where"]) == (422, "line")
        assert told.json()["error"].startswith("at token ")
    for line in ("r:0:b7", "r:0:f", "r:0:c:c:Td9d"):
        assert server.client.get(f"/api/blueprints/{name}/node.bin", params={"line": line}).status_code in (
            200,
            422,
        )
    assert server.client.get("/api/blueprints/own-none/node.bin").status_code == 404


def test_charts_are_found_by_players_depth_and_position(server: Server, blueprints: dict[str, Any]) -> None:
    depths: dict[str, list[float]] = {}
    for one in blueprints.values():
        if one["family"] and len(set(one["stack_bb"])) == 1:
            depths.setdefault(one["family"], []).append(one["stack_bb"][0])
    assert sorted(depths["heads-up"]) == DEPTHS
    assert depths["six-max"] == [100]
    header, arrays = server.arrays("/blueprints/shipped-six-max/node.bin", line="r:0")
    assert [seat["position"] for seat in header["seats"]] == ["UTG", "HJ", "CO", "BTN", "SB", "BB"]
    assert header["position"] == "UTG"
    assert np.isfinite(arrays["strategy"]).all()
    button, _ = server.arrays("/blueprints/shipped-six-max/node.bin", line=header["seats"][3]["line"])
    assert button["position"] == "BTN"
    searched = {one["id"] for one in server.get("/work/choices")["agents"]}
    assert "blueprint:shipped-six-max" in searched
    assert "search:shipped-heads-up" in searched
    assert "search:shipped-six-max" not in searched  # search needs a tree


def test_a_run_of_ones_own_ends_as_a_blueprint_to_browse(server: Server) -> None:
    from overbet.blueprint.config import BlueprintConfig
    from overbet.blueprint.run import Run

    config = BlueprintConfig.parse(
        {
            "name": "push or fold",
            "game": {"players": 2, "stack_bb": 10},
            "menu": {"preflop": {"sizes": ["a"], "raises": 1, "limp": False}},
            "cards": {"kind": "preflop"},
            "solver": {"discount_every": 1000},
            "iterations": 20_000,
        }
    )
    Run.start(server.data / "runs" / "own", config).go(workers=1)
    run = server.get("/runs/own")
    assert run["status"] == "finished"
    assert run["iterations"] == 20_000
    assert run["saved"][0]["iterations"] == 20_000
    assert run["blueprint"] == "own-own"
    header, arrays = server.arrays("/blueprints/own-own/node.bin", line="r:0")
    assert [action["label"] for action in header["actions"]] == ["fold", "all-in 10bb"]
    aces = arrays["strategy"][1][1325]
    assert aces > 0.9
    assert header["actions"][0]["ends"] == "over"
    answer, _ = server.arrays("/blueprints/own-own/node.bin", line="r:0:b1000")
    assert answer["position"] == "BB"
    assert [step["chosen"] for step in answer["steps"]] == ["b1000"]
    names = {one["id"] for one in server.get("/play/opponents")["opponents"]}
    assert "own-own" not in names  # it fits no table here


def test_runs_are_read_as_they_go(server: Server) -> None:
    run = server.data / "runs" / "First Run"
    run.mkdir(parents=True)
    (run / "config.yaml").write_text("name: first\niterations: 1000\nmenu: {preflop: {sizes: a}}\n")
    columns = ("iterations", "seconds", "iterations_per_second", "touched", "mean_positive_regret_bb")
    with open(run / "metrics.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerow((100, 1.0, 100.0, 0.5, 2.0))
        file.write("200,2.0,")  # a line that is being written
    shown = server.get("/runs")["runs"][0]
    assert shown["id"] == "first-run"
    assert shown["status"] == "running"
    assert shown["iterations"] == 100
    detail = server.get("/runs/first-run")
    assert detail["metrics"]["touched"] == [0.5]
    assert detail["goal"] == 1000
    assert detail["config"]["error"] is None
    assert detail["config"]["values"]["iterations"] == 1000
    assert detail["config"]["values"]["game"]["players"] == 2  # what is not said has its default
    with server.client.stream("GET", "/api/runs/first-run/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: metrics"
        assert list(json.loads(next(lines).removeprefix("data: "))) == [*columns, "exploitability"]
    assert server.client.get("/api/runs/none").status_code == 404
    assert "columns" in server.get("/ledger")


def test_runs_of_networks_are_read_too(server: Server) -> None:
    run = server.data / "runs" / "kuhn"
    run.mkdir(parents=True)
    (run / "config.yaml").write_text("name: kuhn\nalgorithm: deep-cfr\ngame: kuhn\niterations: 60\n")
    head = "iterations,seconds,iterations_per_second,episodes,samples,exploitability"
    (run / "metrics.csv").write_text(f"{head}\n50,2.0,25.0,20000,9000,0.02\n60,2.5,20.0,oops,1,0.01\n")
    detail = server.get("/runs/kuhn")
    assert detail["metrics"]["exploitability"] == [0.02, 0.01]
    assert detail["metrics"]["touched"] == [None, None]
    assert (detail["exploitability"], detail["mean_positive_regret_bb"]) == (0.01, None)
    assert detail["status"] == "running"
    assert detail["config"]["values"] is None
    assert detail["config"]["deep"]["bootstrap"] is False  # what the algorithm settles
    (run / "policy-0.json").write_text("{}")
    assert server.get("/runs/kuhn")["status"] == "finished"
    (run / "config.yaml").write_text("name: kuhn\nalgorithm: deeper\n")
    assert "unknown algorithm" in server.get("/runs/kuhn")["config"]["error"]


def test_the_curve_of_a_run_takes_the_largest_of_a_family_of_responses(server: Server) -> None:
    run = server.data / "runs" / "measured"
    run.mkdir(parents=True)
    (run / "config.yaml").write_text(yaml.safe_dump({"name": "measured", "iterations": 1000}))
    path = server.data / ledger.NAME
    try:
        for mean, family in ((30.0, "member"), (500.0, "member"), (480.0, "largest"), (450.0, "")):
            extra = {"iterations": 1000, **({"family": family} if family else {})}
            estimate = Estimate(mean, 10.0, 100.0, 400)
            ledger.append("lbr", "blueprint:runs/measured", estimate, extra=extra, path=path)
        shown = server.get("/runs/measured")["lbr"]
        rows = server.get("/ledger")["rows"]
    finally:
        path.unlink()
    assert [point["mbb_per_hand"] for point in shown] == [480.0, 450.0]
    assert [row["mean"] for row in rows] == [450.0, 480.0, 500.0, 30.0]
    assert rows[1]["extra"] == {"iterations": 1000, "family": "largest"}
