"""Which search an answer belongs to: board, line, ranges and config, whatever the suits are called.

Of all 24 names for the suits the one is taken that makes the board the smallest, then the line, then the
digest of the ranges. Situations that differ only in the names of the suits therefore have one key, also where
the board alone leaves two suits alike and the ranges do not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS, live_combos
from overbet.cards.isomorphism import rename_suits
from overbet.errors import RangeError
from overbet.games import lines
from overbet.search.cache.suits import RENAMINGS, Renaming, inverse, rename_hands

_STEPS = 1 << 20  # of the largest value: powers of one half fall in the middle of a step, not on its edge
_PURPOSE = b"overbet cache 1"  # another layout of keys would have another number


@dataclass(frozen=True)
class Key:
    """The key of a search. data: 32 bytes; renaming: from the real suits to those of the stored answer."""

    data: bytes
    renaming: Renaming

    @property
    def back(self) -> Renaming:
        """The renaming from the suits of the stored answer to the real ones."""
        return inverse(self.renaming)

    @classmethod
    def of(
        cls,
        board: str | Iterable[int],
        line: str | Iterable[lines.Token],
        ranges: npt.ArrayLike,
        config_hash: str,
        values: Mapping[str, npt.ArrayLike] | None = None,
    ) -> Key:
        """Return the key of a search.

        board: 0, 3, 4 or 5 cards; their order does not matter. line: the public line, with or without the
        cards that fell. ranges: [players, 1326]; hands that hold a card of the board do not count. They are
        rounded to 2^-20 of each player's largest, so that noise in the last bits of float64 does not matter.
        config_hash: of everything else that decides the answer, such as menus, blueprint, gadget and budget.
        values: named [..., 1326] arrays that the answer depends on too, such as the alternatives of a gadget.
        """
        cards = read_board(board)
        tokens = lines.parse(line) if isinstance(line, str) else tuple(line)
        live = live_combos(cards)
        given = {"ranges": _table("ranges", ranges), **_tables(values)}
        if given["ranges"].ndim != 2:
            raise RangeError(f"ranges are [players, 1326], not {list(given['ranges'].shape)}")
        if np.any(given["ranges"][:, live] < 0.0):
            raise RangeError("a range has a negative weight")
        rounded = {name: _rounded(name, array, live) for name, array in given.items()}
        boards = [(sorted(rename_suits(cards, renaming)), renaming) for renaming in RENAMINGS]
        smallest = min(found for found, _ in boards)
        forms = [
            (_line_text(tokens, renaming), _digest(rounded, renaming), renaming)
            for found, renaming in boards
            if found == smallest
        ]
        text, digest, renaming = min(forms)
        whole = hashlib.blake2b(digest_size=32, person=_PURPOSE)
        for part in (bytes(smallest), text.encode(), digest, config_hash.encode()):
            whole.update(len(part).to_bytes(8, "little") + part)
        return cls(whole.digest(), renaming)


def _tables(values: Mapping[str, npt.ArrayLike] | None) -> dict[str, npt.NDArray[np.float64]]:
    return {f"values {name}": _table(name, array) for name, array in sorted((values or {}).items())}


def _table(name: str, given: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(given, np.float64)
    if array.ndim == 0 or array.shape[-1] != COMBOS:
        raise RangeError(f"{name}: the last axis must have {COMBOS} hands; the shape is {list(array.shape)}")
    return array


def _rounded(
    name: str, array: npt.NDArray[np.float64], live: npt.NDArray[np.bool_]
) -> tuple[bytes, npt.NDArray[np.int32]]:
    """Return name, shape and the scale of each row as bytes, and the values in steps: [..., 1326] int32."""
    alive = np.where(live, array, 0.0)
    if not np.isfinite(alive).all():
        raise RangeError(f"{name}: a value is not a finite number")
    mantissa, exponent = np.frexp(np.abs(alive).max(axis=-1, keepdims=True))
    scale = np.ldexp(np.rint(mantissa * _STEPS), exponent) / _STEPS
    steps = np.rint(alive / np.where(scale > 0.0, scale, 1.0) * _STEPS).astype("<i4")
    about = f"{name} {list(array.shape)} ".encode() + scale.astype("<f8").tobytes()
    return about, steps


def _digest(rounded: Mapping[str, tuple[bytes, npt.NDArray[np.int32]]], renaming: Renaming) -> bytes:
    found = hashlib.blake2b(digest_size=32)
    for about, steps in rounded.values():
        found.update(about)
        found.update(rename_hands(steps, renaming).tobytes())
    return found.digest()


def _line_text(tokens: Iterable[lines.Token], renaming: Renaming) -> str:
    """Return the line with its suits renamed; cards that fall together stand from high to low."""
    parts = [lines.ROOT]
    for token in tokens:
        dealt = sorted(rename_suits(token.cards, renaming), reverse=True)
        parts.append(cards_name(dealt) if dealt else str(token))
    return ":".join(parts)
