"""The other choices of the menu, each a function that asks and returns the words of a command."""

from __future__ import annotations

from pathlib import Path

from overbet.blueprint.preset_configs import find_config, preset_names
from overbet.interfaces.cli.menu.asking import choose, write
from overbet.interfaces.cli.menu.checks import (
    check_agent,
    known_file,
    number_between,
    whole_between,
)

_AGENTS = (
    "blueprint:heads-up",
    "blueprint:expresso",
    "any-stacks",
    "tag",
    "lag",
    "equity:0.6",
    "always-call",
    "random",
)
_OWN = "another"


def config_choices() -> list[str]:
    """Return what `overbet train` can be given: the names of presets, and the files in `configs` here."""
    return [*preset_names(), *(str(path) for path in sorted(Path("configs").glob("*.yaml")))]


def train_words() -> list[str]:
    """Return the command that trains a blueprint from a config."""
    from overbet.blueprint.config import BlueprintConfig

    titles = [(f"{which}: {_first_comment(find_config(Path(which)))}", which) for which in config_choices()]
    config = choose("Train from which config?", [*titles, ("another config file", _OWN)])
    if config == _OWN:
        config = write("Path of the config", known_file)
    path = find_config(Path(config))
    given = BlueprintConfig.load(path, [])
    count = whole_between(1, 10**15, "the number of iterations")
    iterations = write("Iterations", count, str(given.iterations))
    changes: list[str] = []

    def readable(text: str) -> None:
        if text:
            BlueprintConfig.load(path, [*changes, text])

    while text := write("Change a setting, such as solver.rule=linear; Enter for none", readable):
        changes.append(text)
    out = write("Folder of the run", _new_folder, f"runs/{given.name}")
    settings = [word for change in changes for word in ("--set", change)]
    return ["train", config, "--iterations", str(count(iterations)), *settings, "--out", out]


def buckets_words() -> list[str]:
    """Return the command that builds card buckets."""
    from overbet.abstraction.bucket_config import PRESETS

    titles = [
        (f"{name}: {made.flop:,} flop, {made.turn:,} turn, {made.river:,} river buckets", name)
        for name, made in PRESETS.items()
    ]
    preset = choose("Which buckets?", titles)
    words = ["buckets", "build", "--preset", preset]
    for street in ("flop", "turn", "river"):
        own = getattr(PRESETS[preset], street)
        count = whole_between(1, 65_535, f"the number of {street} buckets")
        asked = count(write(f"Buckets on the {street}", count, str(own)))
        if asked != own:
            words += [f"--{street}", str(asked)]
    return words


def play_words() -> list[str]:
    """Return the command that plays against agents."""
    kind = choose("What?", [("Hands at a table", "table"), ("A whole Expresso against two", "expresso")])
    if kind == "expresso":
        drawn = [
            ("Drawn", ""),
            ("x2", "2"),
            ("x4", "4"),
            ("x10, two are paid", "10"),
            ("x25, all are paid", "25"),
        ]
        prize = choose("The prize, in buy-ins?", drawn)
        return ["play", "--expresso", *(["--multiplier", prize] if prize else [])]
    opponent = _agent("Against whom?")
    if opponent.startswith(("blueprint:", "search:")):
        return ["play", opponent]
    stack = write("Stacks in big blinds", number_between(1, 100_000, "the stack"), "100")
    seats = write("Seats", whole_between(2, 10, "the number of seats"), "2")
    return ["play", opponent, "--seats", seats, "--stacks", f"{stack.removesuffix('bb')}bb"]


def match_words() -> list[str]:
    """Return the command that plays a match."""
    first, second = _agent("The first agent"), _agent("The second agent")
    count = whole_between(2, 10**9, "the number of hands")
    return ["match", first, second, "--hands", str(count(write("Hands", count, "20000")))]


def page_words() -> list[str]:
    """Return the command that opens the page."""
    return ["serve"]


def _agent(words: str) -> str:
    found = choose(words, [*((name, name) for name in _AGENTS), ("another agent", _OWN)])
    return write("Agent, such as equity:0.7 or blueprint:runs/first", check_agent) if found == _OWN else found


def _first_comment(path: Path) -> str:
    """Return what a config says of itself in its first line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return lines[0].lstrip("# ") if lines and lines[0].startswith("#") else "a config"


def _new_folder(text: str) -> None:
    from overbet.errors import ConfigError
    from overbet.files import check_place

    if not text:
        raise ConfigError("write the name of a folder, such as runs/first")
    if (Path(text) / "config.yaml").exists():
        raise ConfigError(f"{text} has a run already; write another folder")
    check_place(Path(text) / "run")
