"""The shapes of blueprints, runs, tables and drills."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overbet.interfaces.web.models.solving import Model, Number, Option, Step
from overbet.interfaces.web.models.training import Manifest, RunConfigShown, RunMetrics
from overbet.study.drill_kinds import Facing, PotKind
from overbet.study.mistakes import MistakeAction, MistakeStep
from overbet.study.records import MOST_MULTIPLIER
from overbet.study.search_budget import MOST_ITERATIONS, MOST_SECONDS


class BlueprintShown(Model):
    """A blueprint and how it came about."""

    id: str
    name: str
    origin: Literal["shipped", "own"]
    family: str | None
    paid: int  # places of a tournament with a prize; 1 plays for chips
    tables: Literal["dense", "keyed"]
    players: int | None
    stack_bb: list[float] | None
    big_blind: int | None
    positions: list[str]
    manifest: Manifest
    error: str | None


class Blueprints(Model):
    """All of them."""

    blueprints: list[BlueprintShown]


class PositionAction(Model):
    """Who did what."""

    position: str
    label: str


class BothRanges(Model):
    """The two ranges of a spot in the range language."""

    oop: str
    ip: str


class BlueprintSpotShown(Model):
    """The postflop spot that a line of a blueprint leads to; lists are out of position, then in position.

    board: empty where the cards are still to be named; actions: the betting before it.
    """

    board: str
    street: str
    pot_chips: int
    stacks_chips: list[int]
    big_blind: int
    least_bet_chips: int
    rake_share: float
    rake_cap_chips: float
    positions: list[str]
    ranges: BothRanges
    actions: list[PositionAction]


class RunShown(Model):
    """A training run."""

    id: str
    name: str
    status: Literal["running", "finished", "idle"]
    iterations: int
    goal: int | None
    seconds: Number
    iterations_per_second: Number
    touched: Number
    mean_positive_regret_bb: Number
    exploitability: Number
    checkpoints: int
    blueprint: str | None
    updated: str | None


class Runs(Model):
    """All runs of the data folder."""

    runs: list[RunShown]


class CheckpointShown(Model):
    """A checkpoint of a run."""

    name: str
    iterations: int
    bytes: int
    written: str


class LbrPoint(Model):
    """A lower bound of the exploitability, measured at some point of a run."""

    iterations: int | None
    mbb_per_hand: Number
    low: Number
    high: Number
    time: str


class RunDetail(RunShown):
    """A training run with its course."""

    config: RunConfigShown
    metrics: RunMetrics
    saved: list[CheckpointShown]
    lbr: list[LbrPoint]


class Opponent(Model):
    """Somebody to play against. tables: where they can play; seconds: times a decision to choose from."""

    id: str
    name: str
    kind: Literal["blueprint", "scripted", "search"]
    tables: list[str]
    note: str
    seconds: list[float]


class Opponents(Model):
    """All of them."""

    opponents: list[Opponent]


class NewTable(Model):
    """A table to sit down at. seconds, iterations: the most an opponent who searches takes for a decision.

    multiplier: the prize of an Expresso in buy-ins; drawn where it is left out.
    """

    kind: Literal["heads-up", "expresso"] = "heads-up"
    opponent: str = Field(max_length=80)
    seconds: Annotated[float, Field(ge=0.05, le=MOST_SECONDS, allow_inf_nan=False)] | None = None
    iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] | None = None
    seed: int | None = Field(None, ge=0, lt=2**53)
    multiplier: Annotated[float, Field(ge=1, le=MOST_MULTIPLIER, allow_inf_nan=False)] | None = None


class Act(Model):
    """What the player does: -1 fold, 0 check or call, n bet or raise to n chips on this street."""

    action: int = Field(ge=-1, le=10**12)


class SeatAtTable(Model):
    """A player at the table."""

    seat: int
    name: str
    position: str
    stack_chips: int
    bet_chips: int
    folded: bool
    all_in: bool
    out: bool
    cards: list[str] | None


class PresetBet(Model):
    """A size to click."""

    label: str
    to_chips: int


class LegalShown(Model):
    """What may be done."""

    fold: bool
    check: bool
    call_chips: int
    raise_min: int | None
    raise_max: int | None
    presets: list[PresetBet]


class LogEntry(Model):
    """Something that happened."""

    street: str
    seat: int | None
    text: str
    action: int | None


class HandShown(Model):
    """A hand as the player sees it."""

    number: int
    button: int
    hero: int
    street: str
    board: list[str]
    pot_chips: int
    seats: list[SeatAtTable]
    to_act: int | None
    hero_acts: bool
    legal: LegalShown | None
    log: list[LogEntry]
    over: bool
    won_chips: list[int] | None
    big_blind: int


class ResultShown(Model):
    """How the play goes, in thousandths of a big blind a hand, with 95 % intervals."""

    hands: int
    won_chips: int
    raw_mbb_per_hand: Number
    raw_interval: list[float] | None
    aivat_mbb_per_hand: Number
    aivat_interval: list[float] | None
    confidence: float
    note: str


class TournamentShown(Model):
    """An Expresso. drawn: how the multiplier came about; next_blinds: None at the last level.

    buy_ins: won or lost, once the person is out or has all the chips; sources: what the opponents' decisions
    came from.
    """

    multiplier: float
    drawn: str
    prizes: str
    level: int
    hands_left_at_level: int | None
    next_blinds: list[int] | None
    place: str
    buy_ins: Number
    outcome: str
    sources: str


class TableShown(Model):
    """A table."""

    id: str
    kind: Literal["heads-up", "expresso"]
    opponent: str
    opponent_name: str
    searches: bool
    seconds: Number
    created: str
    big_blind: int
    small_blind: int
    hand: HandShown | None
    result: ResultShown
    finished: bool
    tournament: TournamentShown | None
    note: str


class TableShort(Model):
    """A table in a list. outcome, buy_ins: of an Expresso that is over."""

    id: str
    kind: str
    opponent: str
    created: str
    hands: int
    outcome: str
    buy_ins: Number


class Tables(Model):
    """All tables, newest first."""

    tables: list[TableShort]


class HandShort(Model):
    """A finished hand in a list."""

    number: int
    hole: list[str]
    board: list[str]
    won_chips: int
    big_blind: int
    loss_bb: Number


class Hands(Model):
    """The finished hands, newest first."""

    hands: list[HandShort]


class ReviewChoice(Model):
    """One action the strategy considers. ev_bb: where it can be known."""

    action: int
    label: str
    share: float
    ev_bb: Number


class ReviewEntry(Model):
    """One decision of the player, seen by the strategy."""

    street: str
    board: list[str]
    log_index: int
    action: int
    label: str
    strategy: list[ReviewChoice]
    ev_loss_bb: Number
    grade: str
    accuracy_bb: Number = None
    note: str


class ThoughtShown(Model):
    """What an opponent who searches thought at a decision.

    place: how many actions were taken before it; exploitability: in % of the pot at the beginning of the
    street, None where it was not judged; new: whether it was searched for this decision; fault: why the
    blueprint played; openable: whether its subgame can be studied.
    """

    place: int
    log_index: int
    street: str
    iterations: int
    seconds: float
    exploitability: Number
    new: bool
    fault: str
    openable: bool


class HandReview(Model):
    """A finished hand, its history, what the strategy would have done and what the opponent thought.

    note: why decisions have no verdict, where that is so.
    """

    hand: HandShown
    phh: str
    review: list[ReviewEntry]
    thoughts: list[ThoughtShown]
    note: str


class OpenedSubgame(Model):
    """The subgame of a searched decision as a solve to study, and the line of the decision in it."""

    solve: str
    line: str


class NewQuestion(Model):
    """Where a drill takes its spots from: a solve, a blueprint, one mistake, any mistake not yet mended, or
    what is due in a deck.

    player: oop or ip in a solve, a position at the table of a blueprint. pot: how it was made before the
    flop, in a blueprint.
    """

    solve: Annotated[str, Field(max_length=60)] | None = None
    blueprint: Annotated[str, Field(max_length=60)] | None = None
    mistake: Annotated[str, Field(max_length=60)] | None = None
    mistakes: bool = False
    deck: Annotated[str, Field(max_length=60)] | None = None
    street: Literal["preflop", "flop", "turn", "river"] | None = None
    player: Literal["oop", "ip", "SB", "BB", "BTN"] | None = None
    pot: PotKind | None = None
    facing: Facing | None = None
    line: Annotated[str, Field(max_length=400)] | None = None


class QuestionStep(Step):
    """A step before the question. position: of the player, in a hand of a blueprint."""

    position: str | None = None


class QuestionCard(Model):
    """The card of a deck that a question is. asked: how often it was before; grade: as it was found."""

    deck: str
    name: str
    source: str
    asked: int
    chosen: str
    grade: str


class Question(Model):
    """A decision to take."""

    question: str
    source: str
    line: str
    board: str
    street: str
    hand: str
    player: str
    pot_chips: int
    to_call_chips: int
    behind_chips: int
    big_blind: int
    steps: list[QuestionStep]
    actions: list[Option]
    mistake: str | None = None
    card: QuestionCard | None = None


class Answer(Model):
    """What was chosen."""

    token: str = Field(max_length=20)


class Score(Model):
    """How the drill goes."""

    answered: int
    by_grade: dict[str, int]
    mean_loss_percent_of_pot: Number
    within_solver_error: int


class AnswerAction(Model):
    """An action with what is known of it."""

    token: str
    label: str
    frequency: Number
    ev_chips: Number


class Link(Model):
    """Where to study it."""

    solve: str | None
    blueprint: str | None
    line: str


class Verdict(Model):
    """How good an answer was."""

    grade: Literal["best", "correct", "inaccuracy", "mistake", "blunder", "unclear"]
    within_solver_error: bool
    loss_chips: Number
    loss_percent_of_pot: Number
    best: str
    chosen: str
    actions: list[AnswerAction]
    accuracy_percent_of_pot: Number
    note: str
    score: Score
    link: Link
    due: str | None = Field(None, description="When a card of a deck is asked again; ISO 8601, UTC.")


class MistakeShown(Model):
    """A mistake of the drill with its verdict.

    tries: how often it was asked again; again: the verdict on the last of them; mended: it was best or
    correct. there: whether what it came from still is, so that it can be asked again.
    """

    id: str
    when: str
    solve: str | None
    blueprint: str | None
    source: str
    line: str
    board: str
    street: str
    hand: str
    player: str
    pot: str | None
    facing: str | None
    pot_chips: int
    big_blind: int
    history: list[MistakeStep]
    actions: list[MistakeAction]
    chosen: str
    best: str
    grade: Literal["inaccuracy", "mistake", "blunder"]
    loss_chips: float
    loss_percent_of_pot: float
    tries: int
    again: str | None
    mended: bool
    there: bool


class Mistakes(Model):
    """All mistakes that are kept, the newest first."""

    mistakes: list[MistakeShown]
