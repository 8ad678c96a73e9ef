"""`overbet upi` in the place of PioSOLVER: driven by pious, a client from PyPI, and by a tree script."""

from __future__ import annotations

import importlib.resources
import io
import sys
from pathlib import Path

import numpy as np
import pytest

from overbet.interfaces.protocols.upi.session import UpiSession

pytest.importorskip("pious", reason="pious is not installed (pip install pious)")


def test_pious_takes_us_for_piosolver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pious.pio.solver import Solver

    program = tmp_path / "overbet.exe"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m overbet upi\n')
    program.chmod(0o755)
    solver = Solver(str(tmp_path), "overbet")
    assert len(solver.show_hand_order()) == 1326
    solver.set_board("Ks Th 7s 4d 2c")
    solver.set_range("OOP", "QQ-22,AQs-A2s")
    solver.set_range("IP", [1.0] * 1326)
    solver.set_pot(0, 0, 100)
    solver.set_eff_stack(300)
    solver.set_isomorphism(True, False)
    solver.clear_lines()
    for line in ([75, 300], [0, 75, 300], [5]):
        assert solver.add_line(line) == "add_line ok!"
    solver.remove_line([5])
    assert solver.build_tree() == "build_tree ok!"
    root = solver.show_node("r:0")
    assert (root.node_id, root.get_position(), root.pot, root.num_children) == ("r:0", "OOP", (0, 0, 100), 2)
    assert solver.show_children_actions("r:0:b75") == ["b300", "c", "f"]
    assert [child.node_type for child in solver.show_children("r:0:b75")] == [
        "OOP_DEC",
        "END_NODE",
        "END_NODE",
    ]
    solver.set_accuracy(0.005, "fraction")
    assert "SOLVER: stopped (required accuracy reached)" in solver.go(quiet=True)
    assert solver.wait_for_solver() == "wait_for_solver ok!"
    shares = np.array(solver.show_strategy("r:0"))
    evs, pairs = solver.calc_ev("OOP", "r:0")
    parts = [solver.calc_ev("OOP", child.node_id)[0] for child in solver.show_children("r:0")]
    known = np.isfinite(evs) & (pairs > 0)
    mixed = sum(share * part for share, part in zip(shares, parts, strict=True))
    assert np.abs(mixed - evs)[known].max() < 0.02
    assert solver.calc_eq_node("IP", "r:0")[2] == pytest.approx(
        1 - solver.calc_eq_node("OOP", "r:0")[2], abs=1e-4
    )
    assert solver.show_tree_info()["EffectiveStacks"] == 300
    assert "r:0:b75:b300:c" in solver.show_all_lines()
    solver.set_strategy("r:0", [0.0] * 1326 + [1.0] * 1326)
    solver.lock_node("r:0")
    solver.go(20, "steps", quiet=True)
    assert solver.calc_global_freq("r:0:c") == pytest.approx(1.0)
    solver.dump_tree(str(tmp_path / "kept.cfr"), "full")
    solver.load_tree(str(tmp_path / "kept.cfr"))
    assert solver.show_board() == "Ks Th 7s 4d 2c"
    assert solver.unlock_node("r:0") == "unlock_node ok!"
    with pytest.raises(ValueError, match="Could not find node_id"):
        solver.show_node("r:0:b33")
    solver.process.stdin.close()
    assert solver.process.wait(300) == 0
    capsys.readouterr()  # pious prints what it reads


def test_a_tree_building_script_of_piosolvers_own() -> None:
    """A flop tree as PioViewer writes it: 266 lines, two ranges of 1,326 weights."""
    folder = importlib.resources.files("pious.pio.resources.tree_building")
    script = (folder / "25bbHU-2sizes.txt").read_text(encoding="utf-8")
    out = io.StringIO()
    session = UpiSession(out)
    lines = [line for line in script.splitlines() if not line.startswith("build_tree")]
    session.talk(lines)
    assert out.getvalue().count(" ok!") == sum(bool(line) and line[0] != "#" for line in lines)
    assert "ERROR" not in out.getvalue()
    out.truncate(0)
    session.line("estimate_tree")
    assert "Estimated tree size" in out.getvalue()
    spot = session.words.spot()
    assert (spot.board, spot.pot, spot.effective_stack, len(spot.lines)) == ("QhQc2c", 40, 230, 266)
