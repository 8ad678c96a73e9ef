"""Pictures of tables read: processor time against the limit of one second, and how much is read right.

`python benchmarks/vision.py` times pictures of the training themes, worsened as for the tests; the first
picture, which loads the networks, is told apart. `--measure tundra bazaar --count 75 --seed 9301` reads that
many pictures of each theme by profiles made of clicks; `--lots 100 130` does so with themes by lot. One core.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import itertools
import time

from overbet.interfaces.vision.drawn.random_themes import random_theme
from overbet.interfaces.vision.drawn.samples import profile_of, samples
from overbet.interfaces.vision.drawn.theme import Theme
from overbet.interfaces.vision.drawn.themes import THEMES, TRAINING, theme_named
from overbet.interfaces.vision.pictures import PictureError
from overbet.interfaces.vision.profile import load_profile
from overbet.interfaces.vision.reading import read_table
from overbet.interfaces.vision.scoring import ReadingScore

LIMIT = 1.0  # second of processor time a picture


def measure(themes: list[Theme], count: int, seed: int) -> None:
    """Print what is read right of each theme and of all; of a theme by lot, the hands are its own."""
    whole = ReadingScore()
    for theme in themes:
        own = ReadingScore()
        profile = profile_of(theme)
        lot = int(theme.name.removeprefix("random")) if theme.name.startswith("random") else 0
        for number, sample in enumerate(itertools.islice(samples(theme, seed + lot), count)):
            for score in (own, whole):
                try:
                    score.add(f"{theme.name} {number}", read_table(sample.picture, profile), sample.truth)
                except PictureError as error:
                    score.refuse(f"{theme.name} {number}", str(error), sample.truth)
        show(theme.name, own)
    show("all", whole)


def show(name: str, score: ReadingScore) -> None:
    """Print a row: shares, and how many were asked and wrong."""
    tallies = {**score.groups, "faces": score.faces}
    cells = [f"{what} {tally.share:.2%} ({tally.asked}, {tally.wrong})" for what, tally in tallies.items()]
    print(f"{name:<10}", *cells, f"refused {len(score.refused)}", flush=True)


def main() -> None:
    """Measure what is asked for, or the time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", nargs="+", default=[], metavar="THEME")
    parser.add_argument("--lots", nargs=2, type=int, default=(0, 0), metavar=("FIRST", "END"))
    parser.add_argument("--count", type=int, default=75)
    parser.add_argument("--seed", type=int, default=9301)
    asked = parser.parse_args()
    themes = [theme_named(name) for name in asked.measure] + [random_theme(n) for n in range(*asked.lots)]
    if themes:
        measure(themes, asked.count, asked.seed)
    else:
        times()


def times() -> None:
    """Print a row a theme."""
    worst = 0.0
    for name in TRAINING:
        profile = load_profile(name)
        spent = []
        for sample in itertools.islice(samples(THEMES[name], 3), 6):
            begun = time.process_time()
            read_table(sample.picture, profile)
            spent.append(time.process_time() - begun)
        mean = sum(spent[1:]) / len(spent[1:])
        worst = max(worst, max(spent[1:]))
        print(
            f"{name:<10} {len(profile.seats)} seats  first {spent[0]:.2f} s  then {mean:.2f} s, limit/time {LIMIT / mean:.1f}"  # noqa: E501
        )
    print(f"slowest {worst:.2f} s: {'within' if worst <= LIMIT else 'above'} the limit of {LIMIT:g} s")


if __name__ == "__main__":
    main()
