"""Whatever is typed: one line, a fitting exit code, and no finished work thrown away."""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import sys
import warnings
from pathlib import Path

import pytest

from overbet.errors import ArtefactError
from overbet.interfaces.cli import app
from overbet.interfaces.cli.app import main
from overbet.signals import polite_signals

QUICK = Path(__file__).parents[2] / "examples" / "quick.yaml"
CONFIG = Path(__file__).parents[2] / "configs" / "fast_test.yaml"
DEEP = 100_000 * "[" + 100_000 * "]"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Told:
    """What a command line ended with."""

    def __init__(self, code: object, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def is_refused(self) -> bool:
        """Return whether it was refused in one line of a length that can be read."""
        assert "Traceback" not in self.err
        assert len(self.err) < 2_500
        usage = "Usage:" in self.err and "Error" in self.err
        own = [line for line in self.err.splitlines() if line.startswith("error: ")]
        return self.code == 2 and (usage or len(own) == 1) and "unexpected" not in self.err


@pytest.fixture
def overbet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(*words: object) -> Told:
        monkeypatch.setattr(sys, "argv", ["overbet", *(str(word) for word in words)])
        with pytest.raises(SystemExit) as left:
            main()
        return Told(left.value.code, *capsys.readouterr())

    return run


@pytest.mark.parametrize("value", ["a=[", "a={b", "a=!!timestamp x", "a=2001-99-99", "a=" + "9" * 5000, DEEP])
@pytest.mark.parametrize(
    "verb", [["solve", QUICK], ["tree", QUICK], ["train", CONFIG], ["buckets", "build"]], ids=lambda v: v[0]
)
def test_broken_values_of_set(overbet, verb: list[object], value: str) -> None:
    assert overbet(*verb, "--set", value).is_refused()


@pytest.mark.parametrize(
    "words",
    [
        "match tag lag --stacks inf",
        "match tag lag --stacks nan",
        "match tag lag --stacks 1e400bb",
        "match tag lag --stacks 99999999999",
        "match tag lag --blinds 1,99999999999",
        "match tag lag --ante 99999999999",
        f"match tag lag --seed {2**63}",
        f"match tag lag --seed {10**30}",
        f"match tag lag --hands {10**30}",
        f"lbr tag --seed {2**64}",
        "lbr tag --seed -1",
        "lbr tag --stack inf",
        "lbr tag --stack nan",
        "match equity:inf tag",
        "match equity:nan tag",
        f"tabular kuhn --iterations {10**30}",
        f"sample kuhn --seed {2**64}",
        f"sample kuhn --iterations {10**30}",
        "sample kuhn --epsilon nan",
        f"equity AhKh QsQd --seed {2**63}",
        f"equity AhKh QsQd --samples {10**30}",
        "pushfold --stack inf",
        "pushfold --stack nan",
        f"ledger show {10**30}",
        f"policy x.json --rows {10**30}",
    ],
)
def test_numbers_beyond_all_bounds(overbet, words: str) -> None:
    assert overbet(*words.split()).is_refused()


LONG = "x" * 5000


@pytest.mark.parametrize(
    "words",
    [
        ["solve", LONG],
        ["tree", LONG],
        ["show", LONG],
        ["policy", LONG + ".json"],
        ["exploitability", LONG],
        ["exploitability", LONG + ".json"],
        ["replay", LONG + ".phh"],
        ["pluribus", LONG + ".phh"],
        ["batch", QUICK, "--flops", LONG, "--out", "out"],
        ["batch", QUICK, "--flops", "25", "--out", LONG],
        ["flops", LONG],
        ["flops", "--build", LONG],
        ["train", LONG],
        ["train", CONFIG, "--out", LONG],
        ["train", "--resume", LONG],
        ["blueprint", "show", LONG],
        ["blueprint", "info", LONG],
        ["blueprint", "import", LONG, "x.h5"],
        ["blueprint", "measure", LONG],
        ["buckets", "build", "--out", LONG + ".h5"],
        ["buckets", "show", "AhKh", "--buckets", LONG],
        ["match", "blueprint:" + LONG, "tag"],
        ["tabular", "kuhn", "--rule-file", LONG],
        ["tabular", "kuhn", "--csv", LONG],
        ["sample", "--resume", LONG],
        ["solve", QUICK, "--resume", LONG],
    ],
    ids=lambda words: " ".join(str(word)[:20] for word in words),
)
def test_paths_longer_than_the_system_allows(overbet, words: list[object]) -> None:
    assert overbet(*words).is_refused()


@pytest.mark.parametrize(
    "words",
    [
        "policy deep.json",
        "exploitability deep.json --no-ledger",
        "blueprint import deep.json x.h5",
        "tabular kuhn --rule-file deep.json",
        "solve deep.json",
        "tree deep.json",
        "train deep.json",
        "tree bomb.yaml",
        "tree circle.yaml",
    ],
)
def test_files_nested_without_end(overbet, folder: Path, words: str) -> None:
    (folder / "deep.json").write_text('{"a": ' + DEEP + "}")
    lists = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)]
    (folder / "bomb.yaml").write_text("a0: &a0 [1, 2]\n" + "".join(lists))
    (folder / "circle.yaml").write_text("board: &x [*x]\n")
    assert overbet(*words.split()).is_refused()


def test_values_of_the_wrong_kind(overbet, folder: Path) -> None:
    for board in ("5", "[1.5, x]", "{a: 1}", "null", ".inf"):
        (folder / "spot.yaml").write_text(QUICK.read_text() + f"\nboard: {board}\n")
        assert overbet("tree", "spot.yaml").is_refused(), board
    (folder / "file").write_text("x")
    told = overbet("train", CONFIG, "--out", "file")
    assert told.is_refused()
    assert "Not a directory" in told.err


def test_what_is_echoed_is_short(overbet) -> None:
    told = overbet("range", "X" * 10_000_000)
    assert told.is_refused()
    assert len(told.err) < 400
    assert overbet("equity", "AhKh", "Q" * 1_000_000).is_refused()
    assert overbet("equity", "AhKh", "QsQd", "--board", "Z" * 1_000_000).is_refused()
    assert overbet("lbr", "tag", "--hands", "x" * 1_000_000).is_refused()
    assert overbet("Y" * 1_000_000).is_refused()


def test_names_that_look_like_markup(overbet) -> None:
    assert overbet("scorecard", "[/]").is_refused()
    assert overbet("match", "blueprint:[/]", "tag").is_refused()


def test_an_unexpected_error_is_one_line(overbet, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError("first\nsecond " + "x" * 5000)

    monkeypatch.setattr("overbet.games.registry.entries", broken)
    told = overbet("games", "--json")
    assert told.code == 1
    (line,) = told.err.splitlines()
    assert line.startswith("error: unexpected ZeroDivisionError: first second xxx")
    assert "`overbet --debug games --json` shows the traceback" in line
    assert "report" in line
    assert len(line) < 2_000
    for words in (["--debug", "games"], ["games", "--debug"]):
        monkeypatch.setattr(sys, "argv", ["overbet", *words])
        with pytest.raises(ZeroDivisionError):
            main()


def test_output_that_is_not_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    monkeypatch.setattr(sys, "argv", ["overbet", "equity", "AhKh", "QsQd", "--board", "Td9d6h"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert b"AhKh" in written.getvalue()


def test_a_token_that_is_no_action_is_pointed_at(overbet) -> None:
    told = overbet("blueprint", "show", "heads-up", "--line", "r:0:B300")
    assert told.is_refused()
    assert "at token 1, 'B300', of 'r:0:B300': actions are written in small letters" in told.err
    for line in ("r:0:c:x", "r:0:", "r:0::c", "r:1", "r:0b300", "r:0:b²", "r:0:b" + "9" * 5000, "r:0:Td9d6h"):
        assert overbet("blueprint", "show", "heads-up", "--line", line).is_refused(), line


def test_a_blueprint_says_how_its_line_goes_on(overbet) -> None:
    told = overbet("blueprint", "show", "heads-up", "--line", "r:0:b300:c")
    shown = json.loads(overbet("blueprint", "show", "heads-up", "--line", "r:0:b300:c", "--json").out)
    assert shown["tokens"][0] == "c"
    assert all(int(token[1:]) > 300 for token in shown["tokens"][1:])  # 300 went in before the flop
    assert f"the line goes on with {', '.join(shown['tokens'])}" in told.out


@pytest.mark.parametrize(
    ("words", "work"),
    [
        (["solve", QUICK, "--save", "PLACE.h5"], "overbet.solvers.vector.api.solve"),
        (["solve", QUICK, "--plot", "PLACE.png"], "overbet.solvers.vector.api.solve"),
        (["batch", QUICK, "--out", "PLACE"], "overbet.solvers.vector.batches.batch.solve_batch"),
        (["tabular", "kuhn", "--csv", "PLACE"], "overbet.solvers.tabular.TabularSolver"),
        (["tabular", "kuhn", "--plot", "PLACE.png"], "overbet.solvers.tabular.TabularSolver"),
        (["tabular", "kuhn", "--save", "PLACE.json"], "overbet.solvers.tabular.TabularSolver"),
        (["sample", "kuhn", "--save", "PLACE.h5"], "overbet.solvers.sampling.SamplingSolver"),
        (["sample", "kuhn", "--policy", "PLACE.json"], "overbet.solvers.sampling.SamplingSolver"),
        (["sample", "kuhn", "--csv", "PLACE"], "overbet.solvers.sampling.SamplingSolver"),
        (["match", "tag", "lag", "--out", "PLACE.csv"], "overbet.evaluation.matches.play_match"),
        (["match", "tag", "lag", "--histories", "PLACE.phhs"], "overbet.evaluation.matches.play_match"),
        (["tournament", "tag", "lag", "--plot", "PLACE.png"], "overbet.evaluation.round_robin.round_robin"),
        (["buckets", "build", "--out", "PLACE.h5"], "overbet.abstraction.bucket_build.build_buckets"),
        (["flops", "--build", "PLACE"], "overbet.solvers.vector.batches.flop_choice.build_subsets"),
        (["pushfold", "--stack", "5", "--plot", "PLACE.png"], "overbet.solvers.pushfold.solve_pushfold"),
        (["preflop-table", "--out", "PLACE.npz"], "overbet.cards.preflop_build.count_matchups"),
        (["blueprint", "export", "heads-up", "PLACE"], "overbet.blueprint.query.Blueprint.load"),
        (["blueprint", "import", "x.json", "PLACE.h5"], "overbet.blueprint.exchange.import_json"),
        (["show", "x.h5", "--export", "PLACE.csv"], "overbet.solvers.vector.store.load"),
        (["replay", "x.phh", "--out", "PLACE"], "overbet.interfaces.history.sources.read_hands"),
        (["train", CONFIG, "--plot", "PLACE.png"], "overbet.blueprint.run.Run.start"),
    ],
    ids=lambda words: " ".join(str(word)[-20:] for word in words) if isinstance(words, list) else "",
)
def test_places_are_tried_before_the_work(
    overbet, folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[object], work: str
) -> None:
    def begun(*_: object, **__: object) -> None:
        raise AssertionError("the work was begun")

    monkeypatch.setattr(work, begun)
    (folder / "file").write_text("x")
    told = overbet(*(str(word).replace("PLACE", "file/below") for word in words))
    assert told.is_refused()
    assert "Not a directory; choose another place" in told.err


def test_a_solve_that_cannot_be_saved_is_shown(overbet, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise ArtefactError("cannot write s.h5: No space left on device")

    monkeypatch.setattr("overbet.solvers.vector.solution.Solution.save", full)
    told = overbet("solve", QUICK, "--iterations", 1, "--save", "s.h5")
    assert "exploitability" in told.out
    assert "saved to" not in told.out
    assert told.is_refused()


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("match tag lag --hands 20 --no-aivat", "mbb/hand"),
        ("match tag lag --hands 20 --no-aivat --json", '"hands": 20'),
        ("tournament tag lag --hands 20", "average"),
        ("lbr tag --hands 20 --bets fc", "the local best response"),
        ("lbr tag --hands 20 --bets fc --json", '"ledger": null'),
        ("scorecard tag --hands 20 --lbr-hands 20", "by AIVAT"),
        ("exploitability kuhn.json", "NashConv"),
    ],
)
def test_results_are_printed_whatever_becomes_of_the_ledger(
    overbet, folder: Path, monkeypatch: pytest.MonkeyPatch, words: str, result: str
) -> None:
    if "kuhn" in words:
        overbet("tabular", "kuhn", "--iterations", 3, "--save", "kuhn.json")
    (folder / "file").write_text("x")
    monkeypatch.setenv("OVERBET_HOME", str(folder / "file"))
    told = overbet(*words.split())
    assert result in told.out
    assert told.code == 3
    (line,) = [line for line in told.err.splitlines() if line.strip()]
    assert line.startswith("warning: the result is not in the ledger: ")


def test_a_match_goes_on_without_its_histories(overbet, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(record: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("overbet.interfaces.history.phh_writer.write_hand", full)
    told = overbet("match", "tag", "lag", "--hands", 20, "--no-aivat", "--no-ledger", "--histories", "h.phhs")
    assert "mbb/hand" in told.out
    assert told.is_refused()
    assert "cannot write h.phhs: No space left on device" in told.err
    assert not Path("h.phhs").exists()


@pytest.mark.parametrize("name", ["hands.csv", "hands.parquet"])
def test_a_limit_on_file_sizes_is_told_after_the_result(overbet, name: str) -> None:
    words = ("match", "tag", "lag", "--hands", 400, "--no-aivat", "--no-ledger")
    assert overbet(*words).code == 0  # compiled kernels are files too
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        told = overbet(*words, "--out", name)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "mbb/hand" in told.out
    assert told.is_refused()
    assert f"cannot write {name}: File too large; " in told.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_signal_saves_the_solve(
    overbet, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    from overbet.solvers.vector.solver import Solver

    look = Solver._look

    def asked_to_end(self: Solver, *given: float):
        os.kill(os.getpid(), number)
        return look(self, *given)

    monkeypatch.setattr(Solver, "_look", asked_to_end)
    with polite_signals():  # the signal of a failing test must not end the run of tests
        told = overbet("solve", QUICK, "--iterations", 100_000, "--target", 0, "--save", "s.h5", "--json")
    assert told.code == 128 + number
    assert json.loads(told.out)["stopped"]
    assert json.loads(told.out)["iterations"] < 100_000
    assert Path("s.h5").exists()


def test_a_polite_signal_ends_with_its_own_code(overbet, monkeypatch: pytest.MonkeyPatch) -> None:
    def entries() -> list[object]:
        os.kill(os.getpid(), signal.SIGTERM)
        return []

    monkeypatch.setattr("overbet.games.registry.entries", entries)
    with polite_signals():
        told = overbet("games")
    assert (told.code, told.err) == (143, "")


def test_what_the_package_warns_of_is_one_line(overbet, monkeypatch: pytest.MonkeyPatch) -> None:
    def warns(*_: object) -> int:
        warnings.warn("the search cache cannot be used: No space left on device", stacklevel=1)
        return 0

    monkeypatch.setattr(app, "_run", warns)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        told = overbet("games")
    assert told.err == "warning: the search cache cannot be used: No space left on device\n"
