"""One conversation: a command a line in, its answer out, in the order of the commands.

Empty lines and lines that begin with # are passed over. A command that asks for nothing answers `NAME ok!`;
one that cannot be carried out answers `ERROR: ...` and the conversation goes on. After every answer stands
the end string, once one is set. While a solve runs only what does not need the tree is answered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

from overbet._version import __version__
from overbet.cards.combos import COMBOS, combo_name
from overbet.errors import ArtefactError, OverbetError, nearest, quoted, reason, short
from overbet.interfaces.protocols.upi import queries
from overbet.interfaces.protocols.upi.solving import BackgroundSolve
from overbet.interfaces.protocols.upi.spot_words import SpotWords, only
from overbet.interfaces.protocols.upi.tree_files import dump_tree, load_tree, metadata_of
from overbet.interfaces.protocols.upi.words import (
    LONGEST,
    Doubles,
    UpiError,
    hand_order,
    numbers,
    position,
    row,
    whole,
    words_of,
)
from overbet.solvers.vector.estimate import estimate
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Solver

_MOST_SCRIPT = 1 << 24  # bytes
_ACCEPTED = ("set_recalc_accuracy", "set_always_recalc", "set_algorithm", "small_strats", "reset_tree_info")
_DEEPEST = 8  # scripts within scripts

Command = Callable[[list[str]], str]


class UpiSession:
    """The state of a conversation, and its commands by name. out: where answers go."""

    def __init__(self, out: TextIO) -> None:
        self.words, self.ended = SpotWords(), False
        self._out, self._end = out, ""
        self._writing = threading.Lock()
        self._solution: Solution | None = None
        self._solve: BackgroundSolve | None = None
        self._given: dict[str, Doubles] = {}  # strategies of set_strategy, by node id: [children, 1326]
        self._locks: dict[str, Lock] = {}
        self._fresh = True  # whether the next solve begins anew
        self._deep = 0
        self._anytime = self._commands_anytime()
        self._idle = self._commands_idle()

    def talk(self, lines: Iterable[str]) -> None:
        """Answer every line until `exit` or the end."""
        try:
            for line in lines:
                self.line(line)
                if self.ended:
                    break
        finally:
            if self._solve is not None:
                self._solve.stop()

    def line(self, line: str) -> None:
        """Answer one line."""
        text = line.strip().lstrip("\ufeff")
        if not text or text.startswith("#"):
            return
        try:
            answer = self.answer(text)
        except OverbetError as error:
            answer = f"ERROR: {error}"
        except OSError as error:
            answer = f"ERROR: {reason(error)}"
        except MemoryError:
            answer = "ERROR: there is not enough memory for this; use fewer lines or narrower ranges"
        except Exception as error:  # whatever it is, the next command is answered
            answer = f"ERROR: unexpected {type(error).__name__}: {short(error, 300)}; please report it"
        if not self.ended:
            self._write(answer + "\n" + (f"{self._end}\n" if self._end else ""))
        if self._solve is not None:
            self._solve.begin()

    def answer(self, text: str) -> str:
        """Return the answer to a command."""
        if len(text) > LONGEST:
            raise UpiError(f"a command has at most {LONGEST:,} characters")
        name, *arguments = words_of(text) or [""]
        if name in self._anytime:
            return self._anytime[name](arguments)
        if name not in self._idle:
            known = (*self._anytime, *self._idle)
            raise UpiError(
                f"unknown command {quoted(name)}{nearest(name, known)}; docs/protocols.md lists them all"
            )
        if self._solve is not None:
            if self._solve.running:
                raise UpiError(f"{name}: the solver is running; stop or wait_for_solver first")
            self._gather()
        return self._idle[name](arguments)

    # the commands

    def _commands_anytime(self) -> dict[str, Command]:
        return {
            "is_ready": lambda _: "is_ready ok!",
            "echo": " ".join,
            "exit": self._exit,
            "set_end_string": self._set_end,
            "reset_end_string": lambda _: self._set_end([]),
            "show_version": lambda _: __version__,
            "show_build_version": lambda _: f"overbet {__version__}",
            "show_hand_order": lambda _: hand_order(),
            "show_settings": lambda _: self.words.settings_text(),
            "stop": self._stop,
            "wait_for_solver": lambda _: self._wait("wait_for_solver"),
            "wait": lambda _: self._wait("wait"),
            "load_script": lambda given: self._script(given, silent=False),
            "load_script_silent": lambda given: self._script(given, silent=True),
            **{name: _accepted(name) for name in _ACCEPTED},
        }

    def _commands_idle(self) -> dict[str, Command]:
        words = self.words
        setting: dict[str, Callable[[list[str]], None]] = {
            "set_board": words.set_board,
            "set_range": words.set_range,
            "set_pot": words.set_pot,
            "set_eff_stack": words.set_eff_stack,
            "set_isomorphism": words.set_isomorphism,
            "set_rake": words.set_rake,
            "set_accuracy": words.set_accuracy,
            "set_threads": words.set_threads,
            "set_info_freq": words.set_info_freq,
            "add_line": words.add_line,
            "remove_line": words.remove_line,
            "clear_lines": lambda _: words.lines.clear(),
            "set_bet_sizes": words.set_bet_sizes,
            "clear_bet_sizes": lambda _: words.bets.clear(),
            "build_tree": lambda _: self._build(),
            "free_tree": lambda _: self._free(),
            "go": self._go,
            "load_tree": self._load,
            "dump_tree": lambda given: dump_tree(self._tree(), given),
            "set_strategy": self._set_strategy,
            "lock_node": lambda given: self._lock(only(given, "lock_node")),
            "unlock_node": lambda given: self._unlock(only(given, "unlock_node")),
        }
        asking: dict[str, Command] = {
            "estimate_tree": lambda _: self._estimate(),
            "show_board_no_iso": lambda _: queries.spaced(self._spot_board()),
            "show_effective_stack": lambda _: str(self._tree().spot.effective_stack),
            "show_tree_info": lambda _: self._info(),
            "show_metadata": lambda given: (
                metadata_of(only(given, "show_metadata")) if given else self._info()
            ),
            "show_all_lines": lambda _: queries.all_lines(self._tree()),
            "show_node": lambda given: queries.node_text(self._tree(), *self._named(given)),
            "show_children": lambda given: queries.children_text(
                self._tree(), self._named(given)[0], frozenset(self._locks)
            ),
            "show_strategy": lambda given: "\n".join(
                row(one) for one in self._strategy(self._named(given)[0])
            ),
            "show_range": self._show_range,
            "calc_ev": lambda given: self._of_player(queries.ev_text, given),
            "calc_ev_pp": lambda given: self._of_player(queries.ev_table, given),
            "calc_eq_node": lambda given: self._of_player(queries.equity_text, given),
            "calc_eq": self._calc_eq,
            "calc_global_freq": lambda given: f"{queries.frequency(self._tree(), self._named(given)[0]):.6g}",
            "calc_results": lambda _: queries.results_text(self._tree()),
            "solver_time": lambda _: f"{self._tree().seconds:.3f}",
        }
        return {name: _answering_ok(name, call) for name, call in setting.items()} | asking

    def _exit(self, given: list[str]) -> str:
        self.ended = True
        return ""

    def _set_end(self, given: list[str]) -> str:
        self._end = " ".join(given)[:200]
        return "set_end_string ok!" if given else "reset_end_string ok!"

    def _stop(self, given: list[str]) -> str:
        if self._solve is not None:
            self._solve.stop()
        return "stop ok!"

    def _wait(self, name: str) -> str:
        if self._solve is not None:
            self._solve.wait()
        return f"{name} ok!"

    def _build(self) -> None:
        spot = self.words.spot()
        size = estimate(spot, self._settings())
        size.require()
        self._solution = Solution.of(Solver(spot, self._settings()))
        self._given, self._locks, self._fresh = {}, {}, True

    def _free(self) -> None:
        self._solution, self._given, self._locks, self._fresh = None, {}, {}, True

    def _estimate(self) -> str:
        size = estimate(self.words.spot(), self._settings())
        return (
            f"Estimated tree size: {size.bytes() / (1 << 20):.1f} MB\n"
            f"nodes: {size.nodes}\nactions x hands: {size.action_hands}"
        )

    def _go(self, given: list[str]) -> None:
        solution = self._tree()
        limits: dict[str, Any] = {
            "target": self.words.target(),
            "threads": self.words.threads,
            "seconds": None,
        }
        limits["iterations"] = 1_000_000_000
        before = None if self._fresh else solution
        if given:
            unit = given[1].lower() if len(given) == 2 else ""
            if unit not in ("seconds", "steps", "second", "step"):
                raise UpiError("go takes nothing, or a number and seconds or steps, such as go 10 seconds")
            if unit.startswith("second"):
                limits["seconds"] = float(whole(given[0], "go", 1))
            else:
                limits["iterations"] = whole(given[0], "go", 1) + (before.iteration if before else 0)
        self._solve = BackgroundSolve(
            solution.spot,
            tuple(self._locks.values()),
            before,
            limits,
            self.words.info_seconds,
            self._emit,
            queries.results_text,
        )

    def _load(self, given: list[str]) -> None:
        self._solution = load_tree(given)
        self.words.take(self._solution.spot)
        self._given, self._locks = {}, {lock.line: lock for lock in self._solution.locks}
        self._fresh = self._solution.tables.regret is None

    def _set_strategy(self, given: list[str]) -> None:
        if len(given) < 2:
            raise UpiError("set_strategy takes a node id and 1326 numbers for each of its children")
        name = self._decision(given[0])
        tokens = queries.tokens_in_order(self._tree(), name)
        values = numbers(given[1:], "set_strategy")
        if len(values) != COMBOS * len(tokens):
            raise UpiError(
                f"set_strategy: {name} has {len(tokens)} children, so {COMBOS * len(tokens)} numbers are"
                f" needed, and {len(values)} are given"
            )
        self._given[name] = values.reshape(len(tokens), COMBOS)

    def _lock(self, name: str) -> None:
        name = self._decision(name)
        solution = self._tree()
        tokens, shares = queries.tokens_in_order(solution, name), self._strategy(name)
        hands: dict[str, dict[str, float]] = {}
        for combo in solution.node(name).seat().combos.tolist():
            total = float(shares[:, combo].sum())
            if total > 0:
                mix = (shares[:, combo] / total).tolist()
                hands[combo_name(combo)] = dict(zip(tokens, mix, strict=True))
        if not hands:
            raise UpiError(f"lock_node: the strategy at {name} plays no hand of the range")
        self._locks[name], self._fresh = Lock(line=name, hands=hands), True

    def _unlock(self, name: str) -> None:
        name = self._decision(name)
        if self._locks.pop(name, None) is None:
            raise UpiError(f"{name} is not locked")
        self._given.pop(name, None)
        self._fresh = True

    def _show_range(self, given: list[str]) -> str:
        if len(given) == 1:
            held = self.words.ranges[position(given[0])]
            if held is None:
                raise UpiError(f"the range of {given[0].upper()} is not set")
            return row(held.weights.tolist())
        return self._of_player(queries.range_text, given)

    def _calc_eq(self, given: list[str]) -> str:
        player = position(only(given, "calc_eq"))
        mine, theirs = self.words.ranges[player], self.words.ranges[1 - player]
        if mine is None or theirs is None:
            raise UpiError("calc_eq: set_range OOP and set_range IP first")
        return queries.range_equity_text(mine, theirs, self.words.board)

    # what they share

    def _tree(self) -> Solution:
        if self._solution is None:
            raise UpiError("there is no tree; build_tree or load_tree first")
        return self._solution

    def _strategy(self, name: str) -> Doubles:
        """Return the strategy of a node, as it was set where it was."""
        place = queries.place_at(self._tree(), name)
        found = self._given.get(place.line)
        return queries.strategy(self._tree(), place.line) if found is None else found

    def _named(self, given: list[str]) -> tuple[str, bool]:
        """Return a node id, and whether the node is locked."""
        name = queries.check_name(only(given, "the command"))
        return name, name in self._locks

    def _decision(self, name: str) -> str:
        """Return the id of a node where somebody decides, as it is written in full."""
        solution = self._tree()
        place = queries.place_at(solution, queries.check_name(name))
        if solution.tree.betting.kind[place.node] not in (0, 1):
            raise UpiError(f"nobody decides at {place.line}")
        return place.line

    def _of_player(self, call: Callable[[Solution, int, str], str], given: list[str]) -> str:
        if len(given) != 2:
            raise UpiError("write OOP or IP and a node id, such as OOP r:0")
        return call(self._tree(), position(given[0]), queries.check_name(given[1]))

    def _info(self) -> str:
        solution = self._tree()
        return queries.tree_info(solution.spot, queries.about(solution))

    def _spot_board(self) -> str:
        if not self.words.board:
            raise UpiError("the board is not set; set_board first")
        return self.words.board

    def _settings(self) -> SolveSettings:
        return SolveSettings(threads=self.words.threads, target=self.words.target())

    def _gather(self) -> None:
        """Take over what a solve has left."""
        if self._solve is not None and self._solve.solution is not None:
            self._solution, self._fresh = self._solve.solution, False
            self._given = {name: found for name, found in self._given.items() if name in self._locks}
        self._solve = None

    def _script(self, given: list[str], *, silent: bool) -> str:
        path = Path(only(given, "load_script"))
        if self._deep >= _DEEPEST:
            raise UpiError(f"load_script: {_DEEPEST} scripts within each other are the most")
        try:
            with path.open("rb") as file:
                content = file.read(_MOST_SCRIPT + 1)
        except OSError as error:
            raise ArtefactError(f"cannot read {short(path)}: {reason(error)}") from error
        if len(content) > _MOST_SCRIPT:
            raise UpiError(f"{short(path)} is longer than {_MOST_SCRIPT:,} bytes")
        self._deep += 1
        try:
            for line in content.decode("utf-8", "replace").splitlines():
                if silent and line.strip() and not line.strip().startswith("#"):
                    self.answer(line.strip())
                    if self._solve is not None:
                        self._solve.begin()
                elif not silent:
                    self.line(line)
        finally:
            self._deep -= 1
        return "load_script_silent ok!" if silent else "load_script ok!"

    def _emit(self, text: str, end: bool = False) -> None:
        """Print a message of the solver. end: it has several lines, and the end string after them."""
        self._write(f"{text}\n{self._end or 'END'}\n" if end else f"{text}\n")

    def _write(self, text: str) -> None:
        with self._writing:
            try:
                self._out.write(text)
                self._out.flush()
            except (BrokenPipeError, ValueError):  # nobody reads any more
                self.ended = True


def _accepted(name: str) -> Command:
    """Return a command that is taken and has no meaning here."""
    return lambda given: f"{name} ok!"


def _answering_ok(name: str, call: Callable[[list[str]], None]) -> Command:
    def answered(given: list[str]) -> str:
        call(given)
        return f"{name} ok!"

    return answered
