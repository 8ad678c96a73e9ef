"""Importing: nothing twice, goes on where it was, every fault named, names hashed, versions told."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import psutil
import pytest

from overbet.errors import ArtefactError
from overbet.hands import HandDatabase, ImportProgress, import_hands
from overbet.interfaces.hands import reading_files
from overbet.interfaces.hands.hand_rows import hand_rows
from overbet.interfaces.hands.names import hashed_name, name_key, nameless_notes
from overbet.interfaces.history.phh_writer import write_hand
from tests.interfaces.hands.corpus import NAMES, played_hand, random_records, random_text, written


def folder_of_hands(folder: Path, files: int = 3, each: int = 8) -> Path:
    place = folder / "histories"
    place.mkdir()
    for number in range(files):
        (place / f"{number}.phhs").write_text(random_text(each, seed=number), encoding="utf-8")
    return place


def test_importing_twice_adds_nothing(tmp_path: Path) -> None:
    place = folder_of_hands(tmp_path)
    (place / "copy.phhs").write_text((place / "0.phhs").read_text(), encoding="utf-8")
    (place / "picture.png").write_bytes(b"no hands")
    with HandDatabase(tmp_path / "data") as database:
        first = import_hands(database, place)
        assert (first.total, first.new, first.duplicates, first.errors) == (32, 24, 8, 0)
        assert (first.files, first.passed_over) == (4, 1)
        before = database.frame(player="*", sort="id")
        second = import_hands(database, place)
        assert (second.total, second.new, second.duplicates, second.unchanged) == (32, 0, 32, 4)
        again = import_hands(database, [place], again=True)
        assert (again.total, again.new, again.duplicates, again.unchanged) == (32, 0, 32, 0)
        assert database.frame(player="*", sort="id").equals(before)


def test_a_file_that_has_grown_gives_its_new_hands(tmp_path: Path) -> None:
    path = tmp_path / "session.phhs"
    path.write_text(random_text(5), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        assert import_hands(database, path).new == 5
        path.write_text(random_text(9), encoding="utf-8")
        grown = import_hands(database, path)
        assert (grown.new, grown.duplicates) == (4, 5)


def test_deleted_hands_come_back_when_asked(tmp_path: Path) -> None:
    place = folder_of_hands(tmp_path)
    with HandDatabase(tmp_path / "data") as database:
        import_hands(database, place)
        chosen = database.ids("players>=4", player="*")
        assert database.delete("players>=4", player="*") == len(chosen) > 0
        assert len(database) == 24 - len(chosen)
        left = {row[0] for row in database.connection.execute("SELECT hand FROM decisions")}
        assert not left & {*chosen}
        assert import_hands(database, place).new == len(chosen)


def test_ctrl_c_keeps_batches_and_the_next_import_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_files, "BATCH", 5)
    path = tmp_path / "one.phhs"
    path.write_text(random_text(23), encoding="utf-8")
    told: list[ImportProgress] = []

    def stop(now: ImportProgress) -> None:
        told.append(now)
        if len(told) == 2:
            raise KeyboardInterrupt

    made: list[object] = []
    real = reading_files.hand_rows
    with HandDatabase(tmp_path / "data") as database:
        with pytest.raises(KeyboardInterrupt):
            import_hands(database, path, progress=stop)
        assert len(database) == 10
        assert 0.3 < told[-1].share < 0.6
        assert told[-1].hands == 10
        monkeypatch.setattr(reading_files, "hand_rows", lambda *args: made.append(args) or real(*args))
        report = import_hands(database, path)
        assert len(made) == 13  # what was in is not replayed again
        assert (report.total, report.new, report.duplicates) == (23, 13, 10)
        assert len(database) == 23


def test_an_archive_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_files, "BATCH", 1)
    for name, record in enumerate(random_records(8)):
        (tmp_path / f"{name}.phh").write_text(write_hand(record), encoding="utf-8")
    with tarfile.open(tmp_path / "hands.tar.gz", "w:gz") as archive:
        for name in range(8):
            archive.add(tmp_path / f"{name}.phh", f"{name}.phh")
    shares: list[float] = []
    with HandDatabase(tmp_path / "data") as database:
        import_hands(database, tmp_path / "hands.tar.gz", progress=lambda now: shares.append(now.share))
    assert shares == [*(number / 8 for number in range(1, 9)), 1.0]


def test_nothing_is_lost_when_a_batch_fails_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "one.phhs"
    path.write_text(random_text(6), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        database.connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON decisions BEGIN SELECT RAISE(FAIL, 'disk full'); END"
        )
        with pytest.raises(ArtefactError, match="disk full; what was there is kept"):
            import_hands(database, path)
        assert len(database) == 0
        assert database.summary()["decisions"] == 0
        database.connection.execute("DROP TRIGGER full")
        assert import_hands(database, path).new == 6


KILLED = """
import multiprocessing, os, signal, sys
from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.hands import reading_files

def stop(now):
    if now.hands >= 10:
        print(*(process.pid for process in multiprocessing.active_children()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    import_hands(HandDatabase(sys.argv[2]), sys.argv[1], workers=2, progress=stop)
"""


def test_killed_with_its_workers_it_goes_on(tmp_path: Path) -> None:
    """The parent is killed outright: its workers end by themselves, the rest comes with the next import."""
    place = folder_of_hands(tmp_path, files=4, each=10)
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    data = tmp_path / "data"
    ran = subprocess.run(
        [sys.executable, str(script), str(place), str(data)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    workers = [int(word) for word in ran.stdout.split()]
    assert workers
    end = time.monotonic() + 20
    while any(psutil.pid_exists(worker) for worker in workers) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [worker for worker in workers if psutil.pid_exists(worker)]
    with HandDatabase(data) as database:
        had = len(database)
        assert 10 <= had < 40
        report = import_hands(database, place)
        assert (report.total, report.new, report.duplicates) == (40, 40 - had, had)
        assert database.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_faults_are_named_and_other_games_counted(tmp_path: Path) -> None:
    place = tmp_path / "histories"
    place.mkdir()
    good = random_text(3)
    bad = good.replace('variant = "NT"', 'variant = "PO"', 1).replace(
        "starting_stacks = [", "starting_stacks = [x", 1
    )
    broken = good.replace('"p1 ', '"p1 z', 1)
    (place / "bad.phhs").write_text(good.replace('variant = "NT"', 'variant = "PO"', 1), encoding="utf-8")
    (place / "broken.phhs").write_text(broken, encoding="utf-8")
    (place / "damaged.phhs").write_text(bad.replace("antes", "anttes", 1), encoding="utf-8")
    (place / "more").mkdir()
    (place / "more" / "noise.phhs").write_bytes(bytes(range(256)) * 20)
    with HandDatabase(tmp_path / "data") as database:
        report = import_hands(database, place)
        assert report.games == {"pot-limit Omaha": 1}
        assert report.errors == len(report.faults) == 3
        by_file = {fault.place.source: fault for fault in report.faults}
        assert {*by_file} == {"broken.phhs", "damaged.phhs", "more/noise.phhs"}
        assert by_file["broken.phhs"].place.hand == "1"
        assert by_file["broken.phhs"].place.line > 1
        assert "'p1 z" in by_file["broken.phhs"].reason
        assert report.total == report.new + report.duplicates + 1 + 3
        second = import_hands(database, place)
        assert second.games == report.games
        assert {str(fault) for fault in second.faults} == {str(fault) for fault in report.faults}


def test_a_reader_that_fails_costs_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder_of_hands(tmp_path, files=2, each=4)
    real = reading_files.read_played

    def failing(path: Path):
        yield from real(path)
        if path.name == "0.phhs":
            raise ZeroDivisionError("an accident")

    monkeypatch.setattr(reading_files, "read_played", failing)
    with HandDatabase(tmp_path / "data") as database:
        report = import_hands(database, place)
    assert (report.new, report.errors) == (8, 1)
    assert "unexpected ZeroDivisionError: an accident" in report.faults[0].reason


def test_hashed_names_leave_no_name_behind(tmp_path: Path) -> None:
    path = tmp_path / "Ann.phhs"  # sites name folders and files by the hero
    path.write_text(random_text(12) + "\n[13]\nvariant = 'NT'\nplayers = ['Dora']\n", encoding="utf-8")
    data = tmp_path / "data"
    with HandDatabase(data) as database:
        report = import_hands(database, path, hash_names=True)
        assert (report.new, report.errors) == (12, 1)
        rows = database.frame(player="*").select("name", "hero").rows()
        assert {name for name, hero in rows if hero} == {"Hero"}
        key = name_key(data)
        assert {name for name, hero in rows if not hero} <= {hashed_name(name, key) for name in NAMES}
        kept = [str(row) for table in ("words", "files", "faults") for row in _rows(database, table)]
        kept += [str(database.hand(number).record) for number in database.ids(player="*")]
        assert not [name for name in NAMES if any(name in text for text in kept)]
    whole = b"".join(one.read_bytes() for one in data.iterdir() if one.name != "hands.key")
    assert not [name for name in NAMES if name.encode() in whole]
    assert (data / "hands.key").stat().st_mode & 0o077 == 0
    assert name_key(data) == key
    assert hashed_name("Ann", name_key(tmp_path / "other")) != hashed_name("Ann", key)


def test_notes_name_nobody_where_names_are_hashed() -> None:
    notes = ("run it twice", "Ann posted twice")
    assert nameless_notes(notes, ("Ann", "Bob")) == ("run it twice",)
    rows = hand_rows(played_hand(written("d dh p1 AsAd, d dh p2 KsKd, p2 f", (1000,) * 2), notes), b"key")
    assert not [name for name in NAMES if name in str(rows)]


def _rows(database: HandDatabase, table: str) -> list[tuple[object, ...]]:
    return database.connection.execute(f"SELECT * FROM {table}").fetchall()


def test_a_database_of_another_version_or_program_is_told(tmp_path: Path) -> None:
    HandDatabase(tmp_path).close()
    with sqlite3.connect(tmp_path / "hands.db") as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(ArtefactError, match=r"has version 99 .* this overbet version 2: move the file away"):
        HandDatabase(tmp_path)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    with sqlite3.connect(foreign / "hands.db") as other:
        other.execute("CREATE TABLE theirs (a)")
    other.close()
    with pytest.raises(ArtefactError, match="another program's database"):
        HandDatabase(foreign)
    noise = tmp_path / "noise"
    noise.mkdir()
    (noise / "hands.db").write_bytes(os.urandom(5000))
    with pytest.raises(ArtefactError, match="is not a database of hands"):
        HandDatabase(noise)


def test_places_without_hands_are_told(tmp_path: Path) -> None:
    with HandDatabase(tmp_path / "data") as database:
        with pytest.raises(ArtefactError, match="does not exist; give files of hands or a folder"):
            import_hands(database, tmp_path / "nowhere")
        with pytest.raises(ArtefactError, match="there is no file of hands in"):
            import_hands(database, tmp_path / "data")
