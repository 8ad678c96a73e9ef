"""The range language: what each form means, the text that reads back, and errors that point."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from overbet.cards.combos import CLASSES, COMBOS, class_name, class_of_combos, combo_name, combos_of_class
from overbet.cards.range import Range
from overbet.cards.range_text import RANGE_FORMS
from overbet.errors import CardError, OverbetError, RangeError

# The wide and the flop ranges of the reference spots, with their combos counted by hand from the forms.
REFERENCE = {
    "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,95s+,85s+,74s+,63s+,53s+,43s,A2o+,K7o+,Q8o+,J8o+,T8o+,97o+,87o,76o": 78
    + 4 * 60
    + 12 * 31,
    "22+,A2s+,K2s+,Q2s+,J3s+,T5s+,95s+,84s+,74s+,63s+,53s+,43s,A2o+,K5o+,Q7o+,J7o+,T7o+,97o+,86o+,76o,65o": 78
    + 4 * 63
    + 12 * 38,
    "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s": 54 + 4 * 25 + 12 * 4,
    "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+": 66 + 4 * 40 + 12 * 6,
}


def classes_of(text: str) -> list[str]:
    """Return the names of the classes with any weight, sorted."""
    return sorted(class_name(i) for i in np.flatnonzero(Range.parse(text).classes()))


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("AA", "AA"),
        ("AK", "AKs AKo"),
        ("KAs", "AKs"),
        ("aKS", "AKs"),
        ("A10s", "ATs"),
        ("1010-88", "88 99 TT"),
        ("10h9h", "T9s"),
        ("JJ+", "JJ QQ KK AA"),
        ("KTo+", "KTo KJo KQo"),
        ("T8s+", "T8s T9s"),
        ("54s+", "54s"),
        ("KJ+", "KJs KQs KJo KQo"),
        ("44-22", "22 33 44"),
        ("22-44", "22 33 44"),
        ("A5s-A2s", "A2s A3s A4s A5s"),
        ("A2s-A5s", "A2s A3s A4s A5s"),
        ("A3-A2", "A2s A3s A2o A3o"),
        ("87s-54s", "87s 76s 65s 54s"),
        ("T8o-86o", "T8o 97o 86o"),
        ("  AA , KK\n", "AA KK"),
        ("AA KK", "AA KK"),
        ("A3s - A2s , QQ : 0.5", "A2s A3s QQ"),
    ],
)
def test_each_form_names_its_hands(text: str, hands: str) -> None:
    assert classes_of(text) == sorted(hands.split())


def test_weights_exact_combos_and_overriding() -> None:
    found = Range.parse("AA,KQs,A5s-A2s,KTo+:0.5,AsKh:.25")
    assert found.combos == 6 + 4 + 16 + 36 * 0.5 + 0.25
    assert found.weight("AsKh") == found.weight("KhAs") == 0.25
    assert found.weight("KTo") == 0.5
    assert found.weight("AKo") == pytest.approx(0.25 / 12)
    again = Range.parse("22+,77:.5,7h7d")
    assert again.weight("7h7d") == 1
    assert again.weight("7s7d") == 0.5
    assert Range.parse("77:.5,22+").weight("77") == 1
    assert Range.parse("any,AA:0").combos == 1320
    assert Range.parse("AA:1e-3").weight("AA") == np.float32(1e-3)
    assert Range.parse("random") == Range.full() == Range.parse("any")
    assert Range.parse(" ") == Range.empty() == Range.parse("")


@pytest.mark.parametrize("text", REFERENCE)
def test_reference_ranges(text: str) -> None:
    found = Range.parse(text)
    assert found.combos == REFERENCE[text]
    assert set(np.unique(found.weights)) == {0, 1}
    for written in (found.text(), found.text("gto+")):
        assert Range.parse(written) == found
        assert len(written) <= len(text)


@pytest.mark.parametrize(
    ("text", "place", "piece", "fault"),
    [
        ("AA,QQ+, KXs", 9, "'KXs'", "is not a hand"),
        ("AA,,KK", 4, "','", "where a hand should be"),
        (",AA", 1, "','", "where a hand should be"),
        ("AA,", 3, "','", "where a hand should be"),
        ("AA:1.5", 4, "'1.5'", "from 0 to 1"),
        ("AA:-1", 4, "'-1'", "is not a weight"),
        ("KK,AA:x", 7, "'x'", "is not a weight"),
        ("AA:nan", 4, "'nan'", "is not a weight"),
        ("AA:", 4, "''", "is not a weight"),
        (":.5", 1, "':'", "no hand before it"),
        ("KK,AAs", 4, "'AAs'", "is a pair"),
        ("A5s-K2s", 1, "'A5s-K2s'", "no common line"),
        ("AA-AK", 1, "'AA-AK'", "no common line"),
        ("A5s-A2o", 1, "'A5s-A2o'", "unlike hands"),
        ("A5s-", 1, "'A5s-'", "is not a hand"),
        ("AsKh+", 1, "'AsKh+'", "exact combo"),
        ("QQ,AsAs", 4, "'AsAs'", "As appears twice"),
        ("1s2h", 1, "'1s2h'", "is not a hand"),
        ("AA,[50]KK", 4, "'[50]'", "write [/50] behind its hands"),
        ("[50]AA[/40]", 7, "'[/40]'", "[50] is the one that is open"),
        ("AA[/50]", 3, "'[/50]'", "no weight is open here"),
        ("[50]AA,KK:.5[/50]", 11, "'.5'", "second weight within [50]"),
        ("[150]AA[/150]", 1, "'[150]'", "not a weight in percent"),
        ("[50[20]AA[/20]", 1, "'[50[20]A'", "is not a weight"),
        ("[50][20]AA[/20][/50]", 5, "'[20]'", "stands within [50]"),
    ],
)
def test_an_error_points_at_the_place(text: str, place: int, piece: str, fault: str) -> None:
    with pytest.raises(RangeError) as caught:
        Range.parse(text)
    message = str(caught.value)
    assert message.startswith(f"range: {piece} at position {place} in {text!r} ")
    assert fault in message
    assert "\n" not in message


def test_an_error_in_a_long_text_quotes_the_neighbourhood() -> None:
    text = "22+," * 40 + "Kx\n," + "33," * 40 + "44"
    with pytest.raises(RangeError, match=r"'Kx' at position 161 in '\.\.\..*22\+,Kx ,33.*\.\.\.'") as caught:
        Range.parse(text)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="AKQJT95432sohdcx+-:,. %1e[/]", max_size=24))
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    try:
        found = Range.parse(text)
    except OverbetError as error:
        assert "position" in str(error)  # noqa: PT017
    else:
        assert Range.parse(found.text()) == found


_WEIGHT = st.one_of(
    st.sampled_from([0.0, 0.0, 1.0, 1.0, 0.5, 0.25, 1 / 3]), st.floats(0, 1, width=32, allow_subnormal=True)
)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Whole classes of few weights, some single combos on top: the ranges people write, and odd ones."""
    palette = draw(st.lists(_WEIGHT, min_size=1, max_size=5))
    picks = draw(hnp.arrays(np.int8, CLASSES, elements=st.integers(0, len(palette) - 1)))
    weights = np.array(palette, np.float32)[picks][class_of_combos()]
    for index, weight in draw(st.dictionaries(st.integers(0, COMBOS - 1), _WEIGHT, max_size=12)).items():
        weights[index] = weight
    return Range(weights)


@settings(max_examples=30, deadline=None)
@given(ranges())
def test_the_text_reads_back(found: Range) -> None:
    for form in RANGE_FORMS:
        written = found.text(form)
        assert Range.parse(written) == found
        assert Range.parse(written).text(form) == written


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_random_weights_on_every_combo_read_back(seed: int) -> None:
    found = Range(np.random.default_rng(seed).random(COMBOS))
    assert Range.parse(found.text()) == found


@settings(max_examples=200, deadline=None)
@given(st.sets(st.integers(0, COMBOS - 1), max_size=4), st.floats(0, 1, width=32))
def test_single_combos_read_back(combos: set[int], weight: float) -> None:
    weights = np.zeros(COMBOS, np.float32)
    weights[list(combos)] = weight
    assert Range.parse(str(Range(weights))) == Range(weights)


_COMMON = re.compile(  # what PioSOLVER and GTO+ both read: classes, exact combos, and three shorthands
    r"([2-9TJQKA])\1(\+|-([2-9TJQKA])\3)?|([2-9TJQKA])[2-9TJQKA]([so])(\+|-\4[2-9TJQKA]\5)?|([2-9TJQKA][cdhs]){2}"
)
_NUMBER = r"(0\.\d+|\d(\.\d+)?e-\d+)"


@settings(max_examples=30, deadline=None)
@given(ranges(), st.integers(1, 5))
def test_only_common_forms_are_written(found: Range, decimals: int) -> None:
    for term in filter(None, found.text().split(",")):
        hands, _, weight = term.partition(":")
        assert _COMMON.fullmatch(hands)
        assert not weight or re.fullmatch(_NUMBER, weight)
    for hands in filter(None, re.sub(r"\[[^]]*\]", "", found.text("gto+")).split(",")):
        assert _COMMON.fullmatch(hands)
    for form in RANGE_FORMS:
        rounded = found.text(form, decimals=decimals)
        again = Range.parse(rounded)
        assert again.text(form, decimals=decimals) == rounded == again.text(form)
        assert np.abs(again.weights - found.weights).max() <= 0.5 * 10**-decimals + 1e-7


@pytest.mark.parametrize(
    ("text", "pio", "gto_plus"),
    [
        ("", "", ""),
        ("22+,77:.5", "88+,77:0.5,66-22", "88+,66-22,[50.0]77[/50.0]"),
        ("98s-54s", "98s,87s,76s,65s,54s", "98s,87s,76s,65s,54s"),
        ("QJ-T9", "QJs,JTs,T9s,QJo,JTo,T9o", "QJs,JTs,T9s,QJo,JTo,T9o"),
        ("A8s-K7s:.99", "A8s:0.99,K7s:0.99", "[99.0]A8s,K7s[/99.0]"),
        ("AK,KQ:.25", "AKs,KQs:0.25,AKo,KQo:0.25", "AKs,AKo,[25.0]KQs,KQo[/25.0]"),
        ("AKs,AcKc:0", "AsKs,AhKh,AdKd", "AsKs,AhKh,AdKd"),
        ("AKs,AcKc:.335", "AsKs,AhKh,AdKd,AcKc:0.335", "AsKs,AhKh,AdKd,[33.5]AcKc[/33.5]"),
        ("A2s+,AA,32s,KK:1e-9", "AA,KK:1e-9,A2s+,32s", "AA,A2s+,32s,[0.0000001]KK[/0.0000001]"),
    ],
)
def test_the_two_texts(text: str, pio: str, gto_plus: str) -> None:
    found = Range.parse(text)
    assert str(found) == found.text() == pio
    assert found.text("gto+") == gto_plus
    assert Range.parse(pio) == Range.parse(gto_plus) == found


def test_texts_of_other_programs_are_read() -> None:
    from_gto_plus = Range.parse("AA-QQ, AKs-AJs, [62.5]KQs, AhKh[/62.5] ,[9.00]K8o[/9.00]")
    assert from_gto_plus == Range.parse("QQ+,AJs+,KQs:.625,AhKh:.625,K8o:.09")
    assert Range.parse("2d2c: 1,2h2c: 0.5") == Range.parse("2d2c,2h2c:.5")
    with pytest.raises(RangeError, match="unknown form of range text 'equilab'"):
        from_gto_plus.text("equilab")  # type: ignore[arg-type]


def test_vector_classes_and_matrix() -> None:
    found = Range.parse("AA:.5,AKs,AsKh,72o")
    assert found.weights.shape == (COMBOS,)
    assert found.weights.dtype == np.float32
    matrix = found.matrix()
    assert matrix.shape == (13, 13)
    assert matrix[0, 0] == 0.5
    assert matrix[0, 1] == 1
    assert matrix[1, 0] == np.float32(1 / 12)
    assert matrix[12, 7] == 1
    assert Range.from_classes(matrix).weight("AKs") == 1
    assert Range.from_classes(np.ones(CLASSES)) == Range.full()
    with pytest.raises(ValueError, match="read-only"):
        found.weights[0] = 1


@given(ranges(), ranges())
@settings(max_examples=25, deadline=None)
def test_set_arithmetic(a: Range, b: Range) -> None:
    np.testing.assert_array_equal((a | b).weights, np.maximum(a.weights, b.weights))
    np.testing.assert_array_equal((a & b).weights, np.minimum(a.weights, b.weights))
    np.testing.assert_array_equal((a * b).weights, a.weights * b.weights)
    assert ((a - b).weights <= a.weights).all()
    assert a - a == Range.empty()
    assert a | a == a & a == a
    assert (a | b) == (b | a)
    assert hash(a | b) == hash(b | a)


def test_scaling_and_complement() -> None:
    aces = Range.parse("AA")
    assert str(aces * 0.5) == str(0.5 * aces) == "AA:0.5"
    assert (~aces).combos == 1320
    assert ~~aces == aces
    with pytest.raises(RangeError, match="weight 2 of"):
        aces * 2
    with pytest.raises(TypeError):
        aces | "KK"  # type: ignore[operator]


def test_membership_and_dead_cards() -> None:
    found = Range.parse("22+,AKs,AsKh:.25")
    assert "AsKh" in found
    assert "AKs,77" in found
    assert "AKo" not in found
    assert "54s" not in found
    assert int(np.flatnonzero(found.weights)[0]) in found
    blocked = found.without("AsKd7h")
    assert blocked.combos == 6 * 10 + 3 * 3 + 2  # AA, KK, 77 keep 3 combos each; AcKc and AhKh remain
    assert "AsKh" not in blocked
    assert found.without("") == found
    with pytest.raises(CardError):
        found.without("AsAs")
    with pytest.raises(CardError):
        found.weight(1326)


def test_bad_vectors_are_refused() -> None:
    with pytest.raises(RangeError, match="1326 numbers"):
        Range(np.ones(169))
    with pytest.raises(RangeError, match="169 weights"):
        Range.from_classes(np.ones(168))
    with pytest.raises(RangeError, match=r"weight nan of 2d2c"):
        Range(np.full(COMBOS, np.nan))
    weights = np.zeros(COMBOS)
    weights[7] = -0.5
    with pytest.raises(RangeError, match=f"weight -0.5 of {combo_name(7)}"):
        Range(weights)
    assert Range(np.full(COMBOS, -0.0)) == Range.empty()


def test_equality_hash_and_repr() -> None:
    a, b = Range.parse("AK"), Range.parse("AKs,AKo")
    assert a == b
    assert len({a, b}) == 1
    assert a != "AK"
    assert a
    assert not Range.empty()
    assert repr(a) == "Range('AKs,AKo', 16 combos)"
    assert combos_of_class(1)[0] in a
