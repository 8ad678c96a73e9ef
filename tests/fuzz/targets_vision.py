"""Targets for pictures and profiles: files from anybody that `overbet read` opens."""

from __future__ import annotations

import io
import json
import random
from itertools import islice
from pathlib import Path

import numpy as np
from PIL import Image

from tests.fuzz.grammar import mutated_bytes, mutated_text, mutated_value, nested
from tests.fuzz.target import Target


class PictureTarget(Target):
    """A picture of a table, mutated in four formats; what can still be opened is read."""

    name = "picture"

    def prepare(self, folder: Path) -> None:
        """Draw one, and read it in every format."""
        from overbet.interfaces.vision.drawn.samples import samples
        from overbet.interfaces.vision.drawn.themes import THEMES

        [sample] = islice(samples(THEMES["green"], 1, clean=True), 1)
        picture = Image.fromarray(sample.picture).resize((480, 330))
        self.good = []
        for kind in ("PNG", "JPEG", "WEBP", "BMP"):
            buffer = io.BytesIO()
            picture.save(buffer, kind)
            self.good.append(buffer.getvalue())
        for good in self.good:
            self.run(good)

    def make(self, rng: random.Random) -> bytes:
        """Return a mutated file."""
        return mutated_bytes(rng, rng.choice(self.good))

    def run(self, given: bytes) -> None:
        """Open it, and read it by a profile."""
        from overbet.interfaces.vision.pictures import picture_of
        from overbet.interfaces.vision.profile import load_profile
        from overbet.interfaces.vision.reading import read_table

        read_table(picture_of(given), load_profile("green", Path("/nonexistent")))


class ProfileTarget(Target):
    """A profile's file, mutated as text and as JSON; one that is taken has to read a picture or refuse it."""

    name = "picture-profile"

    def prepare(self, folder: Path) -> None:
        """Take a shipped profile."""
        from overbet.interfaces.vision.profile import load_profile

        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.values = load_profile("paper", Path("/nonexistent")).model_dump(mode="json")
        self.picture = np.random.default_rng(0).integers(0, 255, (300, 400, 3), dtype=np.uint8)

    def make(self, rng: random.Random) -> bytes:
        """Return a file."""
        how = rng.random()
        if how < 0.6:
            return json.dumps(mutated_value(rng, self.values)).encode()
        if how < 0.7:
            return nested(rng).encode()
        return mutated_text(rng, json.dumps(self.values)).encode("utf-8", "surrogatepass")

    def run(self, given: bytes) -> None:
        """Read it, and a picture by it."""
        from overbet.interfaces.vision.profile import read_profile
        from overbet.interfaces.vision.registration import find_table

        path = self.folder / "fuzzed.json"
        path.write_bytes(given)
        find_table(read_profile(path), self.picture)


def targets() -> list[Target]:
    """Return the targets of this file."""
    return [PictureTarget(), ProfileTarget()]
