"""AIVAT for matches of hold'em: the same hands with the luck of cards and of known players' dice taken out.

    estimator = match_estimator(agents, game)
    play_match(agents, game, hands=10_000, estimators=[estimator])

What is computed is said in `overbet.kernels.aivat_hand`. Agents of the match loop are known; of any other
agent (a person, a third party's program) the strategy is not, and a model stands in for it in the value
function: the estimate stays unbiased, it varies more. `known` leaves strategies out on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from overbet.agents.compiled import CompiledAgent, match_of
from overbet.agents.protocol import Agent
from overbet.agents.registry import name_of
from overbet.agents.scripted import rules_agent
from overbet.blueprint.cards import pair_table
from overbet.cards.combos import CLASSES, class_of_combos, combo_masks, combo_table, combos_of_class
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels import holdem_layout as at
from overbet.kernels.agents_scripted import KIND, RANDOM_CHIPS
from overbet.kernels.aivat_hand import (
    Places,
    Plan,
    Played,
    deal_block,
    gather_hands,
    look_from,
    plan_deals,
    plan_hands,
)
from overbet.kernels.aivat_street import Minds, new_look
from overbet.kernels.lbr_play import pages_of
from overbet.kernels.match_play import BOOKS

Floats = npt.NDArray[np.float64]
RATE, SAMPLES = 0.8, 24  # boards drawn for a street's mean: for each big blind in the pot, and at most
SLOPES = (0.0, 3.0, 2.5, 2.0)  # of the part of the value that is taken exactly, by street
GAINS = (2.0, 1.0, 0.5, 0.0)  # by street
_PLACES = 2048  # looked from at a time
_NOTHING = np.zeros((1, 1), np.int64)


class MatchAivat:
    """Estimates hands of one table. `known`: slots whose strategies are used; None is all that can be."""

    name = "aivat"

    def __init__(
        self,
        agents: Sequence[Agent],
        game: HoldemGame,
        known: Iterable[int] | None = None,
        rate: float = RATE,
        samples: int = SAMPLES,
        slopes: Sequence[float] = SLOPES,
        gains: Sequence[float] = GAINS,
    ) -> None:
        if samples < 1:
            raise ConfigError(f"at least one board has to be drawn for a street; {samples} asked for")
        self.game = game
        slots = [agents[slot % len(agents)] for slot in range(game.num_players)]
        self.slots = tuple(slots)
        able = [isinstance(one, CompiledAgent) and one.row[KIND] != RANDOM_CHIPS for one in slots]
        wanted = range(len(slots)) if known is None else list(known)
        if not set(wanted) <= set(range(len(slots))):
            raise ConfigError(f"known slots are 0 to {len(slots) - 1}, not {sorted(set(wanted))}")
        self.known = np.array([slot in wanted and able[slot] for slot in range(len(slots))])
        model = rules_agent("tag")
        rows = [one if known_one else model for one, known_one in zip(slots, self.known)]
        self._match = match_of([one for one in rows if isinstance(one, CompiledAgent)] + [model], game, 0)
        pages = pages_of(self._match.one), pages_of(self._match.two)
        self._minds = Minds(
            self._match.rows, self._match.fallback, *pages, self._match.used, np.array(gains, np.float64)
        )
        self._plan = Plan(
            known=self.known,
            model=len(slots),
            rate=rate,
            samples=samples,
            slope=np.array(slopes, np.float64),
            pairs=pair_table(),
            classes=class_of_combos().copy(),
            base=np.zeros((1, 1, 1, 1)),
            tilt=np.zeros((1, 1, 1, 1)),
            mean=np.zeros((1, 1)),
        )
        if len(slots) == 2:
            base, tilt, mean = self._deals()
            self._plan = self._plan._replace(base=base, tilt=tilt, mean=mean)

    def estimate(self, block: PlayedBlock) -> Floats:
        """Return the estimate of chips won: [hand, slot] float64."""
        players = self.game.num_players
        hands = np.arange(len(block.won), dtype=np.int64)
        cards = np.empty((len(hands), 2 * players + 5), np.int64)
        deal_block(block.seed, block.first_group, players, cards)
        number = block.first_group * players + hands
        return self._estimate(
            Played(cards, number, hands % players, block.won, block.starts, block.moves), block.seed
        )

    def estimate_hand(self, final: HoldemState, agents: Sequence[Agent], seed: int, hand: int) -> Floats:
        """Return the estimate of one finished hand, all cards seen: [player] float64 chips.

        agents: who played for each player, the same as those of this estimator in some rotation; seed,
        hand: what the random numbers of its agents were named by.
        """
        players = self.game.num_players
        rotation = self._rotation(agents)
        vector = final.vector
        holes = vector[at.HOLE : at.HOLE + 2 * players]
        board = np.where(vector[at.BOARD : at.COMING] >= 0, vector[at.BOARD : at.COMING], vector[at.COMING :])
        cards = np.concatenate([holes, _completed(board, holes)])
        moves = np.array([action for _, _, action in final.history], np.int64)
        slots = (np.arange(players) + rotation) % players
        won = np.zeros((1, players), np.int64)
        won[0, slots] = np.array(final.returns(), np.int64)
        played = Played(
            cards[None].astype(np.int64),
            np.array([hand]),
            np.array([rotation]),
            won,
            np.array([0, len(moves)]),
            moves,
        )
        found: Floats = self._estimate(played, seed)[0, slots]
        return found

    def _estimate(self, played: Played, seed: int) -> Floats:
        players = self.game.num_players
        out = played.won.astype(np.float64)
        match = self._match._replace(seed=seed)
        longest = int(np.diff(played.starts).max(initial=0)) + 3 * self._plan.samples + 1
        places, look = _places(max(_PLACES, longest), players), new_look(players)
        hand = 0
        while hand < len(out):
            hand, count = plan_hands(match, self._plan, played, hand, places)
            look_from(match, self._minds, self._plan, look, played, places, count)
            gather_hands(match.root, self._plan, played, places, count, out)
        return out

    def _rotation(self, agents: Sequence[Agent]) -> int:
        """Return the rotation in which the slots sit as these players."""
        players = self.game.num_players
        for rotation in range(players):
            sitting = [self.slots[(player + rotation) % players] for player in range(players)]
            if all(one is other or name_of(one) == name_of(other) for one, other in zip(sitting, agents)):
                return rotation
        raise ConfigError("these are not the agents of this estimator: make one for them")

    def _deals(self) -> tuple[Floats, Floats, Floats]:
        """Return u of every pair of classes, as a line in the equity, and its exact mean over all deals."""
        places, look = _places(CLASSES * CLASSES, 2), new_look(2)
        found = np.zeros((2, 2, CLASSES, CLASSES, 2))  # rotation; at equity 0 or 1
        for rotation in range(2):
            played = Played(_NOTHING, _NOTHING[0], np.array([rotation]), _NOTHING, _NOTHING[0], _NOTHING[0])
            plan_deals(self._match, _hands_of_classes(), places)
            for end in range(2):
                # the look is linear in the equity: two equities tell all
                level = self._plan._replace(pairs=np.full((1326, 1326), end, np.float32))
                look_from(self._match, self._minds, level, look, played, places, CLASSES * CLASSES)
                found[rotation, end] = places.value.reshape(CLASSES, CLASSES, 2)
        base, tilt = found[:, 0].copy(), found[:, 1] - found[:, 0]
        weight, equity = _class_pairs()
        mean = (weight[..., None] * base + (weight * equity)[..., None] * tilt).sum((1, 2))
        return base, tilt, mean


def _completed(board: npt.NDArray[np.int64], holes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the board with any other cards where none is known: a hand that ended before never saw them."""
    taken = {*holes.tolist(), *board.tolist()}
    free = (card for card in range(52) if card not in taken)
    return np.array([card if card >= 0 else next(free) for card in board.tolist()], np.int64)


def _places(count: int, players: int) -> Places:
    return Places(
        state=np.zeros((count, at.SIZE), np.int64),
        book=np.zeros((count, BOOKS), np.int64),
        inner=np.zeros((count, BOOKS, at.SIZE), np.int64),
        hand=np.zeros(count, np.int64),
        kind=np.zeros(count, np.int64),
        action=np.zeros(count, np.int64),
        fresh=np.zeros(count, np.bool_),
        value=np.zeros((count, players)),
        chosen=np.zeros((count, players)),
        equity=np.zeros(count),
    )


def match_estimator(agents: Sequence[Agent], game: HoldemGame) -> MatchAivat:
    """Return AIVAT for a match of these agents, with every strategy known that can be."""
    return MatchAivat(agents, game)


def _hands_of_classes() -> npt.NDArray[np.int64]:
    """Return some hands of every class: [169, 6, 2] int64, so that two classes always have hands apart."""
    table = combo_table().astype(np.int64)
    return np.array([[table[c] for c in (combos_of_class(i) * 6)[-6:]] for i in range(CLASSES)])


def _class_pairs() -> tuple[Floats, Floats]:
    """Return the probability and the mean equity of every pair of classes: [169, 169] float64 each."""
    member = np.zeros((len(combo_table()), CLASSES))
    member[np.arange(len(member)), class_of_combos()] = 1.0
    apart = ((combo_masks()[:, None] & combo_masks()[None]) == 0).astype(np.float64)
    pairs = member.T @ apart @ member
    equity = member.T @ (apart * pair_table()) @ member / pairs
    return pairs / pairs.sum(), equity
