"""How fast hand histories are read: hands a second, beside pokerkit's parser on the same PokerStars files.

    python benchmarks/histories.py ../shared/data/hand-histories.tar.gz
    python benchmarks/histories.py FOLDER --hands 50000 --workers 2

The hands at the path are written over and over, each with a number of its own, into large files until there
are `--hands` of them. Ours reads them, replays each through the rules and compares the stacks: in one
process, and in `--workers`, where the hands come back to the caller (`returned`) or are only counted.
pokerkit reads `--pokerkit` of the no-limit hold'em hands of PokerStars, and replays each without comparing
stacks; ours is timed on the same files.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from pokerkit import HandHistory, parse_value

from overbet.interfaces.history.blocks import HandBlock, blocks_of, read_block, read_in_parallel
from overbet.interfaces.history.containers import HandFile, hand_files
from overbet.interfaces.history.played import read_played
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.sites.text import hand_texts

_STARS = re.compile(r"PokerStars [^\n]*(?<!6\+ )(?<!Split )Hold'em No Limit")
_NUMBER = re.compile(r"((?:Hand|Game|HandId:) #[A-Z]*)\d+")


def hands_at(path: Path) -> list[str]:
    """Return the text of every hand of a site at `path`."""
    texts = []
    for file in hand_files(path):
        if isinstance(file, HandFile):
            for text in hand_texts(file.stream):
                body = "".join(line.rstrip("\r\n") + "\n" for line in text.lines)
                texts.append(f"{text.header.string}\n{body.rstrip()}\n\n\n")
    return texts


def write(texts: list[str], count: int, folder: Path) -> None:
    """Write `count` hands into files of ten thousand, numbered anew."""
    folder.mkdir()
    for start in range(0, count, 10_000):
        with (folder / f"{start}.txt").open("w", encoding="utf-8") as file:
            for number in range(start, min(start + 10_000, count)):
                file.write(_NUMBER.sub(rf"\g<1>{10**9 + number}", texts[number % len(texts)], count=1))


def counted(block: HandBlock) -> tuple[int, int]:
    """Return how many hands of a block were read, and how many there are."""
    hands = read_block(block)
    return sum(isinstance(hand, PlayedHand) for hand in hands), len(hands)


def in_processes(folder: Path, workers: int) -> Iterator[int]:
    """Yield the hands read in each block by `workers` processes, which keep them."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from (read for read, _ in pool.map(counted, blocks_of(folder)))


def by_pokerkit(folder: Path) -> int:
    """Return how many hands pokerkit reads."""
    read = 0
    for file in sorted(folder.iterdir()):
        text = file.read_text("utf-8")
        # it prints the trace of every hand that it cannot read
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            read += sum(1 for _ in HandHistory.from_pokerstars(text, parse_value=parse_value))
    return read


def report(name: str, hands: int, work: Callable[[], int]) -> None:
    """Time some work and print a line."""
    begin = time.perf_counter()
    read = work()
    seconds = time.perf_counter() - begin
    print(f"{name:44} {read:7,} of {hands:7,} read, {seconds:7.1f} s, {hands / seconds:8,.0f} hands/s")


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--pokerkit", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    texts = hands_at(options.path)
    stars = [text for text in texts if _STARS.match(text)]
    with tempfile.TemporaryDirectory() as place:
        all_hands, few = Path(place, "all"), Path(place, "few")
        write(texts, options.hands, all_hands)
        write(stars, options.pokerkit, few)
        sum(1 for _ in read_played(few))  # kernels are compiled or loaded before the clock starts

        def ours(folder: Path) -> int:
            return sum(isinstance(hand, PlayedHand) for hand in read_played(folder))

        def returned() -> int:
            hands = read_in_parallel(all_hands, options.workers)
            return sum(isinstance(hand, PlayedHand) for hand in hands)

        report("ours, one process, all sites", options.hands, lambda: ours(all_hands))
        workers = options.workers
        report(f"ours, {workers} processes", options.hands, lambda: sum(in_processes(all_hands, workers)))
        report(f"ours, {workers} processes, hands returned", options.hands, returned)
        report("ours, one process, PokerStars", options.pokerkit, lambda: ours(few))
        report("pokerkit, one process, PokerStars", options.pokerkit, lambda: by_pokerkit(few))


if __name__ == "__main__":
    main()
