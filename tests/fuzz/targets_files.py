"""Targets for files: each kind we read, mutated as bytes, as JSON, or as HDF5 with a valid checksum.

`file-KIND` mutates a good file: the reader must end well or in one line. `flip-KIND` flips single bits, first
at all structural places and then anywhere: what is read must be refused, or be equal bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

from overbet.errors import OverbetError
from tests.fuzz.grammar import mutated_bytes, mutated_text, mutated_value, nested, odd_number
from tests.fuzz.samples import HAND, KINDS, Kind, made, read_archive
from tests.fuzz.target import Target, WrongError, wrong_message

FIRST, LAST = 2048, 1024  # bytes at both ends of a file where its structure lies
# A ledger is a database that grows in place, and SQLite keeps no checksum: it is fuzzed, and not promised.
NOT_FLIPPED = ("ledger",)


class FileTarget(Target):
    """Files of one kind, mutated. An input is the content of the file."""

    def __init__(self, kind: Kind) -> None:
        self.kind, self.name = kind, f"file-{kind.name}"
        self.others: list[tuple[str, int, int]] | None = None

    def prepare(self, folder: Path) -> None:
        """Write the sample, keep it, and read it."""
        self.pristine, file = made(self.kind.name, folder.parent / "samples")
        self.good = file.read_bytes()
        self.folder = folder / "sample"
        self.file = self.folder / file.relative_to(self.pristine)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.others = None
        self.put(self.good)
        self.value = self.kind.read(self.file)

    def make(self, rng: random.Random) -> bytes:
        """Return a mutated file."""
        if self.file.suffix == ".json":
            how = rng.randrange(4)
            if how == 0:
                return nested(rng).encode()
            if how == 1:
                text = self.good.decode()
                return mutated_text(rng, text).encode("utf-8", "surrogatepass")
            if how == 2:
                return json.dumps(mutated_value(rng, json.loads(self.good))).encode()
        if self.file.suffix == ".h5" and rng.random() < 0.2:
            return signed(self.good, mutated_bytes(rng, self.good))
        return mutated_bytes(rng, self.good)

    def run(self, given: bytes) -> None:
        """Read the file, as its kind is read."""
        self.put(given)
        self.kind.read(self.file)

    def put(self, given: bytes) -> None:
        """Write the file among the others of its sample, which a reader may have changed."""
        if self.others is None or self.others != self._others():
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.copytree(self.pristine, self.folder)
            self.others = self._others()
        self.file.write_bytes(given)

    def _others(self) -> list[tuple[str, int, int]]:
        found = [path for path in sorted(self.folder.rglob("*")) if path != self.file and path.is_file()]
        return [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in found]


class FlipTarget(FileTarget):
    """Files of one kind with one bit flipped. An input is [place, bit]."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.name = f"flip-{kind.name}"

    def prepare(self, folder: Path) -> None:
        """Write the sample and shuffle the structural places."""
        super().prepare(folder)
        size = len(self.good)
        places = sorted({*range(min(FIRST, size)), *range(max(size - LAST, 0), size)})
        random.Random(0).shuffle(places)
        self.structural = places

    def input(self, rng: random.Random, number: int) -> list[int]:
        """Return the structural places one after the other, then places anywhere."""
        place = self.structural[number] if number < len(self.structural) else rng.randrange(len(self.good))
        return [place, rng.randrange(8)]

    def run(self, given: list[int]) -> None:  # type: ignore[override]
        """Read the file; it must be refused, or answer as before."""
        place, bit = given
        content = bytearray(self.good)
        content[place] ^= 1 << bit
        self.put(bytes(content))
        if self.kind.read(self.file) != self.value:
            raise WrongError(f"byte {place} with bit {bit} flipped was read, and answers otherwise")


def signed(good: bytes, content: bytes) -> bytes:
    """Return a mutated file whose head says its new length and checksum, as a stranger can write it.

    The head is what lies before the bytes whose sha256 it holds. Where none is found the content is returned
    as it is.
    """
    for place in re.finditer(rb"[0-9a-f]{64}", good[:8192]):
        for start in (512, 1024, 2048, 4096, place.end() + 1):
            if hashlib.sha256(good[start:]).hexdigest().encode() == place[0]:
                body = content[start:]
                head = good[:start].replace(place[0], hashlib.sha256(body).hexdigest().encode())
                for old, new in ((len(good), start + len(body)), (len(good) - start, len(body))):
                    head = re.sub(rb"(?<!\d)%d(?!\d)" % old, b"%d" % new, head)
                return head[:start].ljust(start, b"\0") + body
    return content


class CraftedTarget(FileTarget):
    """Solutions that HDF5 reads well and that are none: other types and shapes, links, outside storage."""

    def __init__(self) -> None:
        super().__init__(KINDS["solution"])
        self.name = "file-crafted"

    def make(self, rng: random.Random) -> bytes:
        """Return a solution with a dataset replaced, signed anew."""
        import h5py
        import numpy as np

        work = self.folder.parent / "crafted.h5"
        work.write_bytes(self.good)
        secret = self.folder.parent / "secret.txt"
        secret.write_text("a secret of another file " * 5000)
        with h5py.File(work, "r+") as file:
            names: list[str] = []
            file.visititems(lambda name, item: names.append(name) if hasattr(item, "shape") else None)
            name = rng.choice(names)
            old = file[name][()]
            del file[name]
            how = rng.randrange(8)
            if how == 0:
                file[name] = h5py.ExternalLink(str(secret), "/x")
            elif how == 1:
                file[name] = h5py.SoftLink(rng.choice(("/head", "/nowhere", f"/{name}")))
            elif how == 2:
                shape = old.shape or (1,)
                file.create_dataset(
                    name, shape=shape, dtype=old.dtype, external=[(str(secret), 0, max(old.nbytes, 8))]
                )
            elif how == 3:
                layout = h5py.VirtualLayout(shape=old.shape or (1,), dtype=np.float32)
                file.create_virtual_dataset(name, layout)
            elif how == 4:
                kinds = (np.int64, np.float64, np.uint8, np.complex64, "S3", "V7", bool)
                file.create_dataset(name, shape=old.shape, dtype=rng.choice(kinds))
            elif how == 5:
                shape = rng.choice(((), (0,), (1,), (3, 3), (10**9,), (2**40,), (*np.shape(old), 2)))
                file.create_dataset(
                    name, shape=shape, dtype=np.float32, chunks=True if shape and min(shape) else None
                )
            elif how == 6:
                file.create_group(name)
            elif name == "head":
                head = mutated_value(rng, json.loads(bytes(old)))
                file[name] = np.frombuffer(json.dumps(head).encode(), np.uint8)
            elif old.size and old.dtype.kind == "f":
                old.flat[rng.randrange(old.size)] = rng.choice((float("nan"), float("inf"), -1.0, 1e38))
                file[name] = old
        return signed(self.good, work.read_bytes())

    def run(self, given: bytes) -> None:
        """Read it; nothing of the other file may show in what it answers."""
        self.put(given)
        if "a secret of another" in repr(self.kind.read(self.file)):
            raise WrongError("the bytes of another file were read")


class PhhArchiveTarget(FileTarget):
    """Archives of hands, packed in every way, and folders of them; faults are told in one line each."""

    def __init__(self) -> None:
        super().__init__(KINDS["archive"])
        self.name = "file-phh-archives"

    def make(self, rng: random.Random) -> bytes:
        """Return an archive, mutated inside or outside of its packing."""
        import bz2
        import gzip
        import io
        import lzma
        import tarfile

        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w") as archive:
            for number in range(3):
                content = (HAND if rng.random() < 0.5 else mutated_text(rng, HAND)).encode(
                    "utf-8", "surrogatepass"
                )
                names = (f"{number}.phh", f"../{number}.phhs", "/etc/x.phh", "a" * 200 + ".phh", "\x01.phh")
                member = tarfile.TarInfo(rng.choice(names))
                member.size = len(content)
                member.type = rng.choice((tarfile.REGTYPE,) * 5 + (tarfile.SYMTYPE, tarfile.LNKTYPE, b"S"))
                member.linkname = rng.choice(("0.phh", "/etc/passwd", member.name))
                archive.addfile(member, io.BytesIO(content))
        inner = plain.getvalue()
        inner = mutated_bytes(rng, inner) if rng.random() < 0.6 else inner
        pack = rng.choice((gzip.compress, bz2.compress, lzma.compress, bytes))
        packed: bytes = pack(inner)
        return mutated_bytes(rng, packed) if rng.random() < 0.4 else packed

    def run(self, given: bytes) -> None:
        """Read and replay all hands; every fault is one line."""
        from overbet.interfaces.history.record import HandFault
        from overbet.interfaces.history.replay import replay_all
        from overbet.interfaces.history.sources import read_hands

        for suffix in (".tar", ".tar.gz"):
            path = self.folder / f"given{suffix}"
            path.write_bytes(given)
            for found in replay_all(read_hands(path)):
                wrong = wrong_message(str(found)) if isinstance(found, HandFault) else None
                if wrong:
                    raise WrongError(wrong)
        try:
            read_archive(path)
        except OverbetError as error:
            if wrong := wrong_message(str(error)):
                raise WrongError(wrong) from error


class RunFolderTarget(Target):
    """A run's folder with a text or a checkpoint of it spoilt: resumed and trained on."""

    name = "file-run-folder"
    _FILES = ("config.yaml", "metrics.csv", "checkpoint")

    def prepare(self, folder: Path) -> None:
        """Train for a moment, and go on with what is good."""
        _, blueprint = made("blueprint", folder.parent / "samples")
        self.good, self.work = blueprint.parent, folder / "work"
        self.run([self._FILES[1], (self.good / "metrics.csv").read_text()])

    def make(self, rng: random.Random) -> list[str]:
        """Return a file of the folder and its new text; a checkpoint's as hexadecimal."""
        name = rng.choice(self._FILES)
        if name == "checkpoint":
            (file,) = self.good.glob("checkpoint-*.h5")
            return [name, mutated_bytes(rng, file.read_bytes()).hex()]
        text = (self.good / name).read_text()
        if name == "metrics.csv" and rng.random() < 0.5:
            row = ",".join(odd_number(rng) for _ in range(rng.choice((1, 5, 5, 6))))
            return [name, text + row + rng.choice(("", "\n", "\r", "\0"))]
        return [name, nested(rng) if rng.random() < 0.05 else mutated_text(rng, text)]

    def run(self, given: list[str]) -> None:
        """Resume the run, train ten iterations more, and read the metrics."""
        from overbet.blueprint.checkpoint import load_config
        from overbet.blueprint.run import Run

        name, text = given
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.good, self.work)
        if name == "checkpoint":
            (file,) = self.work.glob("checkpoint-*.h5")
            file.write_bytes(bytes.fromhex(text))
        else:
            (self.work / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        config: Any = load_config(self.work)
        if config.game.players > 3 or config.cards.kind != "preflop" or config.solver.capacity > 100_000:
            return  # well read, and too long to train
        run = Run.resume(self.work, config)
        run.go(run.trainer.iterations + 10, workers=1)
        run.metrics()


def targets() -> list[Target]:
    """Return the targets of this file."""
    files = [FileTarget(kind) for kind in KINDS.values()]
    flips = [FlipTarget(kind) for name, kind in KINDS.items() if name not in NOT_FLIPPED]
    return [*files, CraftedTarget(), PhhArchiveTarget(), RunFolderTarget(), *flips]
