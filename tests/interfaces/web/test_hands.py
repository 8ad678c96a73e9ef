"""The page's hands, asked without a socket: sent in pieces, imported as a job, listed, filtered, replayed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from overbet.hands import HandDatabase, import_hands, opponents
from overbet.interfaces.hands.review.running import ReviewProgress
from overbet.interfaces.hands.reviews import PricedAction, PricedDecision
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.limits import Limits, Settings
from overbet.interfaces.web.work.hand_work import review_pace
from tests.interfaces.hands.corpus import random_text, written
from tests.interfaces.invented_hands import DEAD_BLINDS, RAISE
from tests.interfaces.web.server import RIVER

LIMITS = Limits(piece_bytes=1000, hands_bytes=200_000, hands_files=8)
OMAHA = RAISE.replace("Hold'em No Limit", "Omaha Pot Limit").replace("#100000000001", "#100000000009")
UNDER_WAY = ("queued", "running", "saving")
BROKEN = RAISE.replace("raises $2 to $3", "raises $2 to $900").replace("#100000000001", "#100000000008")


class Page:
    """A server's app and a client that talks to it."""

    def __init__(self, data: Path, limits: Limits = LIMITS) -> None:
        self.data = data
        self.app = create_app(Settings(data, example=False, limits=limits))
        self.client = TestClient(self.app, base_url="http://127.0.0.1")

    def ask(self, method: str, path: str, status: int = 200, **values: Any) -> Any:
        found = self.client.request(method, f"/api/hands{path}", **values)
        assert found.status_code == status, found.text
        return found.json() if found.content else None

    def send(self, upload: str, number: int, name: str, text: bytes, piece: int = 1000) -> None:
        """Send a file in pieces."""
        for offset in range(0, max(len(text), 1), piece):
            self.piece(upload, number, name, offset, text[offset : offset + piece])

    def piece(self, upload: str, number: int, name: str, offset: int, data: bytes, status: int = 204) -> Any:
        return self.ask(
            "POST",
            f"/uploads/{upload}/pieces",
            status,
            params={"file": number, "name": name, "offset": offset},
            content=data,
            headers={"content-type": "application/octet-stream"},
        )

    def imported(self, files: dict[str, bytes], **values: Any) -> Any:
        """Import files and return what came of it."""
        upload = self.ask("POST", "/uploads", 201, json={})["id"]
        for number, (name, text) in enumerate(files.items()):
            self.send(upload, number, name, text)
        made = self.ask("POST", "/imports", 201, json={"upload": upload, **values})
        return self.ended(made["id"])

    def ended(self, id: str) -> Any:
        end = time.monotonic() + 900
        while time.monotonic() < end:
            found = self.ask("GET", f"/imports/{id}")
            if found["status"] not in UNDER_WAY:
                return found
            time.sleep(0.05)
        raise AssertionError("the import does not end")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    found = Page(tmp_path / "data")
    with found.client:
        yield found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A page over 60 random hands and two written ones, some of them priced; nobody changes it."""
    folder = tmp_path_factory.mktemp("hands-page")
    (folder / "some.phhs").write_text(random_text(60), encoding="utf-8")
    (folder / "two.txt").write_text(f"{RAISE}\n\n{DEAD_BLINDS}", encoding="utf-8")
    with HandDatabase(folder / "data") as database:
        import_hands(database, [folder / "some.phhs", folder / "two.txt"])
        first = database.decisions().filter(number=0)["hand"].to_list()
        database.put_reviews(
            PricedDecision(hand, 0, "blueprint", loss_bb=hand % 7 / 10) for hand in first if hand % 3
        )
    return Page(folder / "data")


def test_files_are_imported_with_a_report_and_recognised(page: Page) -> None:
    two = f"{RAISE}\n\n{DEAD_BLINDS}\n\n{OMAHA}\n\n{BROKEN}".encode()
    files = {"histories/january/two.txt": two, "histories/notes.pdf": b"%PDF no hands"}
    done = page.imported(files, passed_over=3)
    assert (done["status"], done["error"]) == ("done", None)
    report = done["report"]
    assert (report["new"], report["duplicates"], report["total"]) == (2, 0, 4)
    assert sum(report["games"].values()) == 1
    assert "Omaha" in next(iter(report["games"]))
    assert report["passed_over"] == 4  # one was sent and holds no hands, three were not
    [fault] = report["faults"]
    assert fault["file"] == "histories/january/two.txt"
    assert (fault["hand"], fault["line"] > 40) == ("100000000008", True)
    assert "do not add up" in fault["reason"]
    assert not list((page.data / "uploads").iterdir()), "copies stayed behind"
    # the same file from elsewhere is recognised by its name and content, and is not read again
    again = page.imported({"histories/january/two.txt": two})["report"]
    assert (again["new"], again["duplicates"], again["unchanged"], again["total"]) == (0, 2, 1, 4)
    # one that has grown is read, and its old hands are duplicates
    third = RAISE.replace("#100000000001", "#100000000003").encode()
    grown = page.imported({"histories/january/two.txt": two + b"\n\n" + third})["report"]
    assert (grown["unchanged"], grown["duplicates"], grown["new"]) == (0, 2, 1)
    newest, *_ = page.ask("GET", "/imports")["imports"]
    assert newest["name"] == "histories/january/two.txt"


def test_hashed_imports_keep_no_names_on_disk(page: Page) -> None:
    done = page.imported({"Ann's hands.txt": f"{RAISE}\n\n{BROKEN}".encode()}, hash_names=True)
    assert (done["name"], done["hash_names"]) == ("1 file", True)
    assert done["report"]["faults"][0]["file"] == "Ann's hands.txt"  # shown, not kept
    record = (page.data / "work" / "import" / done["id"] / "job.json").read_text()
    assert "Ann" not in record
    assert "do not add up" not in record
    [row] = page.ask("GET", "")["rows"]
    assert row["name"] == "Hero"


def test_uploads_have_limits_and_leave_nothing(page: Page) -> None:
    upload = page.ask("POST", "/uploads", 201, json={})
    assert (upload["piece_bytes"], upload["files"]) == (1000, 8)
    id = upload["id"]
    assert "longer" in page.piece(id, 0, "large.txt", 0, b"x" * 1001, 413)["error"]
    page.piece(id, 0, "../../a.txt", 0, b"x" * 10)
    assert "missing" in page.piece(id, 0, "../../a.txt", 20, b"x", 409)["error"]
    assert [path.name for path in (page.data / "uploads" / id).iterdir()] == ["000000.txt"]
    for number in range(1, 8):
        page.piece(id, number, "b.txt", 0, b"")
    assert "8 files" in page.piece(id, 8, "c.txt", 0, b"", 413)["error"]
    for part in range(199):
        page.piece(id, 1, "b.txt", 1000 * part, b"x" * 1000)
    assert "overbet hands import" in page.piece(id, 1, "b.txt", 199_000, b"x" * 1000, 413)["error"]
    page.ask("DELETE", f"/uploads/{id}", 204)
    assert not (page.data / "uploads" / id).exists()
    assert "drop the files again" in page.piece(id, 0, "a.txt", 10, b"x", 404)["error"]
    empty = page.ask("POST", "/uploads", 201, json={})["id"]
    assert "no file" in page.ask("POST", "/imports", 422, json={"upload": empty})["error"]
    # what an earlier server left and no import wants is removed
    (page.data / "uploads" / "u-left").mkdir(parents=True)
    create_app(Settings(page.data, example=False))
    assert not (page.data / "uploads" / "u-left").exists()


def test_stopping_in_the_middle_keeps_what_was_read(tmp_path: Path) -> None:
    for count in (620, 2_500, 10_000):  # the fewer may be read before anybody can stop it
        page = Page(tmp_path / f"{count}-hands", Limits())
        hands = (RAISE.replace("#100000000001", f"#{200_000_000_000 + number}") for number in range(count))
        with page.client:
            upload = page.ask("POST", "/uploads", 201, json={})["id"]
            page.send(upload, 0, "many.txt", "\n\n".join(hands).encode(), piece=1 << 20)
            id = page.ask("POST", "/imports", 201, json={"upload": upload})["id"]
            while (found := page.ask("GET", f"/imports/{id}"))["status"] in UNDER_WAY and not found["now"]:
                time.sleep(0.01)
            page.client.post(f"/api/hands/imports/{id}/cancel", json={})
            stopped = page.ended(id)
            if stopped["status"] == "done":
                continue
            kept = page.ask("GET", "/summary")["hands"]
            assert (stopped["status"], stopped["report"]["new"]) == ("stopped", kept)
            assert 0 < kept < count
            page.ask("POST", f"/imports/{id}/resume", json={})
            report = page.ended(id)["report"]
            assert (report["new"], report["duplicates"]) == (count - kept, kept)
            page.ask("DELETE", f"/imports/{id}", 204)
            assert page.ask("GET", "/summary")["hands"] == count
        assert not list((page.data / "uploads").iterdir())
        return
    raise AssertionError("every import was over before it could be stopped")


def test_rows_are_those_of_the_terminal_in_any_order(filled: Page) -> None:
    with HandDatabase(filled.data) as database:
        frame = database.frame("pos=BTN", sort="-won")
        rows = filled.ask("GET", "", params={"filter": "pos=BTN", "sort": "-won", "limit": 200})["rows"]
        assert [row["net"] / row["big_blind"] for row in rows] == pytest.approx(frame["won_bb"].to_list())
        assert {(row["id"], row["name"]) for row in rows} == set(zip(frame["id"], frame["name"]))
        count = filled.ask("GET", "/count", params={"filter": "pos=BTN"})["rows"]
        assert count == len(rows) == database.count("pos=BTN")
        everything = database.count()
    losses: list[float | None] = []
    for name in ("date", "blinds", "player", "position", "cards", "board", "depth", "won", "loss", "line"):
        seen: list[tuple[int, int]] = []
        while True:
            asked = {"sort": f"-{name}", "limit": 30, "offset": len(seen)}
            found = filled.ask("GET", "", params=asked)
            seen += [(row["id"], row["player"]) for row in found["rows"]]
            losses += [row["loss_bb"] for row in found["rows"]] if name == "loss" else []
            if not found["more"]:
                break
        assert len(seen) == len(set(seen)) == everything, name
    known = [loss for loss in losses if loss is not None]
    assert 20 < len(known) < everything
    assert losses == sorted(known, reverse=True) + [None] * (everything - len(known))


def test_a_filter_that_cannot_be_read_points_at_the_place(filled: Page) -> None:
    text = "pos=BTN and won>much"
    found = filled.ask("GET", "/filter", params={"text": text})
    assert text[found["place"] :][: found["length"]] == "much"
    assert found["error"] == "'much' is not a number, such as 40 or 2.5"
    assert filled.ask("GET", "/filter", params={"text": "pos=BTN"})["error"] is None
    refused = filled.ask("GET", "", 422, params={"filter": text})
    assert refused["where"] == "filter"
    assert filled.ask("GET", "", 422, params={"player": "nobody"})["where"] == "player"
    assert filled.ask("GET", "", 422, params={"sort": "luck"})["where"] == "sort"
    words = {word["name"]: word["field"] for word in filled.ask("GET", "/words")["words"]}
    assert (words["3bet"], words["pos"]) == (False, True)


def test_a_hand_is_replayed_and_its_verdicts_stand_beside_it(page: Page) -> None:
    page.data.mkdir(parents=True, exist_ok=True)
    (page.data / "one.txt").write_text(RAISE, encoding="utf-8")
    with HandDatabase(page.data) as database:
        import_hands(database, page.data / "one.txt")
        [row] = database.decisions("", player=None).filter(street="flop").iter_rows(named=True)
        actions = (
            PricedAction("c", "check", 0.75, 2.5, "check"),
            PricedAction("b400", "bet 4bb", 0.25, 2.1, "bet"),
        )
        database.put_reviews(
            [
                PricedDecision(
                    row["hand"],
                    row["number"],
                    "blueprint",
                    "six-max",
                    grade="mistake",
                    loss_bb=0.4,
                    accuracy_bb=0.1,
                    share=0.25,
                    taken="b400",
                    best="c",
                    actions=actions,
                )
            ]
        )
    found = page.ask("GET", f"/{row['hand']}")
    assert [one["name"] for one in found["players"]] == ["Bob", "Cy: the 2nd", "Ann"]
    assert (found["hero"], found["button"], found["big_blind"]) == (2, 2, 100)
    assert found["players"][2]["cards"] == ["Ah", "Kh"]
    assert found["players"][0]["cards"] is None
    told = [step["action"]["kind"] if step["action"] else step["street"] for step in found["steps"]]
    assert told == ["preflop", "raise", "fold", "call", "flop", "check", "bet", "fold"]
    bet = found["steps"][-2]
    assert (bet["action"]["to"], bet["pot"], bet["board"]) == (400, 1050, ["2c", "7d", "Jh"])
    assert [player["net"] for player in found["players"]] == [-50, -300, 320]
    [verdict] = found["verdicts"]
    assert bet["action"]["decision"] == verdict["number"] == row["number"]
    assert [action["share"] for action in verdict["actions"]] == [0.75, 0.25]
    [listed] = page.ask("GET", "", params={"sort": "-loss"})["rows"]
    assert listed["loss_bb"] == pytest.approx(0.4)
    assert listed["line"] == ["open", "cbet"]
    assert page.ask("GET", "/summary") == page.ask("GET", "/summary") | {"reviewed": 1, "priced": 1}
    assert "no such hand" in page.ask("GET", "/99", 404)["error"]


def test_opponents_and_leaks_are_reports_that_stay(page: Page) -> None:
    page.data.mkdir(parents=True, exist_ok=True)
    (page.data / "some.phhs").write_text(random_text(60), encoding="utf-8")
    with HandDatabase(page.data) as database:
        import_hands(database, page.data / "some.phhs")
    refused = page.ask("POST", "/reports", 422, json={"kind": "leaks", "filter": "pos=button"})
    assert refused["where"] == "filter"
    page.ask("POST", "/reports", 201, json={"kind": "opponents", "filter": "players>2"})
    page.ask("POST", "/reports", 201, json={"kind": "leaks", "filter": "id<0"})
    end = time.monotonic() + 900
    while time.monotonic() < end:
        found = page.ask("GET", "/reports")
        if all(found[kind]["status"] not in ("queued", "running") for kind in ("leaks", "opponents")):
            break
        time.sleep(0.05)
    others = found["opponents"]
    assert (others["status"], others["filter"], others["error"]) == ("done", "players>2", None)
    with HandDatabase(page.data) as database:
        pool = opponents(database, "players>2")
    assert [one["name"] for one in others["opponents"]["listed"]] == [one.name for one in pool]
    first = others["opponents"]["listed"][0]
    assert (first["hands"], sum(first["profile"].values())) == (pool[0].hands, pytest.approx(1))
    assert first["frequencies"][0]["mean"] == pytest.approx(pool[0].main()[0].mean)
    assert (found["leaks"]["status"], found["leaks"]["leaks"]) == ("failed", None)
    assert "no decision" in found["leaks"]["error"]
    # another server finds them again
    again = Page(page.data).ask("GET", "/reports")
    assert again["opponents"]["opponents"] == others["opponents"]


def test_a_review_is_a_job_and_its_spots_are_solved_once(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.data.mkdir(parents=True, exist_ok=True)
    hand = written("d dh p1 ????, d dh p2 AsAh, p2 f", stacks=(60, 60), _overbet_hero=2)
    (page.data / "one.phhs").write_text(write_hands([hand]), encoding="utf-8")
    with HandDatabase(page.data) as database:
        assert import_hands(database, page.data / "one.phhs").new == 1
    assert page.ask("GET", "/review")["review"] is None
    assert page.ask("POST", "/review", 422, json={"filter": "won>much"})["where"] == "filter"
    made = page.ask("POST", "/review", 201, json={"filter": "depth<10", "limit": 5})
    assert made["command"] == "overbet hands review --filter 'depth<10'"
    assert "under way" in page.ask("POST", "/review", 409, json={})["error"]
    end = time.monotonic() + 900
    while (found := page.ask("GET", "/review")["review"])["status"] in ("queued", "running"):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert (found["status"], found["error"]) == ("done", None)
    assert (found["result"]["done"], found["result"]["priced"]) == (1, 1)
    [verdict] = page.ask("GET", "/1")["verdicts"]
    assert (verdict["method"], verdict["taken"], verdict["openable"]) == ("push-fold", "f", False)
    assert verdict["loss_bb"] > 1  # aces are not folded
    assert "review the hand first" in page.ask("POST", "/1/decisions/0/solve", 409, json={})["error"]
    # a spot that a review has kept is queued as a solve; asked again it is the same one
    monkeypatch.setattr(page.app.state.overbet.jobs, "_advance", lambda: None)
    spot = {**RIVER, "big_blind": 10, "line": "r:0:c", "hand": "AsAh", "positions": ["BB", "SB"]}
    spot = {key: value for key, value in spot.items() if key != "solve"}
    with HandDatabase(page.data) as database:
        database.put_reviews([PricedDecision(1, 0, "solve", spot=spot)])
    first, second = (page.ask("POST", "/1/decisions/0/solve", 201, json={}) for _ in range(2))
    assert first["solve"]["id"] == second["solve"]["id"]
    assert (first["solve"]["name"], first["line"]) == ("Hand 1, river, BB against SB", "r:0:c")
    assert first["solve"]["spot"]["ranges"] == RIVER["ranges"]


def test_a_review_with_a_limit_tells_how_far_it_is_of_that() -> None:
    now = ReviewProgress(done=30, total=11_000, priced=25, lost_bb=3.0, seconds=50.0)
    assert review_pace(now, 100) == now._asdict() | {"done": 25, "total": 100, "seconds_left": 150.0}
    assert review_pace(now, None)["total"] == review_pace(now, 20_000)["total"] == 11_000
