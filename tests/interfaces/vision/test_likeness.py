"""What a profile learns from its calibration picture: backs, an empty seat, plates with and without the
mark.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.interfaces.vision.calibration import Clicks, calibrated
from overbet.interfaces.vision.drawn.random_themes import random_theme
from overbet.interfaces.vision.drawn.samples import Sample, clicks_of, profile_of, reference, samples
from overbet.interfaces.vision.drawn.states import BACK
from overbet.interfaces.vision.drawn.themes import THEMES
from overbet.interfaces.vision.likeness import (
    back_pieces,
    has_words,
    like_empty,
    plate_piece,
    turn_shares,
    unlike_back,
    words_piece,
)
from overbet.interfaces.vision.profile import TableProfile, load_profile
from overbet.interfaces.vision.reading import read_table
from overbet.interfaces.vision.registration import find_table
from overbet.interfaces.vision.scoring import ReadingScore

cv2 = pytest.importorskip("cv2")
LOOKS = ("back", "empty", "plates")


@pytest.fixture(scope="module")
def pictures() -> list[Sample]:
    return list(itertools.islice(samples(THEMES["green"], 51), 5))


def test_the_shipped_profiles_know_their_sites() -> None:
    for name in ("green", "night", "ember", "quartz"):
        profile = load_profile(name)
        assert all(getattr(profile, look) for look in LOOKS)
        assert profile.plate_pictures is not None
        assert len(profile.plate_pictures) == len(profile.seats) + 1


def test_backs_empty_seats_and_the_mark_are_told(pictures: list[Sample]) -> None:
    profile = load_profile("green")
    back, empty, plates = profile.back_picture, profile.empty_picture, profile.plate_pictures
    assert back is not None
    assert empty is not None
    assert plates is not None
    assert has_words(empty)
    for sample in pictures:
        place = find_table(profile, sample.picture).matrix
        state = sample.state
        seen = [plate_piece(sample.picture, place, seat) for seat in profile.seats]
        shares = turn_shares(seen, plates[-1], plates[:-1], profile.turn_colour)
        assert state.turn is None or int(shares.argmax()) == state.turn
        for number, seat in enumerate(profile.seats):
            hand = back_pieces(sample.picture, place, seat)
            far = unlike_back((hand[:, :40], hand[:, 40:]), back)
            assert (far < 0.36) == (state.hole[number] == BACK)
            like = like_empty(words_piece(sample.picture, place, seat), empty)
            assert (like > 0.9) == (not state.occupied[number])


def test_names_and_amounts_are_not_kept() -> None:
    profile = load_profile("green")
    assert profile.plate_pictures is not None
    sample = reference(THEMES["green"])
    height, width = sample.picture.shape[:2]
    fine = []
    for kept, seat in zip(profile.plate_pictures, profile.seats):
        left, top, right, bottom = seat.stack
        corners = [int(left * width), int(top * height), int(right * width), int(bottom * height)]
        text = sample.picture[corners[1] : corners[3], corners[0] : corners[2]].astype(np.float32)
        smeared = kept[26:36, 20:-20].astype(np.float32)
        fine.append([float(np.abs(np.diff(piece, axis=1)).mean()) for piece in (text, smeared)])
    written, stored = np.array(fine).max(axis=0)
    assert stored < 0.3 * written


def test_a_profile_without_those_pieces_is_still_read(pictures: list[Sample]) -> None:
    values = load_profile("green").model_dump(mode="json")
    for look in LOOKS:
        values.pop(look)
    old = TableProfile.parse(values, "old")
    score = ReadingScore()
    for number, sample in enumerate(pictures[:2]):
        score.add(str(number), read_table(sample.picture, old), sample.truth)
    assert score.groups["turn"].share == 1.0
    assert score.groups["amounts"].share > 0.8


def test_marks_that_contradict_each_other_are_told() -> None:
    theme = THEMES["green"]
    sample = reference(theme)
    values = clicks_of(theme, sample.state).model_dump()
    taken, free = sample.state.occupied.index(True), sample.state.occupied.index(False)
    for change in ({"empty": (sample.state.button,)}, {"backs": (free,), "empty": (free,)}, {"backs": (9,)}):
        with pytest.raises(ConfigError):
            calibrated("mine", sample.picture, Clicks.parse({**values, **change}))
    with pytest.raises(ConfigError, match="count from 0"):
        calibrated("mine", sample.picture, Clicks.parse({**values, "backs": (8,)}))
    single = Clicks.parse({**values, "backs": taken, "empty": free})  # a number is a list of one
    assert single.backs == (taken,)
    assert single.empty == (free,)


def test_a_theme_by_lot_comes_again_and_is_read() -> None:
    theme = random_theme(5)
    assert theme == random_theme(5)
    assert theme.deck.back != random_theme(6).deck.back
    profile = profile_of(theme)
    score = ReadingScore()
    for number, sample in enumerate(itertools.islice(samples(theme, 3), 2)):
        score.add(str(number), read_table(sample.picture, profile), sample.truth)
    assert score.groups["states"].share >= 0.5
