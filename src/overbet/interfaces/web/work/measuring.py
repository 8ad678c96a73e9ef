"""What the worker does of the second queue: training, matches, LBR, scorecards.

Each tells its stage, then looks (`done` of `total`, and the figure that matters with its interval), and ends
with rows of results that are in the ledger already. Stopped, it ends with what was played or learned.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overbet.interfaces.web.work.stages import told_when_compiling
from overbet.study.packing import finite

if TYPE_CHECKING:
    from overbet.evaluation.lbr import LbrResult
    from overbet.evaluation.lbr_family import FamilyPace, LbrFamily
    from overbet.evaluation.match_result import MatchResult
    from overbet.evaluation.matches import MatchPace
    from overbet.evaluation.scorecard import Scorecard
    from overbet.evaluation.statistics import Estimate
    from overbet.interfaces.web.work.worker import JobWork

_BEAT = 0.25  # seconds between two messages
_GROWTH = 1.03  # a point of the curve for so much more done
_MOST_POINTS = 300


class WorkCurve:
    """Tells how far a job is: a beat now and then, and a point of its curve when it has come further."""

    def __init__(self, work: JobWork, total: int) -> None:
        self._work, self._total, self._begun = work, total, time.monotonic()
        self._told = self._point = 0.0
        self.points: list[dict[str, Any]] = []

    def say(self, done: int, **values: Any) -> None:
        """Tell; values: numbers by name."""
        now = time.monotonic()
        if now - self._told >= _BEAT or done >= self._total:
            self._told = now
            seconds = now - self._begun
            left = seconds * (self._total - done) / done if done else None
            facts = {"done": done, "total": self._total, "seconds": seconds, "seconds_left": left}
            told = {**facts, **{name: _plain(value) for name, value in values.items()}}
            self._work.say("beat", beat=told)
            if done >= _GROWTH * self._point or done >= self._total:
                self._point = done
                self.points.append(told)
                self._work.say("look", look=told)

    def kept(self) -> list[dict[str, Any]]:
        """Return the points that are kept with the result."""
        step = -(-len(self.points) // _MOST_POINTS) or 1
        return self.points[::-1][::step][::-1]


def _plain(value: Any) -> Any:
    return finite(value) if isinstance(value, float) else value


@contextmanager
def stoppable(work: JobWork) -> Iterator[None]:
    """Let a stop arrive as Ctrl-C, also in the middle of a long block, and only while this is entered."""
    over = threading.Event()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.get_ident()

    def wait() -> None:
        while not over.wait(0.05):
            if work.stop.is_set():
                signal.pthread_kill(main, signal.SIGINT)
                return

    waiter = threading.Thread(target=wait, daemon=True)
    waiter.start()
    try:
        yield
    finally:
        # whatever still arrives is held off: what was played is about to be noted
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        over.set()
        waiter.join()
        signal.signal(signal.SIGINT, before)


@contextmanager
def _stages(work: JobWork) -> Iterator[None]:
    def tell(on: bool) -> None:
        work.say("stage", stage="compiling" if on else "running")

    work.say("stage", stage="loading")
    with told_when_compiling(tell):
        yield


def _end(work: JobWork, stopped: bool, rows: list[dict[str, Any]], curve: WorkCurve, **more: Any) -> None:
    result = {"rows": rows, "curve": curve.kept(), **more}
    work.say("end", status="stopped" if stopped else "done", result=result)


def _row(title: str, hands: int, found: Estimate, raw: Estimate | None, number: int) -> dict[str, Any]:
    """Return a result, in mbb a hand with half of its 95 % interval; number: in the ledger."""
    return {
        "title": title,
        "hands": hands,
        "mean": finite(found.mean),
        "half": finite(found.half),
        "raw_mean": None if raw is None else finite(raw.mean),
        "raw_half": None if raw is None else finite(raw.half),
        "number": number,
    }


def _match_row(title: str, result: MatchResult, numbers: list[int]) -> dict[str, Any]:
    from overbet.evaluation.match_result import RAW

    word = next(iter(result.estimates), RAW)
    raw = None if word == RAW else result.mbb(0)
    return _row(title, result.hands, result.mbb(0, word), raw, numbers[-1])


def _lbr_row(result: LbrResult, number: int, title: str = "", *, lost: bool = False) -> dict[str, Any]:
    """Return what the responder wins, or what the agent has of it (`lost`), as it stands on a scorecard."""
    found, raw = (one.negative() if lost else one for one in (result.aivat, result.raw))
    return _row(f"{title}{result.responder.in_words}", result.hands, found, raw, number)


def match(work: JobWork, command: dict[str, Any]) -> None:
    """Play a match and note it."""
    curve = WorkCurve(work, int(command["hands"]))
    with _stages(work):
        from overbet.agents.protocol import prepare
        from overbet.agents.registry import make_agent
        from overbet.evaluation.matches import play_match
        from overbet.interfaces.cli import table_setup as setup
        from overbet.interfaces.cli.noting import note_match

        agents = [make_agent(spec) for spec in command["agents"]]
        game = setup.table_of(agents, command["seats"], command["stacks"], "", None)
        agents = [prepare(agent, game) for agent in agents]

        def progress(pace: MatchPace) -> None:
            curve.say(pace.hands, mean=pace.result.mean, half=pace.result.half)

        work.say("stage", stage="running")
        played: list[MatchResult] = []
        with suppress(KeyboardInterrupt), stoppable(work):
            played.append(
                play_match(
                    agents,
                    game,
                    int(command["hands"]),
                    seed=int(command["seed"]),
                    estimators=setup.estimators_for(agents, game, None),
                    progress=progress,
                )
            )
    if not played:  # stopped before the first hands
        _end(work, True, [], curve)
        return
    specs, result = command["agents"], played[0]
    numbers = note_match(result, specs, agents, command=command["command"], path=Path(command["ledger"]))
    title = f"{specs[0]} against {' '.join(specs[1:]) or 'itself'}"
    row = _match_row(title, result, numbers)
    _end(work, result.stopped, [row], curve, notes=result.notes(), table=setup.describe_table(game))


def lbr(work: JobWork, command: dict[str, Any]) -> None:
    """Play the local best response and note what it wins."""
    every = command["bets"] == "all"
    with _stages(work):
        from overbet.agents.protocol import own_table
        from overbet.agents.registry import make_agent
        from overbet.evaluation.lbr import run_lbr
        from overbet.evaluation.lbr_family import FAMILY, run_lbr_family
        from overbet.games.holdem import HoldemGame
        from overbet.games.holdem_state import STREETS
        from overbet.interfaces.cli.noting import note_lbr, note_lbr_family

        hands, seed = int(command["hands"]), int(command["seed"])
        curve = WorkCurve(work, hands * (len(FAMILY) + 1 if every else 1))
        agent = make_agent(command["agent"])
        own = own_table(agent)
        game = own if own is not None else HoldemGame(stacks=round(100 * (command["stack_bb"] or 100.0)))
        where = STREETS if command["streets"] == "all" else tuple(command["streets"].split(","))
        noting: dict[str, Any] = {"command": command["command"], "path": Path(command["ledger"])}

        def family_pace(pace: FamilyPace) -> None:
            what = f"{pace.leader.in_words}{', fresh deals' if pace.fresh else ' leads'}"
            curve.say(pace.hands, mean=pace.estimate.mean, half=pace.estimate.half, what=what)

        def one_pace(done: int, found: Estimate) -> None:
            curve.say(done, mean=found.mean, half=found.half)

        work.say("stage", stage="running")
        found: list[LbrFamily] = []
        single: list[LbrResult] = []
        with suppress(KeyboardInterrupt), stoppable(work):
            if every:
                found.append(run_lbr_family(agent, game, hands, seed, 0, family_pace))
            else:
                single.append(run_lbr(agent, game, hands, command["bets"], where, seed, 0, one_pace))
    for family in found:
        numbers = note_lbr_family(family, agent, command["agent"], game, **noting)
        rows = [_lbr_row(member, number) for member, number in zip(family.members, numbers)]
        if family.largest is not None:
            rows.append(_lbr_row(family.largest, numbers[-1], "The strongest on fresh deals: "))
        _end(work, family.stopped, rows, curve)
    for one in single:
        number = note_lbr(one, agent, command["agent"], game, **noting)
        _end(work, one.stopped, [_lbr_row(one, number)], curve)
    if not found and not single:  # stopped before the first hands
        _end(work, True, [], curve)


def scorecard(work: JobWork, command: dict[str, Any]) -> None:
    """Measure an agent against every scripted one, each noted as it is done, and against LBR."""
    with _stages(work):
        from overbet.evaluation.lbr_family import FAMILY, FamilyPace
        from overbet.evaluation.scorecard import SCRIPTED
        from overbet.evaluation.scorecard import scorecard as measure
        from overbet.interfaces.cli.noting import note_lbr_family, note_match

        spec, hands, lbr_hands = command["agent"], int(command["hands"]), int(command["lbr_hands"])
        noting: dict[str, Any] = {"command": command["command"], "path": Path(command["ledger"])}
        curve = WorkCurve(work, len(SCRIPTED) * hands + (len(FAMILY) + 1) * lbr_hands)
        rows: list[dict[str, Any]] = []
        now: dict[str, Any] = {"what": "", "played": 0}

        def progress(what: str, done: int, steps: int) -> None:
            now["what"] = f"{what.split(',')[0]} ({done + 1} of {steps})"

        def pace(found: MatchPace | FamilyPace) -> None:
            figure = found.estimate if isinstance(found, FamilyPace) else found.result
            done = now["played"] + found.hands
            curve.say(done, mean=figure.mean, half=figure.half, what=now["what"])

        def on_match(name: str, result: MatchResult, agents: Any) -> None:
            count = result.game.num_players - 1
            numbers = note_match(result, [spec, *[name] * count], agents, **noting)
            rows.append(_match_row(f"against {name}", result, numbers))
            now["played"] = now["played"] + result.hands
            work.say("rows", rows=rows)

        work.say("stage", stage="running")
        cards: list[Scorecard] = []
        with suppress(KeyboardInterrupt), stoppable(work):
            cards.append(
                measure(
                    spec,
                    hands,
                    lbr_hands,
                    seed=int(command["seed"]),
                    progress=progress,
                    pace=pace,
                    on_match=on_match,
                )
            )
    if not cards:  # stopped before the first hands of a match: those before are noted
        _end(work, True, rows, curve)
        return
    card = cards[0]
    if card.lbr is not None:
        numbers = note_lbr_family(card.lbr, card.agent, spec, card.game, **noting)
        rows += [
            _lbr_row(one, number, "against LBR: ", lost=True)
            for one, number in zip(card.lbr.members, numbers)
        ]
        if card.lbr.largest is not None:
            words = "against LBR, the strongest on fresh deals: "
            rows.append(_lbr_row(card.lbr.largest, numbers[-1], words, lost=True))
    _end(work, card.stopped, rows, curve)


def train(work: JobWork, command: dict[str, Any]) -> None:
    """Train until the goal, or go on with a run; stopped, its checkpoint holds all that was learned."""
    with _stages(work):
        from overbet.blueprint.checkpoint import CONFIG_NAME
        from overbet.blueprint.config import BlueprintConfig
        from overbet.blueprint.run import Pace, Run

        folder, goal = Path(command["folder"]), int(command["goal"])
        curve = WorkCurve(work, goal)
        if (folder / CONFIG_NAME).exists():
            run = Run.resume(folder)
        else:
            run = Run.start(folder, BlueprintConfig.parse(command["config"], "config"))
        last: dict[str, Any] = {}

        def progress(done: int, pace: Pace | None) -> None:
            if pace is not None:
                last["per_second"] = pace.per_second
                last["touched"] = pace.status.touched
                last["regret"] = pace.status.mean_positive_regret_bb
            curve.say(done, **last)
            if work.stop.is_set():
                raise KeyboardInterrupt  # which a run understands: it writes its checkpoint

        work.say("stage", stage="running")
        try:
            run.go(goal, int(command["workers"]) or None, progress, lambda trouble: None)
        except KeyboardInterrupt:
            _end(work, True, [], curve, iterations=run.trainer.iterations)
            return
    _end(work, False, [], curve, iterations=run.trainer.iterations)
