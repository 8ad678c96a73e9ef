"""A large file in parts: the same hands and faults as read whole, in order, and stopped it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from overbet.hands import HandDatabase, ImportProgress, import_hands
from overbet.interfaces.hands import file_parts, importing, reading_files
from overbet.interfaces.hands.reading_files import FileBatch, FileJob, file_batches
from tests.interfaces.invented_hands import RAISE

HANDS, BROKEN = 60, 37


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """Sixty hands of a site; one of them cannot be replayed."""
    texts = [RAISE.replace("100000000001", f"1000{number:08d}") for number in range(HANDS)]
    texts[BROKEN] = texts[BROKEN].replace("Cy: the 2nd: calls $2", "Cy: the 2nd: calls $200")
    path = tmp_path / "long.txt"
    path.write_text("\n\n\n".join(texts), encoding="utf-8")
    return path


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> list[FileJob]:
    """Files are cut small, batches are of three hands, and the later parts come first; the jobs are kept."""
    seen: list[FileJob] = []

    def backwards(jobs: Sequence[FileJob], workers: int, key: bytes | None) -> Iterator[FileBatch]:
        seen[:] = jobs
        for job in reversed(jobs):
            yield from file_batches(job, key)

    monkeypatch.setattr(importing, "read_files", backwards)
    monkeypatch.setattr(importing, "LARGE", 1)
    monkeypatch.setattr(importing, "parts_of", partial(file_parts.parts_of, size=10_000))
    monkeypatch.setattr(reading_files, "BATCH", 3)
    return seen


def _kept(database: HandDatabase) -> list[list[tuple[object, ...]]]:
    queries = (
        "SELECT id, number, line FROM hands ORDER BY id",
        "SELECT source, hand, line, reason FROM faults",
        "SELECT taken, done, hands FROM files",
    )
    return [database.connection.execute(query).fetchall() for query in queries]


def test_parts_are_the_whole(history: Path, tmp_path: Path, in_parts: list[FileJob]) -> None:
    shares: list[float] = []
    with HandDatabase(tmp_path / "parts") as database:
        report = import_hands(database, history, workers=2, progress=lambda now: shares.append(now.share))
        found = _kept(database)
    assert len(in_parts) > 3
    assert (report.total, report.new, report.errors) == (HANDS, HANDS - 1, 1)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with HandDatabase(tmp_path / "whole") as database:
        import_hands(database, history, workers=1)
        assert _kept(database) == found


@pytest.mark.parametrize("stopped_after", [1, 5, 12])
def test_stopped_it_goes_on_behind_what_was_written(
    history: Path, tmp_path: Path, in_parts: list[FileJob], stopped_after: int
) -> None:
    told: list[ImportProgress] = []

    def stop(now: ImportProgress) -> None:
        told.append(now)
        if len(told) == stopped_after:
            raise KeyboardInterrupt

    with HandDatabase(tmp_path / "data") as database:
        with pytest.raises(KeyboardInterrupt):
            import_hands(database, history, workers=2, progress=stop)
        had, parts = len(database), len(in_parts)
        assert 0 < had < HANDS - 1
        report = import_hands(database, history, workers=2)
        assert report.new == HANDS - 1 - had
        assert (report.total, report.duplicates, report.errors) == (HANDS, had, 1)
        assert len(in_parts) < parts or stopped_after < 5  # parts that are in are not read again
        assert [row[1] for row in _kept(database)[0]] == [
            f"1000{number:08d}" for number in range(HANDS) if number != BROKEN
        ]
        assert import_hands(database, history, workers=2).new == 0


def test_a_file_without_a_place_to_cut_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("no hand at all\n" * 1000, encoding="utf-8")
    job = FileJob(1, path, "one.txt", 0)
    assert file_parts.parts_of(job, 1000) == [job]
