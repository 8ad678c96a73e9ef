"""AIVAT for matches of hold'em: the same hands with the luck of cards and of known players' dice taken out.

    estimator = match_estimator(agents, game)
    play_match(agents, game, hands=10_000, estimators=[estimator])

What is computed is said in `overbet.kernels.aivat.hand`. Agents of the match loop are known; of any other
agent (a person, a third party's program) the strategy is not, and models stand in for it in the value
function: the estimate stays unbiased, it varies more. `known` leaves strategies out on purpose.

The terms of a hand each have mean zero, and so has any constant times each. Heads up with both known the
constants are those under which hands that the agents play for practice, on a seed of its own, vary least:
what bets of later streets add to a lead depends on who plays.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.agents.compiled import CompiledAgent, match_of
from overbet.agents.protocol import Agent
from overbet.agents.registry import make_agent, name_of
from overbet.ahead import share_out
from overbet.blueprint.cards import pair_table
from overbet.cards.combos import CLASSES, class_of_combos, combo_masks, combo_table, combos_of_class
from overbet.errors import ConfigError
from overbet.evaluation.aivat_call import arguments, calls_of_match, plan_of, space_of, tables_of
from overbet.evaluation.match_blocks import PlayedBlock, compiled_match, play_compiled
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.agents.scripted import KIND, RANDOM_CHIPS
from overbet.kernels.aivat.hand import (
    ALL_IN,
    DEALS,
    DECISIONS,
    HANDS,
    LINEAR,
    START,
    Played,
    Workspace,
    deal_block,
    work,
)
from overbet.kernels.aivat.tree import AgentTables
from overbet.kernels.holdem import layout as at
from overbet.kernels.holdem.play import give_cards
from overbet.kernels.match.play import Match

Floats = npt.NDArray[np.float64]
RATE = (0.0, 1.6, 1.0, 1.0)  # by street, boards drawn for its mean for each big blind in the pot
RATE_OF_MORE = 0.3  # the same with more than two players: on every street, and one board at least
SAMPLES = 20  # and at most
LIGHT = 20.0  # actions weighed in a look up to which boards are drawn at that rate
SLOPES = (0.0, 3.0, 2.5, 2.0)  # of the part of the value that is taken exactly, by street
GAINS = (2.0, 1.0, 0.5, 0.0)  # by street
MODELS = {"tag": 0.25, "random": 0.75}  # of a player who is not known, heads up, and their shares
UNKNOWN, UNKNOWN_LINEAR = 0.8, (3.5, 2.8, 1.9)  # weights where not everybody is known
PRACTICE = 5000  # deals that weights are fitted on
_PRACTICE_SEED = 0x5EED_0F_A1AA7
_SHRINK = 0.03  # of weights towards the given ones
_CHUNK = 4096  # hands whose terms are held at a time


class MatchAivat:
    """Estimates hands of one table. `known`: slots whose strategies are used; None is all that can be."""

    name = "aivat"

    def __init__(
        self,
        agents: Sequence[Agent],
        game: HoldemGame,
        known: Iterable[int] | None = None,
        rate: float | Sequence[float] | None = None,
        samples: int = SAMPLES,
        slopes: Sequence[float] = SLOPES,
        gains: Sequence[float] = GAINS,
        practice: int = PRACTICE,
        model: str | None = None,
    ) -> None:
        if samples < 1:
            raise ConfigError(f"at least one board has to be drawn for a street; {samples} asked for")
        if rate is None:
            rate = RATE if game.num_players == 2 else RATE_OF_MORE
        self.game = game
        slots = [agents[slot % len(agents)] for slot in range(game.num_players)]
        self.slots = tuple(slots)
        able = [isinstance(one, CompiledAgent) and one.row[KIND] != RANDOM_CHIPS for one in slots]
        wanted = range(len(slots)) if known is None else list(known)
        if not set(wanted) <= set(range(len(slots))):
            raise ConfigError(f"known slots are 0 to {len(slots) - 1}, not {sorted(set(wanted))}")
        self.known = np.array([slot in wanted and able[slot] for slot in range(len(slots))])
        # who is not known may fold too much or too little: a mean of estimates is an estimate
        self._models: tuple[MatchAivat, ...] = ()
        if model is None and not self.known.all() and len(slots) == 2:
            options = (rate, samples, slopes, gains, practice)
            self._models = tuple(MatchAivat(agents, game, known, *options, one) for one in MODELS)
            return
        stand_in = make_agent(model or "tag")
        rows = [one if known_one else stand_in for one, known_one in zip(slots, self.known)]
        self._match = match_of([one for one in [*rows, stand_in] if isinstance(one, CompiledAgent)], game, 0)
        self._agent_tables = tables_of(self._match, gains, len(slots))
        self._plan = plan_of(self.known, rate, samples, slopes)
        self._root = self._match.root.copy()
        give_cards(self._root, np.arange(2 * len(slots) + 5))
        self._local = threading.local()
        self.weights = np.ones(DECISIONS + 4 * len(slots))
        self.weights[LINEAR : LINEAR + 3] = self._plan.slope[1:]
        share_out(*calls_of_match(self._match, len(slots)))
        if len(slots) == 2 and self._root[at.ACTOR] >= 0:
            base, tilt, mean = self._deals()
            looks, weighed = self._space()[1].walk.look
            dear = max(1.0, weighed / looks / LIGHT)  # a board costs that much more: fewer are drawn
            self._plan = self._plan._replace(
                base=base, tilt=tilt, mean=mean, rate=self._plan.rate / dear**0.5
            )
            if practice > 0 and self.known.all():
                self.weights = self._fitted(practice)
            elif practice > 0:
                self.weights[ALL_IN + 1 :] = UNKNOWN
                self.weights[LINEAR : LINEAR + 3] = UNKNOWN_LINEAR

    def __getstate__(self) -> dict[str, Any]:
        """Travel without what threads work with, and without the agents, which hold files open."""
        kept = {name: value for name, value in self.__dict__.items() if name != "_local"}
        return {**kept, "slots": ()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _local=threading.local())

    def estimate(self, block: PlayedBlock) -> Floats:
        """Return the estimate of chips won: [hand, slot] float64."""
        return self._estimate(self._played(block), block.seed)

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
        out = played.won.astype(np.float64)
        if self._models:
            out[:] = 0.0
            for one, share in zip(self._models, MODELS.values()):
                out += share * one._estimate(played, seed)
            return out
        for begin in range(0, len(out), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            chunk = played._replace(
                cards=played.cards[part],
                number=played.number[part],
                rotation=played.rotation[part],
                won=played.won[part],
                starts=played.starts[begin : begin + _CHUNK + 1],
            )
            out[part] += np.einsum("hts,t->hs", self._terms(chunk, seed), self.weights)
        return out

    def _terms(self, played: Played, seed: int) -> Floats:
        """Return the terms of hands: [hand, terms, slot] float64."""
        self._space()
        terms = np.zeros((len(played.won), len(self.weights), self.game.num_players))
        match = self._match._replace(seed=seed)
        done = 0
        while done < len(terms):
            done = self._work(HANDS, match=match, played=played, begin=done, terms=terms)
            if done < len(terms):
                self._work(START)
        return terms

    def _work(self, what: int, match: Match | None = None, **given: Any) -> int:
        """Have the kernel do one of its works; given: what that one needs."""
        thread, players = self._local, self.game.num_players
        fixed = thread.agent_tables, self._plan, thread.space, self._root, players, len(self.weights)
        return int(work(*arguments(what, match or self._match, *fixed, **given)))

    def _space(self) -> tuple[AgentTables, Workspace]:
        """Return what this thread looks ahead with."""
        if not hasattr(self._local, "space"):
            players = self.game.num_players
            self._local.agent_tables = self._agent_tables._replace(agents=np.zeros(players, np.int64))
            self._local.space = space_of(self._match, players, self._plan.samples)
            self._work(START)
        return self._local.agent_tables, self._local.space

    def _fitted(self, deals: int) -> Floats:
        """Return the weights under which hands that these agents play for practice vary least."""
        match = compiled_match(self.slots, self.game, _PRACTICE_SEED)
        if match is None:
            return self.weights
        block = play_compiled(match, self.game, self.slots, 0, deals)
        terms = self._terms(self._played(block), block.seed)[:, :, 0]
        fixed = self.weights.copy()
        rest = block.won[:, 0] + terms @ fixed
        terms = terms[:, ALL_IN + 1 :] - terms[:, ALL_IN + 1 :].mean(0)
        # the rest is made smaller by changes of the weights, which cost as so many more hands would
        square = terms.T @ terms
        size = np.diag(square)
        held = size > 1e-9 * size.max(initial=1.0)
        change = np.zeros(len(size))
        if held.any():
            system = square[np.ix_(held, held)] + np.diag(_SHRINK * size[held])
            change[held] = np.linalg.solve(system, terms[:, held].T @ (rest - rest.mean()))
        fixed[ALL_IN + 1 :] -= change
        return fixed

    def _played(self, block: PlayedBlock) -> Played:
        players = self.game.num_players
        hands = np.arange(len(block.won), dtype=np.int64)
        cards = np.empty((len(hands), 2 * players + 5), np.int64)
        deal_block(block.seed, block.first_group, players, cards)
        number = block.first_group * players + hands
        return Played(cards, number, hands % players, block.won, block.starts, block.moves)

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
        found = np.zeros((2, 2, CLASSES, CLASSES))  # rotation; at equity 0 or 1
        self._space()
        self._work(DEALS, hands=_hands_of_classes(), out=found)
        base, tilt = found[:, 0].copy(), found[:, 1] - found[:, 0]
        weight, equity = _class_pairs()
        return base, tilt, (weight * base + weight * equity * tilt).sum((1, 2))


def _completed(board: npt.NDArray[np.int64], holes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the board with any other cards where none is known: a hand that ended before never saw them."""
    taken = {*holes.tolist(), *board.tolist()}
    free = (card for card in range(52) if card not in taken)
    return np.array([card if card >= 0 else next(free) for card in board.tolist()], np.int64)


def match_estimator(agents: Sequence[Agent], game: HoldemGame) -> MatchAivat:
    """Return AIVAT for a match of these agents, with every strategy known that can be."""
    return MatchAivat(agents, game)


def _hands_of_classes() -> npt.NDArray[np.int64]:
    """Return some hands of every class: [169, 6, 2] int64, so that two classes always have hands apart."""
    table = combo_table().astype(np.int64)
    return np.array([[table[c] for c in (combos_of_class(i) * 6)[-6:]] for i in range(CLASSES)])


def _class_pairs() -> tuple[Floats, Floats]:
    """Return the probability and the mean equity of every pair of classes: [169, 169] float64 each."""
    order = np.argsort(class_of_combos(), kind="stable")
    starts = np.searchsorted(class_of_combos()[order], np.arange(CLASSES))
    masks = combo_masks()[order]
    apart = ((masks[:, None] & masks[None]) == 0).astype(np.float64)

    def by_class(values: Floats) -> Floats:
        found: Floats = np.add.reduceat(np.add.reduceat(values, starts, 0), starts, 1)
        return found

    pairs = by_class(apart)
    equity = by_class(apart * pair_table()[np.ix_(order, order)]) / pairs
    return pairs / pairs.sum(), equity
