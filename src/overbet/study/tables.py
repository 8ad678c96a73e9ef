"""Tables to play at: a person against agents, each hand a function of (seed, number, actions).

A table on disk is its seed, its opponent and the actions of every hand; cards and the opponents' choices
follow from them. The person sits on seat 0; the button moves on by one seat a hand. Heads up stacks are the
same at the start of every hand, so that hands are comparable and the result has an interval. An Expresso is
one tournament: stacks carry over and blinds rise until the person is out or has all the chips.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Protocol

from overbet.agents.any_stacks import AnyStacksAgent, Source, tournament_player
from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Agent, Observation, play_for, prepare
from overbet.agents.registry import make_agent, name_of
from overbet.blueprint.query import Blueprint
from overbet.errors import OverbetError
from overbet.evaluation.statistics import Estimate, interval_of
from overbet.games.expresso import SEATS, ExpressoGame, ExpressoState, expresso_game
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.study.errors import NotNowError, StudyError
from overbet.study.records import TableRecord, TournamentRecord
from overbet.study.review import MOST_RUNS, ReviewedDecision
from overbet.study.search_budget import NO_BUDGET, SEARCH, SearchBudget
from overbet.study.sitting import HERO, Sitting, dice, player_of, seat_of
from overbet.study.thoughts import Thinking, ThinkingAgent, ThinkingLook
from overbet.study.tournament_review import review_tournament_hand
from overbet.study.tournament_thinking import TournamentThinker
from overbet.study.tournaments import after_hand, place_words, played, result_buy_ins

Kind = Literal["heads-up", "expresso"]
GAMES: dict[Kind, HoldemGame] = {
    "heads-up": HoldemGame(2, stacks=10_000, blinds=(50, 100)),
    "expresso": HoldemGame(3, stacks=500, blinds=(10, 20), full_blind=True),
}
SCRIPTED = {
    "tag": "tight and aggressive",
    "lag": "loose and aggressive",
    "always-call": "calls every bet",
    "equity": "plays by equity alone",
    "random": "any action, at random",
}
_HANDS = 100_000


@dataclass
class TableHand:
    """A finished hand. won, adjusted: the person's chips; adjusted (AIVAT) is None where it is not known."""

    actions: list[int]
    won: int
    adjusted: float | None = None


@dataclass
class Tournament:
    """What a table that is an Expresso keeps besides its hands.

    multiplier: the prize in buy-ins; drawn: whether it was drawn, or chosen. sources: what the opponents'
    decisions came from. place, buy_ins: of the person, once that is settled.
    """

    multiplier: float
    drawn: bool
    sources: Counter[Source] = field(default_factory=Counter)
    place: str = ""
    buy_ins: float | None = None

    @property
    def rules(self) -> ExpressoGame:
        """The structure and the prizes."""
        return expresso_game(multiplier=self.multiplier, pays="prize")


@dataclass
class StudyTable:
    """A table. actions: of the hand being played, None between hands. budget: of an opponent who searches.

    tournament: of an Expresso; None heads up, and at tables of an earlier kind, where every hand was a first
    hand.
    """

    id: str
    kind: Kind
    opponent: str
    created: str
    seed: int
    hands: list[TableHand] = field(default_factory=list)
    actions: list[int] | None = None
    budget: SearchBudget = NO_BUDGET
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    reviews: dict[int, list[ReviewedDecision]] = field(default_factory=dict, repr=False)
    thinking: Thinking = field(default_factory=Thinking, repr=False)
    tournament: Tournament | None = None
    _course: list[ExpressoState] = field(default_factory=list, repr=False)

    @property
    def game(self) -> HoldemGame:
        """The rules and stacks, of the hand being played or the last one."""
        return GAMES[self.kind] if self.tournament is None else self.start(self.number).hand.game

    @property
    def seats(self) -> int:
        """How many seats there are, also of players who are out."""
        return GAMES[self.kind].num_players

    @property
    def finished(self) -> bool:
        """Whether no more hands are played here."""
        return self.tournament is not None and self.tournament.buy_ins is not None

    def start(self, number: int) -> ExpressoState:
        """Return the tournament at the beginning of a hand, or after the last one."""
        assert self.tournament is not None
        if not self._course:
            self._course.append(self.tournament.rules.first_hand(self.seed))
        while len(self._course) <= number:
            place = len(self._course) - 1
            self._course.append(after_hand(self._course[place], self.hands[place].actions))
        return self._course[number]

    @property
    def number(self) -> int:
        """The hand being played, or the last one."""
        return len(self.hands) if self.actions is not None else max(0, len(self.hands) - 1)

    def dice(self, number: int) -> int:
        """Return the number by which a hand's random choices are named: deal n in rotation n of a match."""
        return dice(number, self.seats) if self.tournament is None else number

    def player_of(self, seat: int, number: int) -> int:
        """Return which player of the rules a seat is in a hand; -1 where its player is out."""
        if self.tournament is None:
            return player_of(seat, number, self.seats)
        order = self.start(number).order
        return order.index(seat) if seat in order else -1

    def seat_of(self, player: int, number: int) -> int:
        """Return the seat of a player of the rules in a hand."""
        if self.tournament is None:
            return seat_of(player, number, self.seats)
        return self.start(number).order[player]

    def state(self, number: int, actions: Sequence[int]) -> HoldemState:
        """Return where a hand stands after its actions."""
        if self.tournament is not None:
            return played(self.start(number).hand, actions)
        return played(self.game.deal(self.seed, number), actions)

    def record(self) -> dict[str, Any]:
        """Return what is kept on disk."""
        hands = [{"actions": hand.actions, "won": hand.won, "adjusted": hand.adjusted} for hand in self.hands]
        kept = {key: getattr(self, key) for key in ("id", "kind", "opponent", "created", "seed", "actions")}
        budget = {key: value for key, value in self.budget._asdict().items() if value is not None}
        found = {"version": 1, **kept, **budget, "hands": hands}
        if self.tournament is not None:
            found["tournament"] = {**vars(self.tournament), "sources": dict(self.tournament.sources)}
        return found

    @classmethod
    def of_record(cls, record: Any) -> StudyTable:
        """Return the table of a record; `ValueError` where it is none."""
        found = TableRecord.model_validate(record)
        hands = [TableHand(hand.actions, hand.won, hand.adjusted) for hand in found.hands]
        budget = SearchBudget(found.seconds, found.iterations)
        return cls(
            found.id,
            found.kind,
            found.opponent,
            found.created,
            found.seed,
            hands,
            found.actions,
            budget,
            tournament=_tournament(found.tournament),
        )


def _tournament(record: TournamentRecord | None) -> Tournament | None:
    if record is None:
        return None
    sources: Counter[Source] = Counter(record.sources)
    return Tournament(record.multiplier, record.drawn, sources, record.place, record.buy_ins)


class BlueprintFacts(Protocol):
    """What is known of a blueprint without opening it. facts: `players`, `stack_bb`, ...; error: or None."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def facts(self) -> dict[str, Any]:
        """What its file says."""

    @property
    def error(self) -> str | None:
        """Why it cannot be used."""


class TableBlueprints(Protocol):
    """Where blueprints come from, by id."""

    def all(self) -> Sequence[BlueprintFacts]:
        """Return those there are."""

    def get(self, name: str) -> BlueprintFacts:
        """Return one."""

    def open(self, name: str) -> Blueprint:
        """Open one."""


MakeThinker = Callable[[str, CompiledAgent, SearchBudget], ThinkingAgent]


class TableOpponents:
    """Who can be played against, by id: `tag`, ..., every blueprint that fits a table, and search with it."""

    def __init__(self, blueprints: TableBlueprints, thinker: MakeThinker | None = None) -> None:
        """Take thinker: makes one who searches, of a blueprint's id, its agent and a budget; None: nobody."""
        self._blueprints, self._thinker = blueprints, thinker
        self._agent = lru_cache(8)(self._load)

    def kinds(self, name: str) -> list[Kind]:
        """Return the tables an opponent can sit at."""
        if name in SCRIPTED:
            return list(GAMES)
        if name.startswith(SEARCH):
            return self.kinds(name.removeprefix(SEARCH)) if self._thinker else []
        facts = self._blueprints.get(name).facts
        return [
            kind
            for kind, game in GAMES.items()
            if facts.get("players") == game.num_players
            and facts.get("stack_bb") == [stack / game.big_blind for stack in game.start]
        ]

    def seated(self, table: StudyTable) -> Agent:
        """Return the opponent of a table."""
        found = self.agent(table.opponent, table.kind, table.budget)
        if table.tournament is None:
            return found
        if isinstance(found, ThinkingAgent):
            return TournamentThinker(found, self._heads_up_thinker(table.budget))
        return tournament_player(found)

    def _heads_up_thinker(self, budget: SearchBudget) -> ThinkingAgent | None:
        """Return who searches when two are left in an Expresso, with the first blueprint that can."""
        for entry in self._blueprints.all():
            name = f"{SEARCH}{entry.id}"
            if entry.error is None and "heads-up" in self.kinds(name):
                found = self.agent(name, "heads-up", budget)
                if isinstance(found, ThinkingAgent):
                    return found
        return None

    def agent(self, name: str, kind: Kind, budget: SearchBudget = NO_BUDGET) -> Agent:
        """Return an opponent ready for a table. budget: of one who searches."""
        if name not in SCRIPTED and kind not in self.kinds(name):
            raise StudyError(f"{name} was not made for this table; choose another opponent", "opponent")
        if name.startswith(SEARCH) and self._thinker:
            blueprint = name.removeprefix(SEARCH)
            return self._thinker(blueprint, self.compiled(blueprint, kind), budget)
        return self.compiled(name, kind)

    def compiled(self, name: str, kind: Kind) -> CompiledAgent:
        """Return a scripted agent or a blueprint, ready for a table."""
        found = self._agent(name)
        try:
            prepare(found, GAMES[kind])
        except OverbetError as error:
            raise StudyError(str(error), "opponent") from error
        return found

    def adviser(self, name: str, kind: Kind) -> CompiledAgent:
        """Return who says what should have been done: the opponent if a blueprint, or one that fits."""
        if name not in SCRIPTED:
            return self.compiled(name.removeprefix(SEARCH), kind)
        for blueprint in self._blueprints.all():
            if blueprint.error is None and kind in self.kinds(blueprint.id):
                return self.compiled(blueprint.id, kind)
        return self.compiled(name, kind)

    def _load(self, name: str) -> CompiledAgent:
        if name in SCRIPTED:
            found = make_agent(name)
        else:
            from overbet.agents.blueprint import agent_maker

            found = agent_maker(self._blueprints.open(name))(name)
        if not isinstance(found, CompiledAgent):
            raise StudyError(f"{name} cannot be played against here", "opponent")
        return found


class Play:
    """What happens at tables. runs: how often an action is played on at most for a verdict."""

    def __init__(self, opponents: TableOpponents, runs: int = MOST_RUNS) -> None:
        self.opponents, self.runs = opponents, runs

    def deal(self, table: StudyTable) -> None:
        """Begin the next hand and let the others act up to the person's first decision."""
        if table.actions is not None:
            raise NotNowError("the hand is not over; act first")
        if table.finished:
            raise NotNowError("this Expresso is over; open another")
        if len(table.hands) >= _HANDS:
            raise NotNowError(f"a table has at most {_HANDS:,} hands; open another")
        table.actions = []
        self._go_on(table)

    def act(self, table: StudyTable, action: int) -> None:
        """Take the person's action, and let the others act."""
        if table.actions is None:
            raise NotNowError("no hand is being played; deal one")
        state = table.state(table.number, table.actions)
        try:
            state.apply(action)
        except OverbetError as error:
            raise StudyError(str(error), "action") from error
        table.actions.append(action)
        self._go_on(table)

    def sitting(self, table: StudyTable) -> Sitting:
        """Return who sits at a table."""
        return Sitting(table.game, table.seed, [self.opponents.seated(table)])

    def review(self, table: StudyTable, number: int) -> tuple[list[ReviewedDecision], str]:
        """Return the person's decisions in a finished hand, judged, and who judged."""
        adviser = self.opponents.adviser(table.opponent, table.kind)
        if number not in table.reviews:
            final = table.state(number, table.hands[number].actions)
            if table.tournament is None:
                table.reviews[number] = self.sitting(table).review(final, number, adviser, self.runs)
            else:
                seated = self.opponents.seated(table)
                if isinstance(seated, ThinkingAgent):  # its blueprint plays on
                    seated = tournament_player(seated.blueprint)
                others = [seated] * (SEATS - 1)
                start = table.start(number)
                table.reviews[number] = review_tournament_hand(
                    start, final, others, adviser, table.seed, self.runs
                )
        return table.reviews[number], name_of(adviser)

    def _go_on(self, table: StudyTable) -> None:
        assert table.actions is not None
        number, hero = table.number, table.player_of(HERO, table.number)
        agent = self.opponents.seated(table)
        state = table.state(number, table.actions)
        if table.tournament is not None:  # an opponent may sit at several tables
            play_for([agent], table.tournament.rules.prizes)
        while not state.is_terminal() and state.current_player() != hero:
            action = _action(agent, table, Observation.of(state, table.seed, table.dice(number)))
            if table.tournament is not None and isinstance(agent, AnyStacksAgent | TournamentThinker):
                table.tournament.sources[agent.source] += 1
            table.actions.append(action)
            state = state.apply(action)
        if state.is_terminal():
            table.hands.append(TableHand(table.actions, int(state.returns()[hero])))
            table.actions = None
            if table.tournament is not None:
                after = table.start(len(table.hands))
                table.tournament.place = place_words(after)
                table.tournament.buy_ins = result_buy_ins(after)


def _action(agent: Agent, table: StudyTable, observation: Observation) -> int:
    """Return what an opponent does; one who searches is watched meanwhile."""
    if not isinstance(agent, ThinkingAgent) or not agent.searches(observation.state):
        return agent.act(observation)
    thinking, street = table.thinking, observation.state.street
    thinking.begin(table.number, table.actions or ())
    looks = thinking.looks
    try:
        action, thought = agent.think(
            table, observation, lambda look: looks.append(ThinkingLook(street, *look[:3]))
        )
    except BaseException:
        thinking.end(None)
        raise
    thinking.end(thought)
    return action


def result_of(table: StudyTable, *, adjusted: bool) -> Estimate | None:
    """Return the person's result in mbb a hand with its interval.

    adjusted: by AIVAT, over the hands that have such an estimate. A tournament has none: its blinds rise,
    and what counts are buy-ins.
    """
    if table.tournament is not None:
        return None
    values = [hand.adjusted if adjusted else float(hand.won) for hand in table.hands]
    known = [1000.0 * value / table.game.big_blind for value in values if value is not None]
    return interval_of(known) if known else None
