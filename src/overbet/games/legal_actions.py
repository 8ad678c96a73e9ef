"""What may be done now, as an interval and not as a list: fold, check or call, raise from min to max.

Actions are ints: FOLD = -1, CALL = 0 (check or call), and n > 0 is a bet or raise *to* n chips, counted as
all the player has put in on this street. When a card is to be dealt the actions are the cards 0..51.
`LegalActions` is a sequence of these ints in ascending order that never builds the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from overbet.kernels.holdem.layout import CALL, FOLD


@dataclass(frozen=True, slots=True)
class LegalActions(Sequence[int]):
    """The actions allowed now. `call` is the chips a call adds (0: a check); `None` means not allowed.

    `raise_min` and `raise_max` bound the bet or raise *to*; both are None when raising is not allowed.
    `cards` are the cards that can come when one is to be dealt.
    """

    fold: bool = False
    call: int | None = None
    raise_min: int | None = None
    raise_max: int | None = None
    cards: tuple[int, ...] = ()

    def _small(self) -> tuple[int, ...]:
        """Return everything but the raises."""
        if self.call is None:
            return self.cards
        return (FOLD, CALL) if self.fold else (CALL,)

    def _raises(self) -> range:
        if self.raise_min is None or self.raise_max is None:
            return range(0)
        return range(self.raise_min, self.raise_max + 1)

    def __len__(self) -> int:
        return len(self._small()) + len(self._raises())

    def __contains__(self, action: object) -> bool:
        return action in self._small() or action in self._raises()

    def __iter__(self) -> Iterator[int]:
        yield from self._small()
        yield from self._raises()

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        small, raises = self._small(), self._raises()
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} legal actions, not {index + 1}")
        return small[place] if place < len(small) else raises[place - len(small)]

    def index(self, action: int, start: int = 0, stop: int | None = None) -> int:
        """Return the place of `action`, without walking through the raises."""
        small, raises = self._small(), self._raises()
        if action in raises:
            place = len(small) + raises.index(action)
        else:
            place = small.index(action)
        if not start <= place < (len(self) if stop is None else stop):
            raise ValueError(f"{action} is not among the legal actions asked for")
        return place

    def __str__(self) -> str:
        if self.call is None:
            return f"one of {len(self.cards)} cards" if self.cards else "nothing, the hand is over"
        words = ["fold"] if self.fold else []
        words.append(f"call {self.call}" if self.call else "check")
        if self.raise_min is not None:
            verb = "raise to" if self.fold else "bet or raise to"
            same = self.raise_min == self.raise_max
            words.append(f"{verb} {self.raise_min}" + ("" if same else f"-{self.raise_max}"))
        return ", ".join(words)
