"""Hands for the tests of the database: some written out, and any number played at random."""

from __future__ import annotations

import random
from datetime import time

from overbet.games.holdem import HoldemGame
from overbet.interfaces.hands.features import PlayedHandFeatures, features
from overbet.interfaces.hands.words import words_of
from overbet.interfaces.history.phh_writer import record_of, write_hands
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandRecord
from overbet.interfaces.history.replay import states

NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Finn")


def written(actions: str, stacks: tuple[int, ...] = (1000,) * 4, **other: object) -> HandRecord:
    """Return a record at 5/10 with these actions, parted by commas."""
    players = len(stacks)
    return HandRecord(
        starting_stacks=stacks,
        blinds=(5, 10, *(0,) * (players - 2)),
        antes=(0,) * players,
        min_bet=10,
        actions=tuple(action.strip() for action in actions.split(",")),
        other={"players": list(NAMES[:players]), **other},
    )


def features_of(record: HandRecord) -> PlayedHandFeatures:
    return features(played_hand(record))


def played_hand(record: HandRecord, notes: tuple[str, ...] = ()) -> PlayedHand:
    *_, final = states(record)
    won = [
        after - before + put for before, after, put in zip(record.starting_stacks, final.stacks, final.put_in)
    ]
    return PlayedHand(
        record=record,
        site="phh",
        number="1",
        place=record.place,
        played=None,
        format="cash",
        table="",
        tournament="",
        currency="",
        unit=1,
        players=record.players,
        hero=None,
        won=tuple(won),
        rake=0,
        notes=notes,
    )


def words(found: PlayedHandFeatures, player: int) -> set[str]:
    return {*words_of(found.seats[player].flags)}


def random_records(count: int, seed: int = 1) -> list[HandRecord]:
    """Return hands of two to six random players with other stacks each; odd ones have a hero and a date."""
    rng, found = random.Random(seed), []
    for number in range(count):
        players = rng.randint(2, 6)
        stacks = [rng.randint(15, 150) * 10 for _ in range(players)]
        state = HoldemGame(players, stacks, (5, 10)).deal(seed, number)
        while not state.is_terminal():
            legal = state.legal_actions()
            choices = [0, 0, *([-1] if legal.fold else [])]
            if legal.raise_min is not None and legal.raise_max is not None:
                top = min(legal.raise_max, legal.raise_min + 60)
                choices += [rng.randint(legal.raise_min, top), legal.raise_max if rng.random() < 0.2 else top]
            state = state.apply(rng.choice(choices))
        other: dict[str, object] = {"players": rng.sample(NAMES, players), "hand": number}
        if number % 2:
            other.update(_overbet_hero=rng.randint(1, players), table=f"Table {number % 3}")
            other.update(
                year=2020 + number % 4, month=1 + number % 12, day=1 + number % 28, time=time(20, 15)
            )
            other["_overbet_format"] = rng.choice(["cash", "tournament", "expresso"])
        found.append(record_of(state, other))
    return found


def random_text(count: int, seed: int = 1) -> str:
    return write_hands(random_records(count, seed))
