"""Every hold'em hand against every other over every board: the counts behind the preflop table.

Boards that differ by a renaming of the suits are counted once, with their number: 134,459 boards stand for
2,598,960. For a block of boards the ranks of all 1,326 combos are laid out as [board, combo] int16, and one
combo is compared with all later ones in a loop over neighbouring int16 values, which the compiler turns
into vector instructions (16 comparisons at a time with AVX2): about 10^11 comparisons in all, which take
under a minute on one core. The counts are of canonical boards; the caller sums over the renamings of the
hands (`overbet.cards.preflop_build`), which is the same as summing over all boards.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.equity import key_and_mask
from overbet.kernels.cards.evaluator import EvaluatorTables, popcount, rank_key
from overbet.kernels.jit import kernel

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)
BLOCK = 128  # boards a block: 128 * 1326 int16 ranks stay in the second-level cache
_WORDS = BLOCK // 64
_DEAD = np.int16(32767)  # above every rank, so that nothing wins against or ties with a dead combo


@kernel
def canonical_boards(
    renamings: npt.NDArray[np.int8], boards: npt.NDArray[np.int8], numbers: npt.NDArray[np.int32]
) -> int:
    """Write the boards that no renaming of suits makes smaller, and how many boards each stands for.

    renamings: [24, 52] int8, the card that each card becomes; boards: [134459, 5] int8, out;
    numbers: [134459] int32, out. Return how many there are. A board's size is its card bits as a number.
    """
    found = 0
    for a in range(4, 52):
        for b in range(3, a):
            for c in range(2, b):
                for d in range(1, c):
                    for e in range(d):
                        mask = _bit(a) | _bit(b) | _bit(c) | _bit(d) | _bit(e)
                        same = 0
                        for renaming in renamings:
                            other = _bit(renaming[a]) | _bit(renaming[b]) | _bit(renaming[c])
                            other |= _bit(renaming[d]) | _bit(renaming[e])
                            if other < mask:
                                same = 0
                                break
                            same += other == mask
                        if same == 0:
                            continue
                        boards[found, 0], boards[found, 1], boards[found, 2] = a, b, c
                        boards[found, 3], boards[found, 4] = d, e
                        numbers[found] = len(renamings) // same
                        found += 1
    return found


@kernel
def _bit(card: int) -> np.uint64:
    return _ONE << U64(card)


@kernel
def block_ranks(
    boards: npt.NDArray[np.int8],
    combos: npt.NDArray[np.int8],
    tables: EvaluatorTables,
    ranks: npt.NDArray[np.int16],
) -> None:
    """Write the rank of every combo on every board; 32767 where they share a card.

    boards: [n, 5] int8; combos: [1326, 2] int8; ranks: [n, 1326] int16, out.
    """
    for board in range(boards.shape[0]):
        key, mask = key_and_mask(boards[board], tables)
        for combo in range(combos.shape[0]):
            high, low = combos[combo, 0], combos[combo, 1]
            held = _bit(high) | _bit(low)
            if mask & held != _ZERO:
                ranks[board, combo] = _DEAD
            else:
                full = key + tables.card_keys[high] + tables.card_keys[low]
                ranks[board, combo] = rank_key(full, mask | held, tables)


@kernel
def add_block(
    ranks: npt.NDArray[np.int16],
    number: int,
    first: int,
    stride: int,
    wins: npt.NDArray[np.int32],
    ties: npt.NDArray[np.int32],
) -> None:
    """Add one block's wins and ties, each times `number`, for the rows first, first + stride, ...

    ranks: [BLOCK, 1326] int16 (unused boards all 32767); wins: [1326, 1326] int32, of row against column;
    ties: [1326, 1326] int32, above the diagonal only. Rows of different workers touch different entries.
    """
    combos = ranks.shape[1]
    live = np.zeros((combos, _WORDS), np.uint64)
    for board in range(BLOCK):
        bit = _ONE << U64(board & 63)
        for combo in range(combos):
            if ranks[board, combo] != _DEAD:
                live[combo, board >> 6] |= bit
    won, tied = np.empty(combos, np.int16), np.empty(combos, np.int16)
    for row in range(first, combos, stride):
        after = row + 1  # views from here on: loops that start at zero vectorise
        won_after, tied_after = won[after:], tied[after:]
        won_after[:] = 0
        tied_after[:] = 0
        for board in range(BLOCK):
            own = ranks[board, row]
            if own != _DEAD:
                others = ranks[board, after:]
                for column in range(combos - after):
                    won_after[column] += np.int16(own > others[column])
                    tied_after[column] += np.int16(own == others[column])
        for column in range(after, combos):
            both = np.int64(0)
            for word in range(_WORDS):
                both += popcount(live[row, word] & live[column, word])
            wins[row, column] += number * won[column]
            ties[row, column] += number * tied[column]
            wins[column, row] += number * (both - won[column] - tied[column])
