"""Targets for what people write: ranges, cards, spots, configs and their overrides, lines, hands."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import yaml

import overbet
from overbet.abstraction.bucket_config import BucketsConfig
from overbet.blueprint.config import BlueprintConfig
from overbet.cards.cards import board, card, cards
from overbet.cards.range import Range
from overbet.config import Config
from overbet.games.holdem import HoldemGame
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.record import HandFault
from overbet.interfaces.history.replay import replay_all
from overbet.solvers.rules import Rule, make_rule
from overbet.solvers.sampling import SamplingConfig
from overbet.solvers.vector.api import SolveFile, read_source
from overbet.solvers.vector.batches.flops import board_set
from overbet.solvers.vector.estimate import estimate
from tests.fuzz.grammar import mutated_text, mutated_value, nested, odd_number, odd_text, odd_value
from tests.fuzz.samples import HAND, KEYED, PUSH, RIVER, TURN, made
from tests.fuzz.target import Target, WrongError, wrong_message

_RANKS, _SUITS = "AKQJT98765432", "shdc"
_RANGES = (
    "22+,A2s+,KTs+,QJs,AJo+,KQo",
    "QQ-22,AQs-A2s,ATo+,T9s:0.5,65s:0.25",
    "AhKh,AsKs,random",
    "[50]22+,AK[/50],QQ",
)
_READERS: dict[str, type[Config]] = {
    "spot": SolveFile,
    "blueprint": BlueprintConfig,
    "rule": Rule,
    "buckets": BucketsConfig,
}
_SMALL_BYTES = 20_000_000  # a spot that takes less is solved for two iterations


def odd_card(rng: random.Random) -> str:
    """Return a card, mostly."""
    return rng.choice(_RANKS) + rng.choice(_SUITS) if rng.random() < 0.95 else odd_text(rng)


def odd_range(rng: random.Random) -> str:
    """Return a range text, or what looks like one."""
    if rng.random() < 0.4:
        return mutated_text(rng, rng.choice(_RANGES))
    parts = []
    for _ in range(rng.choice((1, 2, 3, 8, 40))):
        one, two = rng.choice(_RANKS), rng.choice(_RANKS)
        hand = rng.choice((one + two + rng.choice(("", "s", "o", "x")), odd_card(rng) + odd_card(rng), one))
        if rng.random() < 0.3:
            hand += rng.choice(("+", "-", f"-{rng.choice(_RANKS)}{rng.choice(_RANKS)}s", "++"))
        if rng.random() < 0.3:
            hand += f":{odd_number(rng)}"
        parts.append(hand if rng.random() < 0.9 else odd_text(rng))
    return rng.choice((",", ", ", " ", "\n", ";")).join(parts)


def odd_sizes(rng: random.Random) -> str:
    """Return a list of bet sizes, sometimes a long one."""
    count = rng.choice((1, 1, 2, 3, 20, 70, 130))
    if rng.random() < 0.3:  # as good as many sizes can be
        return ", ".join(f"{1 + number}{rng.choice(('%', 'c'))}" for number in range(count))
    units = ("%", "%", "c", "x", "bb", "e", "a", "", "%p")
    parts = []
    for number in range(count):
        amount = str(number + 1) if rng.random() < 0.8 else odd_number(rng)
        parts.append(amount + rng.choice(units) if rng.random() < 0.9 else rng.choice(("a", "2e", "3e50%")))
    return ", ".join(parts)


def odd_line(rng: random.Random, bets: tuple[int, ...] = (45, 75, 170, 300, 900)) -> str:
    """Return a line, or what looks like one."""
    tokens = ["r", "0"] if rng.random() < 0.9 else [odd_text(rng)]
    for _ in range(rng.randrange(9)):
        bet = f"b{rng.choice(bets) if rng.random() < 0.8 else odd_number(rng)}"
        dealt = "".join(odd_card(rng) for _ in range(rng.choice((1, 1, 3, 5))))
        tokens.append(rng.choice(("c", "c", "f", bet, bet, dealt, dealt, bet.upper(), odd_text(rng))))
    line = ":".join(tokens)
    return line if rng.random() < 0.9 else mutated_text(rng, line)


class RangeTarget(Target):
    """Range texts."""

    name = "range"

    def prepare(self, folder: Path) -> None:
        """Read a good one."""
        self.run(_RANGES[0])

    def make(self, rng: random.Random) -> str:
        """Return a range text."""
        return odd_range(rng)

    def run(self, given: str) -> None:
        """Read it, and read again what it is written as."""
        found = Range.parse(given)
        if Range.parse(str(found)) != found:
            raise WrongError(f"{str(found)[:200]!r} is not the range it was written from")


class CardsTarget(Target):
    """Cards, boards and equities."""

    name = "cards"

    def prepare(self, folder: Path) -> None:
        """Ask a good question."""
        self.run(["Td9d6h", "AhKh", "QQ"])

    def make(self, rng: random.Random) -> list[Any]:
        """Return a board, a hand and a range, each perhaps something else."""
        lying = "".join(odd_card(rng) for _ in range(rng.choice((0, 1, 3, 3, 4, 5, 6))))
        given: list[Any] = [lying, odd_card(rng) + odd_card(rng), odd_range(rng)]
        return mutated_value(rng, given) if rng.random() < 0.3 else given

    def run(self, given: Any) -> None:
        """Read each as cards; then ask for an equity."""
        for text in given if isinstance(given, list) else [given]:
            for reader in (card, cards, board):
                if isinstance(text, str):
                    try:
                        reader(text)
                    except overbet.OverbetError as error:
                        if wrong := wrong_message(str(error)):
                            raise WrongError(wrong) from error
        if isinstance(given, list) and len(given) == 3 and all(isinstance(text, str) for text in given):
            overbet.equity(*given[1:], board=given[0], method="sampled", samples=200, seed=1)


class BoardsTarget(Target):
    """Sets of boards, by name and from files."""

    name = "boards"
    _GOOD = "KsTh7s\nKsTh7c 2\n# a comment\nTd9d6h 0.5\n"

    def prepare(self, folder: Path) -> None:
        """Read a good file and a known set."""
        self.file = folder / "boards.txt"
        self.run(["file", self._GOOD])
        self.run(["name", "25"])

    def make(self, rng: random.Random) -> list[str]:
        """Return `file` and its text, or `name` and a name."""
        if rng.random() < 0.3:
            return ["name", rng.choice((odd_number(rng), odd_text(rng)))]
        line = f"{odd_card(rng)}{odd_card(rng)}{odd_card(rng)} {odd_number(rng)}\n"
        return ["file", mutated_text(rng, self._GOOD + line * rng.choice((0, 1, 50)))]

    def run(self, given: list[str]) -> None:
        """Read the set."""
        kind, text = given
        if kind == "name":
            board_set(text)
        else:
            self.file.write_bytes(text.encode("utf-8", "surrogatepass"))
            board_set(self.file)


class SpotTarget(Target):
    """Spots as mappings: read, sized, and solved for two iterations where they are small."""

    name = "spot"
    limit_s = 60.0

    def prepare(self, folder: Path) -> None:
        """Solve good ones."""
        for spot in (RIVER, TURN):
            self.run(spot)

    def make(self, rng: random.Random) -> Any:
        """Return a spot with odd values in it."""
        spot: Any = mutated_value(rng, rng.choice((RIVER, RIVER, TURN)))
        if not isinstance(spot, dict):
            return spot
        if rng.random() < 0.3:
            key = rng.choice(("bet", "raise", "donk"))
            spot["bets"] = {rng.choice(("every", "river")): {"bet": "50%", key: odd_sizes(rng)}}
        if rng.random() < 0.2:
            spot[rng.choice(("pot", "stacks", "min_bet", "big_blind", "board"))] = odd_value(rng)
        if rng.random() < 0.2:
            spot["ranges"] = {"oop": odd_range(rng), "ip": "AA,KK,76s"}
        if rng.random() < 0.1:
            mix = {rng.choice(("c", "f", "b50", odd_text(rng))): rng.choice((1, 0.5, odd_value(rng, 0)))}
            lock = {"line": odd_line(rng), **rng.choice(({"frequencies": mix}, {"hands": {"AA": mix}}))}
            spot["locks"] = [lock] if rng.random() < 0.8 else [lock, odd_value(rng)]
        if rng.random() < 0.1:
            spot.pop("bets", None)
            good = rng.choice(("30 90 170", "0 50 50 100", "0 0 60"))
            spot["lines"] = [mutated_text(rng, good) if rng.random() < 0.7 else odd_value(rng, 1), good]
        if rng.random() < 0.1:
            keys = ("target", "iterations", "check_every", "rule", "precision", "threads", "seconds")
            spot["solve"] = {rng.choice(keys): odd_value(rng, 1)}
        return spot

    def run(self, given: Any) -> None:
        """Read it, size it, and solve it where that is quick."""
        file = read_source(given) if isinstance(given, dict) else SolveFile.parse(given, "spot")
        spot = file.spot()
        need = estimate(spot, file.solve, locked=bool(file.locks))
        need.require()
        if need.bytes() < _SMALL_BYTES:
            overbet.solve(file, iterations=2, check_every=2, device="cpu", threads=1).node()


class YamlTarget(Target):
    """Texts of spot, config, rule and bucket files."""

    name = "yaml"
    _GOOD = (
        ("spot", yaml.safe_dump(RIVER)),
        ("spot", yaml.safe_dump(TURN, default_flow_style=True)),
        ("blueprint", yaml.safe_dump(PUSH)),
        ("blueprint", yaml.safe_dump(KEYED)),
        (
            "rule",
            "name: mine\npositive: {kind: dcfr, power: 1.5}\naverage: {kind: linear}\nfloor: true\n",
        ),
        ("buckets", "flop: 50\nturn: 100\nriver: 200\n"),
    )

    def prepare(self, folder: Path) -> None:
        """Read the good ones."""
        self.file = folder / "given.yaml"
        for good in self._GOOD:
            self.run(list(good))

    def make(self, rng: random.Random) -> list[str]:
        """Return a kind of file and its text."""
        kind, text = rng.choice(self._GOOD)
        how = rng.randrange(60)
        if how < 2:
            return [kind, nested(rng, 5000)]
        if how < 20:
            return [kind, yaml.safe_dump(mutated_value(rng, yaml.safe_load(text)))]
        if how < 22:
            bomb = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]\n" for n in range(9))
            return [kind, bomb + text]
        return [kind, mutated_text(rng, text)]

    def run(self, given: list[str]) -> None:
        """Read the file, and make of it what it is for."""
        self.file.write_bytes(given[1].encode("utf-8", "surrogatepass"))
        found = _READERS[given[0]].load(self.file)
        if isinstance(found, SolveFile):
            estimate(found.spot(), found.solve).require()
        elif isinstance(found, Rule):
            found.steps(1, 100)


class OverrideTarget(Target):
    """`--set key=value` on spots, training configs, bucket configs, and the parameters of rules."""

    name = "override"
    _KEYS = (
        *(
            "pot",
            "stacks",
            "board",
            "bets.every.bet",
            "bets",
            "solve.rule",
            "solve.target",
            "rake.share",
            "name",
        ),
        *(
            "game.stack_bb",
            "game.players",
            "solver.rule",
            "solver.seed",
            "menu.preflop.sizes",
            "run.keep",
            "flop",
        ),
        *(
            "solver.rule.positive.power",
            "iterations",
            "cards.path",
            "locks",
            "thresholds.merge",
            "ranges.oop",
        ),
    )

    def prepare(self, folder: Path) -> None:
        """Override a good value."""
        self.spot, self.blueprint = folder / "spot.yaml", folder / "blueprint.yaml"
        self.buckets = folder / "buckets.yaml"
        self.spot.write_text(yaml.safe_dump(RIVER))
        self.blueprint.write_text(yaml.safe_dump(PUSH))
        self.buckets.write_text("flop: 50\n")
        self.run(["spot", "pot=120"])
        self.run(["blueprint", "game.stack_bb=12"])
        self.run(["buckets", "turn=60"])

    def make(self, rng: random.Random) -> list[str]:
        """Return what is overridden, and texts such as `pot=120`."""
        texts = []
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            key = rng.choice(self._KEYS) if rng.random() < 0.85 else odd_text(rng)
            value = rng.choice((odd_number(rng), odd_text(rng), odd_sizes(rng)))
            value = nested(rng, 5000) if rng.random() < 0.02 else value
            texts.append(
                rng.choice((f"{key}={value}", f"{key}={value}", key, f"{key}.{odd_text(rng)}={value}"))
            )
        return [rng.choice(("spot", "blueprint", "buckets", "rule", "sampling")), *texts]

    def run(self, given: list[str]) -> None:
        """Read the file with the overrides."""
        kind, *texts = given
        if kind == "spot":
            SolveFile.load(self.spot, texts).spot()
        elif kind == "blueprint":
            BlueprintConfig.load(self.blueprint, texts)
        elif kind == "buckets":
            BucketsConfig.load(self.buckets, texts)
        elif kind == "rule":
            for text in texts:
                name, _, value = text.partition("=")
                try:
                    number = float(value)
                except ValueError:
                    number = None
                make_rule(name if number is None else "dcfr", alpha=number).steps(1, 50)
        else:
            SamplingConfig.parse(
                {text.partition("=")[0]: text.partition("=")[2] for text in texts}, "sampling"
            )


class SolutionLineTarget(Target):
    """Lines of solved spots: a river, a turn, and a turn whose later street was not kept."""

    name = "line-solution"

    def prepare(self, folder: Path) -> None:
        """Solve the spots, and ask at good lines."""
        self.solved = []
        for name in ("solution", "solution-whole-turn", "solution-turn"):
            self.solved.append(overbet.load(made(name, folder.parent / "samples")[1]))
        for number in range(3):
            self.run([number, "r:0"])
        self.run([1, "r:0:c:c:Ah"])

    def make(self, rng: random.Random) -> list[Any]:
        """Return which solution, and a line; half of the lines begin with good ones."""
        number = rng.randrange(3)
        line = odd_line(rng, (45, 50, 60, 105, 170, 300))
        if rng.random() < 0.5:
            known = rng.choice(self.solved[number].lines())
            line = known + line.removeprefix("r:0") if rng.random() < 0.5 else mutated_text(rng, known)
        return [number, line]

    def run(self, given: list[Any]) -> None:
        """Ask for the node and what is shown of it; a line that is taken must be the line of its node."""
        number, line = given
        node = self.solved[number].node(line)
        if _tokens(node.line) != _tokens(line):
            raise WrongError(f"{line[:200]!r} was taken for {node.line!r}")
        if node.actions:
            shares = node.seat().frequencies()
            if abs(float(sum(shares)) - 1) > 1e-3:
                raise WrongError(f"frequencies at {node.line!r} add up to {float(sum(shares))}")


class StateLineTarget(Target):
    """Lines of real hands at tables of two to ten players."""

    name = "line-state"

    def prepare(self, folder: Path) -> None:
        """Follow a good line."""
        self.run([2, 1, "r:0:b300:c:Td9d6h:c"])

    def make(self, rng: random.Random) -> list[Any]:
        """Return players, seed and line."""
        return [rng.choice((2, 2, 3, 6, 9, 10)), rng.randrange(100), odd_line(rng)]

    def run(self, given: list[Any]) -> None:
        """Follow it from before the deal and from a deal, and ask for everything that is shown."""
        players, seed, line = given
        game = HoldemGame(players)
        state = game.initial_state().with_cards([None] * players).follow(line)
        moves = [token for token in _tokens(line) if not _is_cards(token)]
        if [token for token in _tokens(state.line) if not _is_cards(token)] != moves:
            raise WrongError(f"{line[:200]!r} was taken for {state.line!r}")
        for found in (state, game.deal(seed).follow(":".join(moves))):
            repr(found)
            if not found.is_terminal():
                found.legal_actions()
            elif abs(sum(found.returns())) > 1e-6 + found.raked:
                raise WrongError(f"chips were lost at {found.line!r}: {found.returns()}")


class BlueprintLineTarget(Target):
    """Lines, boards and hands asked of blueprints: a shipped one, a small one, one of keyed tables."""

    name = "line-blueprint"

    def prepare(self, folder: Path) -> None:
        """Open the blueprints, and ask good questions."""
        from overbet.blueprint.catalogue import find_blueprint
        from overbet.blueprint.query import Blueprint

        self.blueprints = [Blueprint.load(find_blueprint("heads-up"))]
        for name in ("blueprint", "blueprint-keyed"):
            self.blueprints.append(Blueprint.load(made(name, folder.parent / "samples")[1]))
        for number in range(3):
            self.run([number, "r:0", "AhKh", ""])

    def make(self, rng: random.Random) -> list[Any]:
        """Return which blueprint, a line, a hand and a board."""
        lying = "".join(odd_card(rng) for _ in range(rng.choice((0, 0, 3, 4, 5))))
        number = rng.randrange(3)
        line = odd_line(rng, (200, 250, 300, 1000, 900))
        if rng.random() < 0.6:
            line = self._walked(rng, number)
            line = mutated_text(rng, line) if rng.random() < 0.4 else line
        return [number, line, odd_card(rng) + odd_card(rng) if rng.random() < 0.9 else odd_text(rng), lying]

    def _walked(self, rng: random.Random, number: int) -> str:
        """Return a line along the blueprint's own actions; cards only where it is asked for them."""
        line = "r:0"
        for _ in range(rng.randrange(6)):
            try:
                line += f":{rng.choice(self.blueprints[number].tokens(line))}"
            except overbet.OverbetError:
                break
        return line

    def run(self, given: list[Any]) -> None:
        """Ask for one hand and for all; a line that is taken must be the line of its node."""
        number, line, hand, lying = given
        blueprint = self.blueprints[number]
        names = blueprint.action_names(line)
        if number < 2:
            found = blueprint.tree.line(blueprint.node(line))
            if [token for token in _tokens(line) if not _is_cards(token)] != _tokens(found):
                raise WrongError(f"{line[:200]!r} was taken for {found!r}")
        rows = blueprint.strategy_by_bucket(line)
        sums = rows.sum(1)
        if rows.shape[1] != len(names) or (abs(sums[sums == sums] - 1) > 1e-6).any():
            raise WrongError(f"rows at {line[:200]!r} do not add up to one")
        blueprint.strategy(line, hand, lying)


def _tokens(line: str) -> list[str]:
    """Return the parts of a line after its root, as they are meant."""
    parts = [part.strip().lower() for part in line.strip().split(":")]
    parts = parts[1:] if parts[:1] == ["r"] else parts
    return [part for part in (parts[1:] if parts[:1] == ["0"] else parts) if part]


def _is_cards(token: str) -> bool:
    return re.fullmatch(r"([2-9tjqka][shdc]\s*)+", token) is not None


class PhhTarget(Target):
    """Texts of hands in the PHH format."""

    name = "phh"

    def prepare(self, folder: Path) -> None:
        """Replay a good hand."""
        (found,) = replay_all(read_text(HAND, "hand.phh"))
        assert not isinstance(found, HandFault), str(found)

    def make(self, rng: random.Random) -> str:
        """Return a file of one or two hands with something odd in it."""
        text = HAND if rng.random() < 0.7 else f"[1]\n{HAND}\n[2]\n{HAND}"
        how = rng.randrange(8)
        if how == 0:
            return text.replace("min_bet = 100", f"min_bet = {odd_number(rng)}")
        if how == 1:
            return text + f"\n_deep = {nested(rng)}\n"
        if how == 2:
            stacks = ", ".join(odd_number(rng) for _ in range(rng.choice((0, 1, 2, 3, 3, 9, 10, 30))))
            return text.replace("1000, 2000, 3000", stacks, 1)
        if how == 3:
            return text.replace("cbr 300", f"cbr {odd_number(rng)}")
        if how == 4:
            return text.replace("'p3 f'", json.dumps(mutated_text(rng, "p3 f")))
        return mutated_text(rng, text, ("p1", "p9", "d dh p2 AhKh", "'p1 cc',", "cbr", "????", "[3]", "'''"))

    def run(self, given: str) -> None:
        """Read and replay; a fault that is told is one line too."""
        for found in replay_all(read_text(given, "hand.phh")):
            wrong = wrong_message(str(found)) if isinstance(found, HandFault) else None
            if wrong:
                raise WrongError(wrong)


def targets() -> list[Target]:
    """Return the targets of this file."""
    return [
        RangeTarget(),
        CardsTarget(),
        BoardsTarget(),
        SpotTarget(),
        YamlTarget(),
        OverrideTarget(),
        SolutionLineTarget(),
        StateLineTarget(),
        BlueprintLineTarget(),
        PhhTarget(),
    ]
