"""Hands that blueprints play, as a file of hands and as a database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from overbet.agents.blueprint import BlueprintAgent
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.matches import play_match
from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.history.phh_writer import record_of, write_hand

SLOTS = ("Ann", "Bob")


def played_blocks(agents: Sequence[BlueprintAgent], hands: int, seed: int) -> list[PlayedBlock]:
    """Play heads up at the table of the last agent."""
    blocks: list[PlayedBlock] = []
    play_match(agents, agents[-1].own_table, hands, seed=seed, workers=1, on_block=blocks.append)
    return blocks


def imported_hands(blocks: Sequence[PlayedBlock], folder: Path, hero: str | None = "Ann") -> HandDatabase:
    """Write the hands of blocks as PHH with the agents' slots named, import them and return the database."""
    folder.mkdir(exist_ok=True)
    number = 0
    with open(folder / "played.phhs", "w", encoding="utf-8") as file:
        for block in blocks:
            for hand in range(block.hands):
                names = [SLOTS[block.slot(hand, player)] for player in range(2)]
                other: dict[str, object] = {"players": names, "hand": number}
                if hero is not None:
                    other["_overbet_hero"] = names.index(hero) + 1
                number += 1
                file.write(f"[{number}]\n{write_hand(record_of(block.state(hand), other))}\n")
    database = HandDatabase(folder / "data")
    assert import_hands(database, folder / "played.phhs", workers=1).new == number
    return database
