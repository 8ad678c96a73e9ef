"""UPI: scripts written for PioSOLVER, the forms of its answers, and figures that are those of our solver."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import overbet
from overbet.cards.combos import combo, combo_table
from overbet.errors import OverbetError
from overbet.interfaces.protocols.upi.reading import command_lines
from overbet.interfaces.protocols.upi.session import UpiSession
from overbet.interfaces.protocols.upi.words import matchups, words_of

SETUP = """\
set_board Ks Th 7s 4d 2c
set_range OOP QQ-22,AQs-A2s
set_range IP AA-JJ,76s
set_pot 0 0 100
set_eff_stack 300
set_isomorphism 1 0
clear_lines
add_line 75 300
add_line 0 75 300
add_line 0 150
build_tree
set_accuracy 0.2 chips
"""
TURN = """\
set_board KsTh7s4d
set_range OOP QQ-22
set_range IP AA-JJ,76s
set_pot 0 0 100
set_eff_stack 200
add_line 50 50 200
add_line 0 0 100
build_tree
"""
# as PioSOLVER prints it: node, type, board, chips, children, flags
NODE = "r:0:b75\nIP_DEC\nKs Th 7s 4d 2c\n75 0 100\n3 children\nflags:"


class _Talk:
    """A session, command by command."""

    def __init__(self, *scripts: str) -> None:
        self.out = io.StringIO()
        self.session = UpiSession(self.out)
        for line in "".join(scripts).splitlines():
            assert self(line) == f"{line.split()[0]} ok!", line

    def __call__(self, line: str) -> str:
        self.out.seek(0)
        self.out.truncate()
        self.session.line(line)
        return self.out.getvalue().removesuffix("\n")

    def solved(self, line: str = "go") -> str:
        """Solve, and return how the solver says that it ended."""
        assert self(line).startswith("go ok!")
        said = self("wait_for_solver")
        assert said.endswith("wait_for_solver ok!")
        return self.out.getvalue()

    def rows(self, line: str) -> np.ndarray:
        return np.array([[float(word) for word in row.split()] for row in self(line).split("\n")])


@pytest.fixture(scope="module")
def river() -> _Talk:
    talk = _Talk(SETUP)
    assert "SOLVER: stopped (required accuracy reached)" in _ended(talk)
    return talk


def _ended(talk: _Talk) -> str:
    """Solve and return all that was printed."""
    talk("go")
    talk.session.line("wait_for_solver")
    return talk.out.getvalue()


def test_answers_have_the_forms_of_the_original(river: _Talk) -> None:
    assert river("is_ready") == "is_ready ok!"
    assert river("show_node r:0:b75") == NODE
    assert river("show_node r").split("\n")[:2] == ["r", "ROOT"]
    assert river("show_children r:0:b75").split("\n\n")[0] == (
        "child 0:\nr:0:b75:b300\nOOP_DEC\nKs Th 7s 4d 2c\n75 300 100\n2 children\nflags:"
    )
    assert re.findall(r"^r:.*$", river("show_children r:0:b75"), re.MULTILINE) == [
        "r:0:b75:b300",
        "r:0:b75:c",
        "r:0:b75:f",
    ]
    assert "END_NODE" in river("show_node r:0:b75:c")
    assert river("show_hand_order").startswith("2d2c 2h2c 2h2d 2s2c")
    assert river("show_effective_stack") == "300"
    assert river("show_board_no_iso") == "Ks Th 7s 4d 2c"
    info = dict(line[1:].split("#") for line in river("show_tree_info").split("\n"))
    assert (info["Board"], info["Pot"], info["EffectiveStacks"]) == ("Ks Th 7s 4d 2c", "100", "300")
    results = river("calc_results").split("\n")
    assert [line.split(":")[0] for line in results] == [
        "running time",
        "EV OOP",
        "EV IP",
        "OOP's MES",
        "IP's MES",
        "Exploitable for",
    ]
    oop, ip, best_oop, best_ip, gain = (float(line.split(": ")[1]) for line in results[1:])
    assert oop + ip == pytest.approx(100, abs=0.01)
    assert (best_oop + best_ip - 100) / 2 == pytest.approx(gain, abs=0.01)
    assert gain <= 0.2


def test_figures_are_those_of_our_solver(river: _Talk) -> None:
    solution = river.session._solution
    assert solution is not None
    node = solution.node("r:0")
    shares = river.rows("show_strategy r:0")
    assert shares.shape == (2, 1326)
    live = node.oop.combos
    assert node.oop.strategy is not None
    np.testing.assert_allclose(shares[:, live], node.oop.strategy[:, ::-1].T, atol=1e-6)  # bets come first
    evs, pairs = river.rows("calc_ev OOP r:0")
    np.testing.assert_allclose(evs[live], node.oop.ev_chips, rtol=1e-5)
    parts = np.stack([river.rows(f"calc_ev OOP r:0:{token}")[0] for token in ("b75", "c")])
    np.testing.assert_allclose((shares * parts).sum(0)[live], evs[live], atol=0.02)
    weight = pairs * river.rows("show_range OOP r:0")[0]
    mean = float(re.findall(r"EV OOP: (\S+)", river("calc_results"))[0])
    assert np.nansum(np.nan_to_num(evs) * weight) / weight.sum() == pytest.approx(mean, abs=0.01)
    # global: who bet 75 and folds to the raise has lost 75, and the other won pot and bet
    held = river.rows("show_range OOP r:0:b75:b300:f")[0] > 0
    assert np.allclose(river.rows("calc_ev OOP r:0:b75:b300:f")[0][held], -75)
    assert np.nanmax(river.rows("calc_ev IP r:0:b75:b300:f")[0]) == pytest.approx(175)
    equities = river("calc_eq_node IP r:0").split("\n")
    assert len(equities) == 3
    assert float(equities[2]) == pytest.approx(node.ip.mean_equity, abs=1e-5)
    first = river.rows("calc_eq IP")
    np.testing.assert_allclose(first[0][node.ip.combos], node.ip.equity, atol=1e-5)
    played = [float(river(f"calc_global_freq r:0:{token}")) for token in ("b75", "c")]
    assert sum(played) == pytest.approx(1, abs=1e-4)
    np.testing.assert_allclose(played[::-1], node.oop.frequencies(), atol=1e-4)


def test_matchups_count_pairs_of_hands() -> None:
    rng = np.random.default_rng(4)
    weights = rng.random(1326) * (rng.random(1326) < 0.1)
    table = combo_table()
    for hand in rng.choice(1326, 20):
        apart = [not set(table[hand]) & set(other) for other in table]
        assert matchups(weights)[hand] == pytest.approx(weights[apart].sum())


def test_cards_and_frequencies_of_a_turn() -> None:
    talk = _Talk(TURN)
    _ended_at(talk, "go 60 steps")
    split = talk("show_node r:0:c:c").split("\n")
    assert (split[1], split[4]) == ("SPLIT_NODE", "48 children")
    names = re.findall(r"^r:0:c:c:(..)$", talk("show_children r:0:c:c"), re.MULTILINE)
    assert len(names) == 48
    reached = float(talk("calc_global_freq r:0:c:c"))
    dealt = sum(float(talk(f"calc_global_freq r:0:c:c:{card}")) for card in names)
    assert dealt == pytest.approx(reached, rel=1e-4)
    assert talk("show_node r:0:c:c:2c").split("\n")[2] == "Ks Th 7s 4d 2c"
    assert talk("show_children r:0:c:c:2c:b100").count("child ") == 2
    assert "r:0:b50:c:b200" in talk("show_all_lines").split("\n")


def _ended_at(talk: _Talk, line: str) -> str:
    talk(line)
    talk.session.line("wait_for_solver")
    said = talk.out.getvalue()
    assert "SOLVER: stopped (limit reached)" in said
    return said


def test_locks_are_solved_around_and_files_come_back(tmp_path: Path) -> None:
    talk = _Talk(SETUP)
    never, always = " ".join(["0"] * 1326), " ".join(["1"] * 1326)
    assert talk(f"set_strategy r:0 {never} {always}") == "set_strategy ok!"
    assert talk("lock_node r:0") == "lock_node ok!"
    assert talk("show_node r:0").endswith("flags: LOCKED")
    assert "required accuracy" in _ended(talk) or "limit" in talk.out.getvalue()
    assert float(talk("calc_global_freq r:0:b75")) == pytest.approx(0, abs=1e-6)
    path = tmp_path / "my tree.cfr"
    assert talk(f'dump_tree "{path}"') == "dump_tree ok!"
    assert talk(f'show_metadata "{path}"').startswith("#Type#NoLimit")
    other = _Talk()
    assert other(f'load_tree "{path}"') == "load_tree ok!"
    assert other("calc_results").split("\n")[1:] == talk("calc_results").split("\n")[1:]
    assert other("show_node r:0").endswith("flags: LOCKED")
    assert other("unlock_node r:0") == "unlock_node ok!"
    assert "SOLVER: started" in _ended_quickly(other)
    assert float(other("calc_global_freq r:0:b75")) > 0.001


def _results(talk: _Talk) -> dict[str, float]:
    rows = (line.split(": ") for line in talk("calc_results").split("\n"))
    return {name: float(value) for name, value in rows}


def test_results_keep_to_the_locks_as_the_accuracy_does() -> None:
    """Who is locked to a bad strategy cannot gain by leaving it: that would never reach a target."""
    talk = _Talk(SETUP)
    never, always = " ".join(["0"] * 1326), " ".join(["1"] * 1326)
    talk(f"set_strategy r:0:b75 {never} {never} {always}")  # IP folds to every bet
    talk("lock_node r:0:b75")
    assert "required accuracy reached" in _ended(talk)
    found = _results(talk)
    assert found["Exploitable for"] <= 0.2
    gains = found["OOP's MES"] + found["IP's MES"] - found["EV OOP"] - found["EV IP"]
    assert gains / 2 == pytest.approx(found["Exploitable for"], abs=0.002)
    solution = talk.session._solution
    assert solution is not None
    free = solution.ev("ip") + solution.best_response("ip").gain_chips  # what IP would win without its lock
    assert free > found["IP's MES"] + 5


def test_results_of_a_locked_tree_without_its_rivers(tmp_path: Path) -> None:
    talk = _Talk(TURN)
    never, always = " ".join(["0"] * 1326), " ".join(["1"] * 1326)
    talk(f"set_strategy r:0 {never} {always}")
    talk("lock_node r:0")
    _ended_at(talk, "go 40 steps")
    whole = _results(talk)
    path = tmp_path / "small.cfr"
    assert talk(f'dump_tree "{path}" no_rivers') == "dump_tree ok!"
    assert talk(f'load_tree "{path}"') == "load_tree ok!"
    small = _results(talk)
    assert np.isnan(small.pop("OOP's MES"))  # which hands are locked is not in such a file
    assert small == pytest.approx({name: whole[name] for name in small}, abs=0.002)


def _ended_quickly(talk: _Talk) -> str:
    talk("set_accuracy 0.5")
    return _ended(talk)


def test_go_runs_beside_and_stop_ends_it() -> None:
    talk = _Talk(TURN)
    talk("set_accuracy 0")
    assert talk("go").startswith("go ok!")
    assert talk("is_ready").endswith("is_ready ok!")
    assert "the solver is running" in talk("show_strategy r:0")
    talk.session.line("stop")
    said = talk.out.getvalue()
    assert said.endswith("stop ok!\n")
    assert "SOLVER: stopped (requested)" in said
    solution = talk.session.answer("calc_results")
    assert "Exploitable for" in solution
    before = talk.session._solution
    assert before is not None
    _ended_at(talk, "go 5 steps")
    talk("is_ready")
    talk("calc_results")
    after = talk.session._solution
    assert after is not None
    assert after.iteration == before.iteration + 5  # it went on


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("frobnicate", "unknown command 'frobnicate'"),
        ("show_nod r:0", "did you mean 'show_node'"),
        ("set_board Ks", "3, 4 or 5 cards"),
        ("set_board Ks Ks 2c", "twice"),
        ("set_range OOP", "takes OOP or IP and a range"),
        ("set_range BTN AA", "write OOP or IP"),
        ("set_range OOP 1 1 1", ""),
        ("set_range IP " + "2 " * 1326, "0 to 1"),
        ("set_range IP " + "nan " * 1326, "finite"),
        ("set_pot 10 10 0", "not there"),
        ("set_pot x", "three numbers"),
        ("set_eff_stack -4", "whole number"),
        ("set_eff_stack 1e99", "whole number"),
        ("add_line 75 50", "number 2, 50"),
        ("add_line 75 75 75", "nobody is to act"),
        ("add_line 75.5", "whole number"),
        ("add_line", "no line of bets"),
        ("remove_line 3", "no line begins with 3"),
        ("set_bet_sizes river OOP bluff 3%", "set_bet_sizes takes"),
        ("set_bet_sizes river OOP bet 33%", "ok!"),
        ("build_tree", "both given"),
        ("clear_bet_sizes", "ok!"),
        ("set_accuracy 1 percent", "chips or fraction"),
        ("set_accuracy nan", "not a number"),
        ("go 5 hours", "seconds or steps"),
        ("go 0 steps", "whole number"),
        ("show_node", "one argument"),
        ("show_node q:0", "no node id"),
        ("show_node r:0:b76", "did you mean 'b75'"),
        ("show_strategy r:0:c:c", "nobody decides"),
        ("calc_ev MP r:0", "OOP or IP"),
        ("calc_ev OOP", "a node id"),
        ("set_strategy r:0 1 2 3", "2652 numbers"),
        ("lock_node r:0:c:c", "nobody decides"),
        ("unlock_node r:0", "not locked"),
        ("load_tree /nowhere/x.cfr", "is no file"),
        ("load_tree " + "x" * 5000, "File name too long"),
        ("load_script /nowhere/x.txt", "No such file"),
        ("dump_tree", "takes a file"),
        ("dump_tree /dev/null/x.cfr", "/dev/null"),
        ("set_rake 2 1", "ok!"),
        ("build_tree", "rake"),
    ],
)
def test_what_cannot_be_done_answers_error_and_goes_on(river: _Talk, line: str, said: str) -> None:
    answer = river(line)
    assert said in answer
    if said != "ok!":
        assert answer.startswith("ERROR: ")
    assert "unexpected" not in answer
    assert "\n" not in answer
    assert river("is_ready") == "is_ready ok!"
    assert river("show_node r:0:b75") == NODE  # the tree that was built stands


def test_before_there_is_a_tree() -> None:
    talk = _Talk()
    for line in (
        "show_node r:0",
        "go",
        "calc_results",
        "dump_tree x",
        "show_strategy r:0",
        "show_effective_stack",
    ):
        assert talk(line).startswith("ERROR: there is no tree")
    assert "set_board, set_range OOP" in talk("build_tree")
    assert talk("stop") == "stop ok!"
    assert talk("wait_for_solver") == "wait_for_solver ok!"
    assert talk("wait") == "wait ok!"
    for line in SETUP.splitlines():
        talk(line)
    assert talk("show_strategy r:0").count("0.5") > 100  # a tree not solved is played evenly
    assert "go first" in talk("dump_tree x.cfr")


def test_end_strings_comments_quotes_and_scripts(tmp_path: Path) -> None:
    talk = _Talk()
    assert talk("# a comment") == ""
    assert talk("") == ""
    assert talk("set_end_string END") == "set_end_string ok!\nEND"
    assert talk("nothing_known").split("\n")[1] == "END"
    assert talk("echo a  b") == "a b\nEND"
    assert words_of('load_tree "a b c.cfr" fast') == ["load_tree", "a b c.cfr", "fast"]
    script = tmp_path / "a script.txt"
    script.write_text(f"is_ready\n# no\necho {'x' * 5}\n")
    assert talk(f'load_script "{script}"') == "is_ready ok!\nEND\nxxxxx\nEND\nload_script ok!\nEND"
    assert talk(f'load_script_silent "{script}"') == "load_script_silent ok!\nEND"
    script.write_text(f'load_script "{script}"\n')
    assert "within each other" in talk(f'load_script "{script}"')
    assert talk("reset_end_string") == "reset_end_string ok!"
    lines = list(command_lines(io.BytesIO(b"is_ready\n" + b"x" * 3_000_000 + b"\nis_ready")))
    assert (lines[0], len(lines), lines[2]) == ("is_ready\n", 3, "is_ready")
    assert "at most" in talk(lines[1])


def test_bet_sizes_are_an_extension() -> None:
    talk = _Talk(SETUP)
    talk("clear_lines")
    assert talk("set_bet_sizes every OOP bet 75%") == "set_bet_sizes ok!"
    assert talk("set_bet_sizes every IP bet 50%, a") == "set_bet_sizes ok!"
    assert talk("set_bet_sizes every IP raise a") == "set_bet_sizes ok!"
    assert talk("build_tree") == "build_tree ok!"
    assert re.findall(r"^r:0:c:.*$", talk("show_children r:0:c"), re.MULTILINE) == [
        "r:0:c:b300",
        "r:0:c:b50",
        "r:0:c:c",
    ]


def test_the_example_from_the_command_line_and_a_closed_pipe() -> None:
    script = Path(overbet.__file__).parents[2] / "examples" / "river.upi"
    run = subprocess.run(
        [sys.executable, "-m", "overbet", "upi"],
        input=b"\xff\xfe garbage\n" + script.read_bytes() + b"exit\nis_ready\n",
        capture_output=True,
        check=False,
        timeout=120,
    )
    said = run.stdout.decode()
    assert run.returncode == 0
    assert said.startswith("ERROR: unknown command")
    assert "SOLVER: stopped (required accuracy reached)" in said
    assert "is_ready ok!" not in said  # nothing is answered after exit
    assert run.stderr == b""


def test_the_documents_table_is_what_is_there() -> None:
    """Every command of the table answers, those that are said to be missing do not, and none is left out."""
    text = (Path(overbet.__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`.*?) \| (.*) \|$", text.partition("| commands | what is there |")[2], re.MULTILINE
    )
    session = UpiSession(io.StringIO())
    there = {*session._anytime, *session._idle}
    told: set[str] = set()
    for names, what in rows:
        named = {name.split()[0] for name in re.findall(r"`([^`]+)`", names)} - {
            "full",
            "no_rivers",
            "no_turns",
        }
        if "not there: they answer" in what:
            assert not named & there
        else:
            assert named <= there
            told |= named
    assert told == there


def test_combos_are_in_the_order_of_the_original() -> None:
    pious = pytest.importorskip("pious.util")
    assert [combo(text) for text in pious.PIO_HAND_ORDER] == list(range(1326))


def test_errors_are_ours() -> None:
    with pytest.raises(OverbetError):
        UpiSession(io.StringIO()).answer("frobnicate")
