"""Clients of ours that a dealer starts itself: one process for each seat, ended with the match."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from overbet.games.holdem import HoldemGame
from overbet.interfaces.protocols.acpc.game_file import acpc_game_text

_PATIENCE = 5.0  # seconds that a client has to end by itself
_OF_THE_DEALER = ("error: the dealer at ", "error: no dealer answers at ")


class SpawnedClients:
    """Processes of `overbet acpc client`. They are told the table by a file of their own.

    What they say of errors is printed at the end, but for what they say of a dealer that had to stop: one
    client in trouble is one error, not one for every seat.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="overbet-acpc-")
        self._running: list[tuple[str, subprocess.Popen[bytes], Path]] = []

    def __enter__(self) -> SpawnedClients:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, process, _ in self._running:
            try:
                process.wait(_PATIENCE if kind is None else 0.5)
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
        for _, _, said in self._running:
            for line in said.read_text(encoding="utf-8", errors="replace").splitlines():
                if kind is None or not line.startswith(_OF_THE_DEALER):
                    print(line, file=sys.stderr)
        self._folder.cleanup()

    def start(
        self, specs: Sequence[str], ports: Sequence[int], address: str, game: HoldemGame, seed: int
    ) -> None:
        """Start a client for each spec. ports: of their seats; seed: of the first, the others count on."""
        table = Path(self._folder.name) / f"{game.name}.game"
        table.write_text(acpc_game_text(game), encoding="ascii")
        for place, (spec, port) in enumerate(zip(specs, ports, strict=True)):
            words = [spec, address, str(port), "--game", str(table), "--seed", str(seed + place), "--quiet"]
            said = Path(self._folder.name) / f"{place}.txt"
            with said.open("wb") as errors:
                process = subprocess.Popen(
                    [sys.executable, "-m", "overbet", "acpc", "client", *words],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env=os.environ,
                )
            self._running.append((spec, process, said))

    def trouble(self) -> str:
        """Return which client has ended before its time, empty where none has."""
        for spec, process, _ in self._running:
            if process.poll() is not None:
                return f"the client that plays {spec} ended with code {process.returncode}"
        return ""
