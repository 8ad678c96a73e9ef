"""The ledger: what is written comes back, comparisons are the right ones, and damage is named."""

from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError
from overbet.evaluation.ledger import append, compare, row, rows, values
from overbet.evaluation.statistics import interval_of


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "ledger.sqlite"


def note(file, numbers, seed=1, **more):
    facts = {"kind": "match", "subject": "tag", "against": "lag", "game": "g", **more}
    return append(estimate=interval_of(numbers), values=numbers, seed=seed, path=file, **facts)


def test_a_measurement_comes_back_whole(file):
    numbers = np.random.default_rng(1).standard_normal(50)
    number = note(file, numbers, config="c1", abstraction="b1", command="overbet match", extra={"hands": 100})
    found = row(number, file)
    assert (found.version, found.kind, found.subject, found.against) == (__version__, "match", "tag", "lag")
    assert (found.config, found.abstraction, found.command, found.seed) == ("c1", "b1", "overbet match", 1)
    assert found.extra == {"hands": 100}
    assert found.estimate == interval_of(numbers)
    np.testing.assert_array_equal(values(number, file), numbers)
    assert found.time.startswith("20")
    assert found.facts()["groups"] == 50


def test_filters(file):
    for subject, against in (("tag", "lag"), ("blueprint:heads-up", "tag"), ("blueprint:heads-up", "lag")):
        note(file, [1.0, 2.0], subject=subject, against=against)
    assert [found.number for found in rows(path=file)] == [1, 2, 3]
    assert [found.number for found in rows(subject="blueprint", path=file)] == [2, 3]
    assert [found.number for found in rows(subject="blueprint", against="lag", path=file)] == [3]
    assert [found.number for found in rows(last=2, path=file)] == [2, 3]
    assert rows(since="2999", path=file) == []
    assert rows(kind="lbr", path=file) == []


def test_the_same_deals_are_compared_by_pairs(file):
    rng = np.random.default_rng(2)
    luck = 1000.0 * rng.standard_normal(300)
    one = note(file, luck + 20.0 + rng.standard_normal(300), subject="a")
    two = note(file, luck + rng.standard_normal(300), subject="b")
    found = compare(one, two, file)
    assert found.paired
    assert found.difference.estimate.mean == pytest.approx(20.0, abs=0.5)
    assert found.difference.p_value < 1e-6


def test_other_deals_are_compared_by_their_intervals(file):
    rng = np.random.default_rng(3)
    one = note(file, rng.standard_normal(300), seed=1)
    two = note(file, rng.standard_normal(200), seed=2)
    found = compare(one, two, file)
    assert not found.paired
    assert "seeds 1 and 2" in found.why


@pytest.mark.parametrize(
    ("field", "value"),
    [("kind", "lbr"), ("game", "other"), ("against", "random"), ("unit", "bb"), ("settings", "fc")],
)
def test_what_is_not_comparable_is_refused_with_the_reason(file, field, value):
    one, two = note(file, [1.0, 2.0]), note(file, [1.0, 2.0], **{field: value})
    with pytest.raises(ConfigError, match=f"not comparable: their {field} differs"):
        compare(one, two, file)


def test_shared_deals_without_their_results_are_refused(file):
    for _ in range(2):
        append("lbr", "tag", interval_of([1.0, 2.0]), seed=5, path=file)
    with pytest.raises(ConfigError, match="share their deals"):
        compare(1, 2, file)
    with pytest.raises(ConfigError, match="with itself"):
        compare(1, 1, file)
    with pytest.raises(ConfigError, match="there is no measurement 9"):
        compare(1, 9, file)


def test_one_group_and_no_ledger(file):
    with pytest.raises(ArtefactError, match="there is no ledger yet"):
        rows(path=file)
    number = note(file, [3.0])
    assert row(number, file).facts()["half"] is None


def test_a_damaged_file_is_named(file):
    note(file, [1.0, 2.0])
    file.write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(ArtefactError, match=r"ledger\.sqlite is damaged"):
        rows(path=file)
    with pytest.raises(ArtefactError, match=r"ledger\.sqlite is damaged"):
        note(file, [1.0, 2.0])


def write_some(file, first):
    for place in range(20):
        note(file, [float(first + place), 1.0])


def test_many_writers_lose_nothing(file):
    with ProcessPoolExecutor(4) as pool:
        for done in [pool.submit(write_some, file, 100 * worker) for worker in range(4)]:
            done.result()
    found = rows(path=file)
    assert len(found) == 80
    assert len({measurement.estimate.mean for measurement in found}) == 80
