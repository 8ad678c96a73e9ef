"""A class of the grid is the mean over its combos, by how much of each gets here."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.cards.combos import class_of_combos, combo
from overbet.cards.grid import class_means

COMBOS = np.array([combo(text) for text in ("AsKs", "AhKh", "QsQh", "QdQc", "7s2h")])
CLASSES = class_of_combos()[COMBOS]
AKS, QQ, LOW = CLASSES[0], CLASSES[2], CLASSES[4]


def test_combos_weigh_by_what_they_are_given() -> None:
    weight = np.array([0.75, 0.25, 0.0, 0.0, 1.0])
    mix = np.array([[1.0, 0.0], [0.0, 1.0], [0.2, 0.8], [0.6, 0.4], [0.5, 0.5]])
    found = class_means(COMBOS, mix, weight)
    assert found.shape == (169, 2)
    np.testing.assert_allclose(found[AKS], [0.75, 0.25])
    np.testing.assert_allclose(found[QQ], [0.4, 0.6])  # never here: what it would do, plainly
    np.testing.assert_allclose(found[LOW], [0.5, 0.5])
    assert np.isnan(np.delete(found, [AKS, QQ, LOW], axis=0)).all()


def test_combos_without_a_value_are_left_out() -> None:
    values = np.array([np.nan, 3.0, np.nan, np.nan, 1.0])
    found = class_means(COMBOS, values, np.array([0.9, 0.1, 1.0, 1.0, 0.0]))
    assert found[AKS] == pytest.approx(3.0)
    assert np.isnan(found[QQ])
    assert found[LOW] == 1.0


def test_a_class_whose_weighty_combo_has_no_value_has_the_plain_mean_of_the_rest() -> None:
    found = class_means(COMBOS, np.array([np.nan, 3.0, 1.0, 1.0, 1.0]), np.array([1.0, 0.0, 1.0, 1.0, 1.0]))
    assert found[AKS] == pytest.approx(3.0)
