"""`overbet replay`: play recorded hands again through the rules and check the stacks they end with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.interfaces.history.record import HandFault
    from overbet.interfaces.history.replay import Replay

EXAMPLE = "overbet replay hands.phh"
_SHOWN = 10  # faults listed before the rest are only counted


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("replay", epilog=f"Example: `{EXAMPLE}`, `overbet replay hands.tar.gz --json`")
    def replay(
        path: Path = typer.Argument(..., help="A file of hands, a folder or an archive of them."),
        out: Path = typer.Option(None, "--out", help="Write the hands to this .phhs file."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON, one object a hand."),
    ) -> None:
        """Replay recorded hands of no-limit hold'em and compare the final stacks.

        PHH files, the histories of PokerStars, GGPoker and Winamax, and logs of the ACPC are read.

        A hand that cannot be read is named with its line and the others go on. The exit code is 1 when a
        hand is damaged or ends with other stacks than recorded.
        """
        import json

        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn

        from overbet.files import write_text
        from overbet.interfaces.cli.outputs import Outputs
        from overbet.interfaces.history.phh_writer import write_hands
        from overbet.interfaces.history.played import read_records
        from overbet.interfaces.history.record import HandFault
        from overbet.interfaces.history.replay import replay_all

        outputs = Outputs(out)
        replays: list[Replay] = []
        faults: list[HandFault] = []
        columns = (SpinnerColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("compiling the rules (once on a machine)", total=None)
            for result in replay_all(read_records(path)):
                if isinstance(result, HandFault):
                    faults.append(result)
                else:
                    replays.append(result)
                progress.update(task, description=f"{len(replays):,} hands replayed")
        if out is not None:
            outputs.write(out, lambda: write_text(out, write_hands(replay.record for replay in replays)))
        if as_json:
            typer.echo(json.dumps(_facts(replays, faults)))
        else:
            _show(Console(highlight=False, soft_wrap=True), replays, faults, outputs.written)
        outputs.end()
        damaged = any(not fault.unsupported for fault in faults)
        if damaged or any(replay.agrees is False for replay in replays):
            raise typer.Exit(1)


def _facts(replays: list[Replay], faults: list[HandFault]) -> dict[str, object]:
    return {
        "replayed": len(replays),
        "agree": sum(replay.agrees is True for replay in replays),
        "differ": sum(replay.agrees is False for replay in replays),
        "unrecorded": sum(replay.agrees is None for replay in replays),
        "hands": [_hand(replay) for replay in replays],
        "faults": [
            {
                "source": fault.place.source,
                "hand": fault.place.hand,
                "line": fault.place.line,
                "reason": fault.reason,
                "unsupported": fault.unsupported,
            }
            for fault in faults
        ],
    }


def _hand(replay: Replay) -> dict[str, object]:
    record = replay.record
    recorded = record.finishing_stacks

    def number(chips: int) -> float:
        return chips if record.unit == 1 else chips / record.unit

    return {
        "source": record.place.source,
        "hand": record.place.hand,
        "players": list(record.players),
        "line": replay.final.line,
        "starting_stacks": [number(chips) for chips in record.starting_stacks],
        "final_stacks": [number(chips) for chips in replay.stacks],
        "recorded_stacks": None if recorded is None else [number(chips) for chips in recorded],
        "agrees": replay.agrees,
    }


def _show(console: Console, replays: list[Replay], faults: list[HandFault], written: list[Path]) -> None:
    from rich.table import Table

    if len(replays) == 1 and not faults:
        _show_hand(console, replays[0])
    else:
        table = Table(box=None, show_header=False)
        table.add_column(justify="right")
        table.add_column()
        rows = (
            (sum(replay.agrees is True for replay in replays), "hands end with the recorded stacks"),
            (sum(replay.agrees is False for replay in replays), "hands end with other stacks"),
            (sum(replay.agrees is None for replay in replays), "hands replayed, no final stacks recorded"),
            (sum(fault.unsupported for fault in faults), "hands of another game"),
            (sum(not fault.unsupported for fault in faults), "hands that cannot be read or replayed"),
        )
        for count, text in rows:
            if count:
                table.add_row(f"{count:,}", text)
        console.print(table)
    wrong = [replay for replay in replays if replay.agrees is False]
    notes = [
        *(str(fault) for fault in faults if fault.archive),
        *(
            f"{one.record.place}: ends with {one.stacks}, recorded {one.record.finishing_stacks}"
            for one in wrong
        ),
        *(str(fault) for fault in faults if not fault.archive),
    ]
    for note in notes[:_SHOWN]:
        console.print(f"  {note}", markup=False)
    if len(notes) > _SHOWN:
        console.print(f"  and {len(notes) - _SHOWN:,} more; --json lists them all")
    for path in written:
        console.print(f"written to {path}", markup=False)


def _show_hand(console: Console, replay: Replay) -> None:
    from rich.table import Table

    from overbet.cards.cards import cards_name
    from overbet.kernels.holdem.layout import HIDDEN_CARD

    record, final = replay.record, replay.final
    table = Table(box=None)
    for name, side in (("player", "left"), ("seat", "left"), ("cards", "left")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]  # rich's literal type
    for name in ("start", "end", "won"):
        table.add_column(name, justify="right")
    rows = zip(record.players, final.hole, record.starting_stacks, replay.stacks, strict=True)
    for player, (name, cards, before, after) in enumerate(rows):
        held = "????" if HIDDEN_CARD in cards else cards_name(cards)
        won = record.amount(after - before)
        chips = (f"{record.amount(before):,}", f"{record.amount(after):,}", f"{won:+,}")
        table.add_row(name, final.game.position(player), held, *chips)
    console.print(table)
    console.print(f"board {cards_name(final.board) or '-'}, pot {record.amount(final.pot):,}", markup=False)
    console.print(final.line, markup=False)
    if replay.agrees is not None:
        console.print(
            "the stacks are the recorded ones" if replay.agrees else "[red]other stacks are recorded[/red]"
        )
