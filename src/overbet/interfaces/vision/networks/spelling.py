"""From the network's shares of letters to texts: a search over prefixes (Graves et al. 2006; Hannun et
al. 2014).

Blank and letters of a column add up to one; a text's probability is the sum over all ways to lay it over the
columns. The search keeps the few prefixes that hold nearly all of it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.interfaces.vision.networks.layers import LETTERS

_LEAST = 0.004  # a letter less likely than this in a column is not followed
_BEAM = 6


def spelled(shares: npt.NDArray[np.float32], beam: int = _BEAM) -> list[tuple[str, float]]:
    """Return texts with their probabilities, best first. shares: [column, class], class 0 the blank."""
    held: dict[str, tuple[float, float]] = {"": (1.0, 0.0)}  # prefix: ends in blank, ends in its last letter
    for column in shares.astype(np.float64):
        blank = float(column[0])
        letters = [
            (LETTERS[code - 1], float(column[code])) for code in np.flatnonzero(column > _LEAST) if code
        ]
        if not letters:
            held = {prefix: ((b + a) * blank, 0.0) for prefix, (b, a) in held.items()}
            continue
        new: dict[str, list[float]] = {}
        for prefix, (ends_blank, ends_letter) in held.items():
            both = ends_blank + ends_letter
            slot = new.setdefault(prefix, [0.0, 0.0])
            slot[0] += both * blank
            for letter, share in letters:
                if prefix and prefix[-1] == letter:
                    slot[1] += ends_letter * share
                    new.setdefault(prefix + letter, [0.0, 0.0])[1] += ends_blank * share
                else:
                    new.setdefault(prefix + letter, [0.0, 0.0])[1] += both * share
        best = sorted(new.items(), key=lambda item: -sum(item[1]))[:beam]
        held = {prefix: (b, a) for prefix, (b, a) in best}
    return sorted(((prefix, b + a) for prefix, (b, a) in held.items()), key=lambda item: -item[1])
