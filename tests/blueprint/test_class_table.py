"""The file of what classes are worth: written, read back to the bit, refused when it is damaged."""

from pathlib import Path

import numpy as np
import pytest

from overbet import artefact
from overbet.blueprint.class_table import FOLDER, KIND, STEPS, ClassTable, in_steps, load_class_table
from overbet.cards.combos import CLASSES
from overbet.errors import ArtefactError


def made() -> ClassTable:
    rng = np.random.default_rng(1)
    values = in_steps(rng.normal(0.5, 1.0, (2, 2, 4, CLASSES, CLASSES)))
    values[0, :, :, 0, :2] = -32768, 32767  # differences of the largest values wrap, and back
    values[0, 0, 1, 0, :2] = 32767, -32768
    return ClassTable("abc", 24, {"r:0:c:c": 0, "r:0:b200:c": 1}, values)


def test_a_table_comes_back_as_it_was(tmp_path: Path) -> None:
    table = made()
    table.save(tmp_path / "table.h5")
    again = load_class_table(tmp_path / "table.h5")
    assert (again.identity, again.boards, again.ends) == (table.identity, table.boards, table.ends)
    assert np.array_equal(again.values, table.values)
    found = again.find("r:0:b200:c", 0, 24)
    assert found is not None
    assert np.array_equal(in_steps(found), table.values[1, 0])
    assert again.find("r:0:b300:c", 0, 24) is None
    assert again.find("r:0:b200:c", 0, 48) is None


def test_steps_are_a_thousandth_of_the_pot_and_never_wrap() -> None:
    values = np.array([0.5, -3.25, 1e9, -1e9])
    assert in_steps(values).tolist() == [STEPS // 2, -3.25 * STEPS, 32767, -32768]


def test_a_damaged_table_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "table.h5"
    made().save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ArtefactError, match="write it anew"):
        load_class_table(path)
    artefact.write(path, KIND, {"identity": "abc", "boards": 24}, {"differences": made().values})
    with pytest.raises(ArtefactError, match="write it anew"):
        load_class_table(path)
    artefact.write(
        path, KIND, {"identity": "abc", "boards": 24, "ends": ["r:0:c:c"]}, {"differences": made().values}
    )
    with pytest.raises(ArtefactError, match="write it anew"):
        load_class_table(path)


def test_the_package_holds_the_heads_up_blueprints() -> None:
    table = load_class_table(FOLDER / "heads-up.h5")
    assert table.boards == 24
    assert table.values.shape == (41, 2, 4, CLASSES, CLASSES)
    assert np.abs(table.values).max() < 32767  # nothing was cut off
