"""`overbet ranges`: a library of ranges, and those of the shipped strategies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.study.range_library import RangeLibrary

EXAMPLE = 'overbet ranges save "Button/opens" "22+,A2s+,KTo+:0.5"'
_NAME = typer.Argument(..., help="Its name, with folders before it: 'Button/opens'.")
_FORM = typer.Option("pio", "--form", help="How texts are written: pio or gto+.")
_DATA = typer.Option(None, "--data", help="The page's data folder; $OVERBET_HOME unless named.")
_JSON = typer.Option(False, "--json", help="Print JSON.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="Your library of ranges, shared with the page.")
    app.add_typer(group, name="ranges", epilog=f"Examples: `{EXAMPLE}`, `overbet ranges presets`")
    for add in (_add_list, _add_show, _add_save, _add_move, _add_delete):
        add(group)
    for add in (_add_import, _add_export, _add_presets):
        add(group)


def _add_list(group: typer.Typer) -> None:
    @group.command("list", epilog="Example: `overbet ranges list button`")
    def list_(
        search: str = typer.Argument("", help="Only names that have all these words."),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """List the ranges of the library."""
        import json

        found = [each for each in _library(data).entries() if _has(each.name, search)]
        if as_json:
            typer.echo(json.dumps([each._asdict() for each in found]))
            return
        for each in found:
            typer.echo(f"{each.name}  ({each.combos:g} combos)")
        if not found:
            typer.echo("(no such range)" if search else "(the library is empty; see overbet ranges save)")


def _add_show(group: typer.Typer) -> None:
    @group.command("show", epilog="Example: `overbet ranges show Button/opens --form gto+`")
    def show(name: str = _NAME, form: str = _FORM, data: Path = _DATA) -> None:
        """Print a range of the library as text."""
        from overbet.cards.range_text import range_form

        typer.echo(_library(data)[name].text(range_form(form)))


def _add_save(group: typer.Typer) -> None:
    @group.command("save", epilog=f"Example: `{EXAMPLE}`")
    def save(
        name: str = _NAME,
        text: str = typer.Argument(..., help="The range, as `overbet range` reads it."),
        replace: bool = typer.Option(False, "--replace", help="Replace a range of that name."),
        data: Path = _DATA,
    ) -> None:
        """Keep a range in the library."""
        from overbet.cards.range import Range

        kept = _library(data).save(name, Range.parse(text), replace=replace)
        typer.echo(f"kept {kept.name} ({kept.combos:g} combos)")


def _add_move(group: typer.Typer) -> None:
    @group.command("move", epilog='Example: `overbet ranges move Button/opens "Button/opens 2.5x"`')
    def move(
        name: str = _NAME,
        to: str = typer.Argument(..., help="Its new name, folders included."),
        data: Path = _DATA,
    ) -> None:
        """Rename a range, or put it into another folder; the same for a whole folder."""
        typer.echo(f"it is now {_library(data).move(name, to)}")


def _add_delete(group: typer.Typer) -> None:
    @group.command("delete", epilog="Example: `overbet ranges delete Button/opens`")
    def delete(name: str = _NAME, data: Path = _DATA) -> None:
        """Delete a range and print it, so that it can be saved again."""
        typer.echo(_library(data).delete(name).text())


def _add_import(group: typer.Typer) -> None:
    @group.command("import", epilog="Example: `overbet ranges import my-ranges.txt --folder Solver`")
    def import_(
        files: list[Path] = typer.Argument(..., help="Texts of PioSOLVER, GTO+ or `overbet ranges export`."),
        folder: str = typer.Option("", "--folder", help="Put them into this folder."),
        data: Path = _DATA,
    ) -> None:
        """Take in texts of ranges: one a file, which gets the file's name, or many of an export."""
        from overbet.errors import ArtefactError, reason

        library = _library(data)
        for file in files:
            try:
                text = file.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                why = reason(error) if isinstance(error, OSError) else "it is not a text"
                raise ArtefactError(f"cannot read {file}: {why}") from error
            for kept in library.load_text(text, file.stem, folder):
                typer.echo(f"kept {kept.name} ({kept.combos:g} combos)")


def _add_export(group: typer.Typer) -> None:
    @group.command("export", epilog="Example: `overbet ranges export my-ranges.txt --form gto+`")
    def export(
        out: Path = typer.Argument(..., help="The text file to write."),
        folder: str = typer.Option("", "--folder", help="Only the ranges of this folder."),
        form: str = _FORM,
        data: Path = _DATA,
    ) -> None:
        """Write the library as one text: a line `# name`, then the range."""
        from overbet.cards.range_text import range_form
        from overbet.files import write_text

        write_text(out, _library(data).text(range_form(form), folder))
        typer.echo(f"wrote {out}")


def _add_presets(group: typer.Typer) -> None:
    @group.command("presets", epilog="Example: `overbet ranges presets heads-up BB 3-bets`")
    def presets(
        search: list[str] = typer.Argument(None, help="Only those that have all these words."),
        form: str = _FORM,
        as_json: bool = _JSON,
    ) -> None:
        """Print ranges by position and depth from the shipped strategies."""
        import json

        from overbet.cards.range_text import range_form
        from overbet.study.preflop_ranges import shipped_ranges

        kind = range_form(form)
        words = " ".join(search or [])
        found = [each for each in shipped_ranges() if _has(f"{each.group} {each.name}", words)]
        if as_json:
            facts = [{**each._asdict(), "held": each.held.text(kind)} for each in found]
            typer.echo(json.dumps(facts))
            return
        for each in found:
            typer.echo(
                f"{each.group}: {each.name}  ({each.held.combos:.0f} combos)\n{each.held.text(kind)}\n"
            )


def _has(name: str, words: str) -> bool:
    return all(word in name.lower() for word in words.lower().split())


def _library(data: Path | None) -> RangeLibrary:
    from overbet.study.range_library import RANGES, RangeLibrary

    return RangeLibrary(data / RANGES if data else None)
