"""`overbet read`: a picture of a table that you saved becomes a list of what is on it, and a spot."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.interfaces.vision.reading import ReadField, TableReading

EXAMPLE = "overbet read table.png --profile green --spot spot.yaml"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("read", epilog=f"Example: `{EXAMPLE}`")
    def read(
        picture: Path = typer.Argument(..., help="A picture file of a table: PNG, JPEG, WebP or BMP."),
        profile: str = typer.Option(
            ..., "--profile", "-p", help="Where things are on the table: a name, or a file (.json)."
        ),
        answers: list[str] = typer.Option(
            [], "--set", help="What a field really is: --set board0=Ah --set pot=12.5; nobody asks then."
        ),
        spot: Path = typer.Option(None, "--spot", help="Write the spot to solve, in YAML."),
        oop: str = typer.Option(
            "", "--oop", help="Range out of position, for --spot; every hand unless given."
        ),
        ip: str = typer.Option("", "--ip", help="Range in position, for --spot; every hand unless given."),
        big_blind: float = typer.Option(
            None, "--big-blind", min=0, help="The big blind in the picture's unit, for --spot."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON; fields that are not sure are null."),
        data: Path = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named."),
    ) -> None:
        """Read a picture of a table that you have on file: a study tool, not for use during play.

        Every field has a confidence. One that is not sure is asked in a terminal; elsewhere it is listed, and
        the command ends with 1.
        """
        from overbet.interfaces.vision.one_thread import one_thread

        one_thread()
        from overbet.files import check_place, write_text
        from overbet.interfaces.vision.pictures import open_picture
        from overbet.interfaces.vision.profile import load_profile
        from overbet.interfaces.vision.reading import read_table
        from overbet.interfaces.vision.spot import EVERY_HAND, answers_of, spot_of

        if spot is not None:
            check_place(spot)
        found = read_table(open_picture(picture), load_profile(profile, data))
        found = found.with_values(answers_of(_pairs(answers), found))
        if found.unknown and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
            found = _asked(found)
        if as_json:
            typer.echo(json.dumps(found.as_json()))
        else:
            _print(found)
        if spot is not None and not found.unknown:
            made = spot_of(found, oop=oop or EVERY_HAND, ip=ip or EVERY_HAND, big_blind=big_blind)
            write_text(spot, made.text())
            typer.echo(f"spot written to {spot}; the picture's decision is at {made.line}", err=as_json)
        if found.unknown:
            names = ", ".join(one.name for one in found.unknown)
            typer.echo(f"not sure of {names}; answer with --set NAME=VALUE", err=True)
            raise typer.Exit(1)


def _pairs(answers: list[str]) -> dict[str, str]:
    from overbet.errors import ConfigError, quoted

    found = {}
    for answer in answers:
        name, equals, value = answer.partition("=")
        if not equals:
            raise ConfigError(f"--set {quoted(answer)}: write NAME=VALUE, such as board0=Ah")
        found[name.strip()] = value
    return found


def _asked(found: TableReading) -> TableReading:
    """Ask for every field that is not sure; an empty answer takes the guess."""
    from overbet.errors import OverbetError
    from overbet.interfaces.vision.reading import shown_value
    from overbet.interfaces.vision.spot import answers_of

    for one in found.unknown:
        while True:
            shown = shown_value(one, one.guess)
            guess = f"{shown:.2f}".removesuffix(".00") if isinstance(shown, float) else str(shown)
            said = typer.prompt(f"{one.name} ({_what(one)}), probably", default=guess)
            try:
                found = found.with_values(answers_of({one.name: said}, found))
                break
            except OverbetError as error:
                typer.echo(str(error))
    return found


def _what(one: ReadField) -> str:
    words = {"card": "a card such as Ah, back or none", "amount": "a number", "seat": "taken or empty"}
    return words.get(one.kind, "the number of a seat, or none")


def _print(found: TableReading) -> None:
    from rich.console import Console
    from rich.table import Table

    from overbet.interfaces.vision.reading import shown_value

    def text(name: str) -> str:
        one = found.fields[name]
        shown = shown_value(one, one.guess)
        word = f"{shown:,.2f}".removesuffix(".00") if isinstance(shown, float) else str(shown)
        return word if one.known else f"{word}? ({one.confidence:.2f})"

    console = Console(highlight=False)
    board = " ".join(text(f"board{n}") for n in range(5) if found.fields[f"board{n}"].guess != "none")
    unit = found.unit or "chips"
    console.print(f"board {board or 'none'}, pot {text('pot')} {unit}", markup=False)
    table = Table("seat", "cards", f"stack {unit}", f"bet {unit}", "", title="")
    for seat in range(found.seats):
        if found.fields[f"seat{seat}"].guess == "empty":
            table.add_row(str(seat), "empty" if found.fields[f"seat{seat}"].known else "empty?")
            continue
        cards = [text(f"seat{seat}.card{c}") for c in (0, 1)]
        held = "" if cards == ["none", "none"] else " ".join(cards)
        marks = [word for word in ("button", "turn") if found.fields[word].guess == seat]
        if seat == found.hero:
            marks.insert(0, "hero")
        bet = text(f"seat{seat}.bet")
        table.add_row(str(seat), held, text(f"seat{seat}.stack"), "" if bet == "0" else bet, ", ".join(marks))
    console.print(table)
    least = min(found.fields.values(), key=lambda one: one.confidence)
    console.print(f"least sure: {least.name} ({least.confidence:.2f})", markup=False)
