"""The shapes of the hands that people played: imports, the list, a hand step by step, what it was worth."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overbet.interfaces.web.folder import ID
from overbet.interfaces.web.models.solving import Model, Number, Solve
from overbet.interfaces.web.work.jobs import Status

Filter = Annotated[str, Field(max_length=2000)]


class UploadShown(Model):
    """Where to send files. piece_bytes: of one piece; bytes, files: of all together."""

    id: str
    piece_bytes: int
    bytes: int
    files: int


class NewImport(Model):
    """Start the import of an upload. passed_over: files that were not sent, because they hold no hands."""

    upload: str = Field(pattern=ID)
    hash_names: bool = False
    passed_over: int = Field(default=0, ge=0, le=10_000_000)


class ImportFault(Model):
    """A hand that was left out, and why."""

    file: str
    hand: str
    line: int
    reason: str


class ImportReportShown(Model):
    """What came of an import: total = new + duplicates + other games + errors."""

    files: int
    unchanged: int
    passed_over: int
    total: int
    new: int
    duplicates: int
    games: dict[str, int]
    errors: int
    faults: list[ImportFault]
    seconds: float


class ImportPace(Model):
    """How far an import is."""

    share: float
    files_done: int
    files: int
    hands: int
    seconds: float
    seconds_left: Number = None


class HandImport(Model):
    """An import. report: what came of it so far."""

    id: str
    name: str
    created: str
    status: Status
    error: str | None
    stopping: bool
    queue_place: int | None
    hash_names: bool
    resumable: bool
    now: ImportPace | None
    report: ImportReportShown | None


class HandImports(Model):
    """Imports, newest first."""

    imports: list[HandImport]


class HandSummary(Model):
    """What is in the database. heroes: whether any hand has one; priced: decisions with an EV loss."""

    hands: int
    bytes: int
    heroes: bool
    reviewed: int
    priced: int


class FilterWord(Model):
    """A word or a field of the filter and what it means; example: of a field."""

    name: str
    about: str
    field: bool


class FilterWords(Model):
    """All of them."""

    words: list[FilterWord]


class FilterChecked(Model):
    """Whether a filter can be read. place, length: of what cannot, in letters."""

    error: str | None
    place: int | None
    length: int | None


class HandCount(Model):
    """How many rows a filter leaves."""

    rows: int


class HandListed(Model):
    """A hand as one player saw it, chips of the record. unit: chips of one of the hand's money."""

    id: int
    site: str
    played: int | None
    format: str
    currency: str
    unit: int
    small_blind: int
    big_blind: int
    players: int
    name: str
    hero: bool
    player: int
    position: str
    cards: str | None
    board: str
    depth: int
    pot: int
    net: int
    line: list[str]
    notes: str
    loss_bb: Number


class ListedHands(Model):
    """Some rows of the list; more: whether others follow."""

    rows: list[HandListed]
    more: bool


class ReplaySeat(Model):
    """A player at a moment of a hand."""

    stack: int
    bet: int
    folded: bool
    all_in: bool


class ReplayAction(Model):
    """What somebody did. to: all chips put in on this street, for bets and raises; added: chips put in."""

    player: int
    kind: Literal["fold", "check", "call", "bet", "raise"]
    to: int
    added: int
    all_in: bool
    decision: int | None


class ReplayMoment(Model):
    """A moment of a hand and what led to it: an action, or cards of the board, or the deal."""

    street: str
    board: list[str]
    pot: int
    seats: list[ReplaySeat]
    to_act: int | None
    action: ReplayAction | None


class ReplayPlayer(Model):
    """A player of a hand, from the left of the button. cards: None where nobody saw them."""

    name: str
    position: str
    stack: int
    cards: list[str] | None
    net: int


class VerdictAction(Model):
    """One action that was possible, and how often the strategy takes it."""

    token: str
    name: str
    share: float
    ev_bb: Number
    kind: str


class VerdictShown(Model):
    """What a decision was worth, or why that is not known. openable: its spot can be solved."""

    number: int
    method: str
    source: str
    grade: str | None
    loss_bb: Number
    accuracy_bb: Number
    share: Number
    taken: str | None
    best: str | None
    actions: list[VerdictAction]
    reason: str | None
    openable: bool


class HandReplay(Model):
    """A hand step by step. Players are from the left of the button; hero: who looked on."""

    id: int
    site: str
    number: str
    format: str
    played: str | None
    currency: str
    unit: int
    small_blind: int
    big_blind: int
    hero: int | None
    button: int
    rake: int
    notes: str
    players: list[ReplayPlayer]
    steps: list[ReplayMoment]
    verdicts: list[VerdictShown]


class NewHandReport(Model):
    """Find leaks of a player (the hero unless named), or the opponents, in the hands of a filter."""

    kind: Literal["leaks", "opponents"]
    filter: Filter = ""
    player: str = Field(default="", max_length=200)


class LeakQuestion(Model):
    """How often a player does something at a line, beside the strategy at the same decisions."""

    street: str
    line: str
    split: str
    part: str
    action: str
    decisions: int
    observed: float
    low: Number
    high: Number
    expected: float
    p_value: Number


class LeakFound(LeakQuestion):
    """A line that is not played as the strategy plays it; bb_per_100: what it lost, where it was priced."""

    line_p_value: Number
    per_100_hands: float
    bb_per_100: Number
    bb_per_100_half_width: Number
    priced_share: float
    also: list[LeakQuestion]


class LeaksShown(Model):
    """The leaks of a player, the most expensive first, and what they were looked for in."""

    player: str
    hands: int
    decisions: int
    compared: int
    compared_with: dict[str, int]
    not_compared: dict[str, int]
    priced: int
    level: float
    correction: str
    lines: int
    questions: int
    leaks: list[LeakFound]


class OpponentFrequency(Model):
    """A frequency: the posterior's mean and interval beside the pool's mean."""

    name: str
    hits: int
    chances: int
    mean: float
    low: float
    high: float
    pool: float


class HandOpponent(Model):
    """An opponent. profile: the probability of each kind of player, the likeliest first."""

    name: str
    hands: int
    decisions: int
    profile: dict[str, float]
    frequencies: list[OpponentFrequency]


class OpponentsShown(Model):
    """The opponents with most hands; players: how many there are."""

    players: int
    listed: list[HandOpponent]


class ReportPace(Model):
    """How far a report is, in hands."""

    done: int
    total: int


class HandReport(Model):
    """A report under way or done."""

    id: str
    kind: Literal["leaks", "opponents"]
    created: str
    status: Status
    stage: str
    error: str | None
    stopping: bool
    filter: str
    player: str
    now: ReportPace | None
    leaks: LeaksShown | None
    opponents: OpponentsShown | None


class HandReports(Model):
    """The last report of each kind."""

    leaks: HandReport | None
    opponents: HandReport | None


class NewReview(Model):
    """Price the hero's decisions in the hands of a filter, the largest pots first; limit: so many of them."""

    filter: Filter = ""
    limit: int | None = Field(default=None, ge=1, le=10**9)


class ReviewPace(Model):
    """How far a review is, in decisions. lost_bb: by those priced."""

    done: int
    total: int
    priced: int
    lost_bb: float
    seconds: float
    seconds_left: Number = None


class ReviewResult(Model):
    """What a review did. known: decisions that had a verdict already; left: that are still missing."""

    done: int
    priced: int
    known: int
    left: int
    seconds: float


class ReviewShown(Model):
    """A review under way or over; what it priced is kept hand by hand."""

    id: str
    created: str
    status: Status
    stage: str
    error: str | None
    stopping: bool
    command: str
    filter: str
    now: ReviewPace | None
    result: ReviewResult | None


class LastReview(Model):
    """The last review, if there was one."""

    review: ReviewShown | None


class DecisionSolve(Model):
    """The very spot of a decision as a solve, perhaps under way. line, hand: of the decision in it."""

    solve: Solve
    line: str
    hand: str
