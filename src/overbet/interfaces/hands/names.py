"""Names of players replaced by keyed hashes, so that hands can be given away without saying whose they are.

The key lies in the data folder and goes nowhere else: with it the same player has the same hash in every
import, without it a hash cannot be compared with guessed names.
"""

from __future__ import annotations

import os
from base64 import b32encode
from hashlib import blake2b
from pathlib import Path

from overbet.errors import ArtefactError, reason, short
from overbet.interfaces.history.record import HandFault, Place

KEY = "hands.key"
HERO = "Hero"
_KEY_BYTES = 32
_HASH_BYTES = 10


def name_key(folder: Path) -> bytes:
    """Return the key of a data folder, made where there is none yet; only its owner may read it."""
    path = folder / KEY
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            place = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            key = path.read_bytes()
        else:
            key = os.urandom(_KEY_BYTES)
            with open(place, "wb") as file:
                file.write(key)
    except OSError as error:
        raise ArtefactError(f"cannot use the key of names {short(path)}: {reason(error)}") from error
    if len(key) != _KEY_BYTES:
        raise ArtefactError(f"{short(path)} is damaged: a key has {_KEY_BYTES} bytes, this {len(key)}")
    return key


def hashed_name(name: str, key: bytes) -> str:
    """Return 16 letters and digits in place of a name."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), key=key, digest_size=_HASH_BYTES).digest()
    return b32encode(digest).decode().lower()


def hashed_players(names: tuple[str, ...], hero: int | None, key: bytes) -> tuple[str, ...]:
    """Return hashes of the names by player; the hero is `Hero`."""
    return tuple(HERO if seat == hero else hashed_name(name, key) for seat, name in enumerate(names))


def nameless_notes(notes: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the notes on a hand that name nobody."""
    return tuple(note for note in notes if not any(name and name in note for name in names))


def nameless(fault: HandFault, key: bytes) -> HandFault:
    """Return a fault as it may be kept: its file's name and its reason may name players."""
    place = Place(hashed_name(fault.place.source, key), fault.place.hand, fault.place.line)
    reason = fault.reason if fault.unsupported else "the reason is not kept where names are hashed"
    return HandFault(place, reason, fault.unsupported, fault.archive)
