"""The database of hands: hands a second of an import, bytes a hand, seconds of a question.

The hands of an archive or folder are written as .phhs files of 250 and imported into an empty database, by
one process and by one a core; then the same again, where every hand is a duplicate, and a few questions are
asked. Hands a second of the clock depend on what else runs, those a second of a core much less.

Run: python benchmarks/hands_db.py ../shared/data/pluribus-hands.tar.gz [--most 3000]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.history.record import HandRecord
from overbet.interfaces.history.sources import read_hands
from overbet.machine import core_count

EACH = 250  # hands a file
QUESTIONS = ("pos=BTN and 3bet and flop=monotone", "hand=22+,AKs and won>10", "cbet and not showdown")


def timed(action: Callable[[], object]) -> float:
    """Return the seconds of the better of two runs."""
    best = float("inf")
    for _ in range(2):
        began = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - began)
    return best


def core_seconds() -> float:
    """Return the processor time of this process and of the children it waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("hands", type=Path)
    options.add_argument("--most", type=int, default=None)
    given = options.parse_args()
    records = [one for one in islice(read_hands(given.hands), given.most) if isinstance(one, HandRecord)]
    with tempfile.TemporaryDirectory(prefix="overbet-") as folder:
        place = Path(folder) / "in"
        place.mkdir()
        for first in range(0, len(records), EACH):
            text = write_hands(records[first : first + EACH])
            (place / f"{first}.phhs").write_text(text, encoding="utf-8")
        with HandDatabase(Path(folder) / "warm") as database:  # kernels compile once on a machine
            import_hands(database, place / "0.phhs")
        for workers in (1, core_count()):
            with HandDatabase(Path(folder) / f"data{workers}") as database:
                before = core_seconds()
                report = import_hands(database, place, workers=workers)
                rate, of_core = (report.total / each for each in (report.seconds, core_seconds() - before))
                print(
                    f"import, {workers} processes: {report.total:,} hands, {rate:,.0f} a second of the clock,"
                )
                print(f"   {of_core:,.0f} a second of a core: a million in {1e6 / of_core / 60:.0f} minutes")
        with HandDatabase(Path(folder) / "data1") as database:
            before = core_seconds()
            report = import_hands(database, place, again=True, workers=1)
            rate = report.total / (core_seconds() - before)
            print(f"again, {report.duplicates:,} duplicates: {rate:,.0f} a second of a core")
            database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            whole = database.summary()
            size, decisions = (whole[name] / whole["hands"] for name in ("bytes", "decisions"))
            print(f"{size:.0f} bytes and {decisions:.1f} decisions a hand")
            for text in QUESTIONS:
                seconds = timed(lambda text=text: database.frame(text, player="*"))  # type: ignore[misc]
                print(f"{1000 * seconds:.0f} ms: {database.count(text, player='*'):,} rows, {text}")
            seconds = timed(database.decisions)
            print(f"{1000 * seconds:.0f} ms: all {whole['decisions']:,} decisions as a frame")


if __name__ == "__main__":
    main()
