"""`overbet vision`: profiles of tables, pictures drawn by us, the training of the networks, the report."""

from __future__ import annotations

import json
from pathlib import Path

import typer

EXAMPLE = "overbet vision calibrate table.png clicks.yaml --name mysite"
_DATA = typer.Option(None, "--data", help="The data folder; $OVERBET_HOME unless named.")
_JSON = typer.Option(False, "--json", help="Print JSON.")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="Where things are on a table, and how well they are read.")
    app.add_typer(group, name="vision", epilog=f"Examples: `{EXAMPLE}`, `overbet vision profiles`")
    for add in (_add_profiles, _add_calibrate, _add_render, _add_report, _add_train):
        add(group)


def _add_profiles(group: typer.Typer) -> None:
    @group.command("profiles", epilog="Example: `overbet vision profiles`")
    def profiles(data: Path = _DATA, as_json: bool = _JSON) -> None:
        """List the profiles: yours and those of the themes we draw."""
        from overbet.interfaces.vision.profile import load_profile, profile_names

        names = profile_names(data)
        if as_json:
            typer.echo(json.dumps(names))
            return
        for name in names:
            found = load_profile(name, data)
            typer.echo(
                f"{name:<16} {len(found.seats)} seats, from a picture of {found.size[0]} x {found.size[1]}"
            )


def _add_calibrate(group: typer.Typer) -> None:
    @group.command("calibrate", epilog=f"Example: `{EXAMPLE}`")
    def calibrate(
        picture: Path = typer.Argument(
            ..., help="A picture of the table, somebody to act and cards on the board."
        ),
        clicks: Path = typer.Argument(..., help="The clicks on it, in YAML: docs/vision.md says which."),
        name: str = typer.Option(..., "--name", "-n", help="The name of the profile."),
        data: Path = _DATA,
    ) -> None:
        """Make a profile from clicks on one picture. The page asks for the same clicks one after the
        other."""
        from overbet.interfaces.vision.calibration import calibrate as made
        from overbet.interfaces.vision.profile import save_profile

        profile = made(name, picture, clicks)
        typer.echo(f"profile {name} with {len(profile.seats)} seats saved to {save_profile(profile, data)}")


def _add_render(group: typer.Typer) -> None:
    @group.command("render", epilog="Example: `overbet vision render green pictures --count 20`")
    def render(
        theme: str = typer.Argument(..., help="One of our themes, such as green."),
        out: Path = typer.Argument(..., help="The folder for the pictures and their truth."),
        count: int = typer.Option(20, "--count", "-n", min=1, max=100_000, help="How many."),
        seed: int = typer.Option(1, "--seed", min=0, help="Which hands."),
        clean: bool = typer.Option(False, "--clean", help="Neither bent nor worsened."),
        hands: Path | None = typer.Option(
            None, "--hands", help="Histories of real hands to draw, in the place of hands of our agents."
        ),
    ) -> None:
        """Draw tables of played hands, with what is on them, for tests of your own.

        Our agents play the hands, or --hands names histories, of any site that can be replayed.
        """
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.vision.folder_report import write_samples

        with shown("drawing tables", total=count, number="count") as show:
            written = write_samples(
                theme,
                out,
                count,
                seed=seed,
                clean=clean,
                hands=hands,
                tell=lambda done, total: show(done, total),
            )
        pictures = "1 picture" if written == 1 else f"{written:,} pictures"
        typer.echo(f"{pictures} in {out}; {out / 'calibration'} has the clicks for a profile")


def _add_report(group: typer.Typer) -> None:
    @group.command("report", epilog="Example: `overbet vision report pictures --out report`")
    def report(
        folder: Path = typer.Argument(
            ..., help="A folder of pictures, each with its truth beside it (.json)."
        ),
        profile: str = typer.Option(None, "--profile", "-p", help="The profile, unless the truth names one."),
        out: Path = typer.Option(
            Path("vision-report"), "--out", "-o", help="Where OUT.json and OUT.html go."
        ),
        data: Path = _DATA,
        as_json: bool = _JSON,
    ) -> None:
        """Read a folder and compare: right, asked and wrong by field, confusions, the pieces that were
        misread.

        Ends with 1 where cards are below 97 % or amounts below 95 %.
        """
        from overbet.interfaces.vision.one_thread import one_thread

        one_thread()
        from overbet.files import check_place
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.vision.folder_report import measure_folder, write_report

        for ending in (".json", ".html"):
            check_place(out.with_suffix(ending))
        with shown("reading tables", number="count") as show:
            found = measure_folder(
                folder,
                profile,
                home=data,
                tell=lambda done, total, score: show(
                    done, total, facts=f"states {score.groups['states'].share:.1%}"
                ),
            )
        plain, page = write_report(found, out)
        score = found.score
        if as_json:
            typer.echo(json.dumps(score.as_json()))
        else:
            typer.echo(f"{'':<14}{'right':>9}{'of':>9}{'asked':>8}{'wrong':>8}")
            for name, tally in [*score.groups.items(), ("cards face up", score.faces)]:
                typer.echo(
                    f"{name:<14}{tally.share:>9.2%}{tally.total:>9,}{tally.asked:>8,}{tally.wrong:>8,}"
                )
            if score.refused:
                count = len(score.refused)
                were = "picture was" if count == 1 else "pictures were"
                typer.echo(f"{count:,} {were} refused; the fields there count as asked")
            each = found.seconds / max(score.groups["states"].total, 1)
            typer.echo(f"{each:.2f} s of processor time a picture; {plain} and {page} have the rest")
        if not score.passed:
            typer.echo("below the limits: 97% of cards, 95% of amounts", err=True)
            raise typer.Exit(1)


def _add_train(group: typer.Typer) -> None:
    @group.command("train", epilog="Example: `overbet vision train cards --out cards.h5`")
    def train(
        what: str = typer.Argument(..., help="cards or text."),
        out: Path = typer.Option(..., "--out", "-o", help="The file for the weights."),
        steps: int = typer.Option(None, "--steps", min=10, max=1_000_000, help="Batches of 64 pictures."),
        seed: int = typer.Option(1, "--seed", min=0, help="Of pictures and weights."),
    ) -> None:
        """Train one of the two networks on pictures drawn for it (extra deep): minutes of one core.

        The fonts that are installed are the fonts it learns; those of the themes kept for tests are left out.
        """
        from overbet.errors import ConfigError, unknown
        from overbet.files import check_place
        from overbet.interfaces.cli.progress import shown
        from overbet.interfaces.vision.networks.training import TRAINERS

        if what not in TRAINERS:
            raise ConfigError(unknown("network", what, TRAINERS))
        check_place(out)
        with shown(f"training {what}", number="count") as show:
            found = TRAINERS[what](
                out,
                seed=seed,
                steps=steps,
                tell=lambda done, total, loss: show(done, total, facts=f"loss {loss:.3f}"),
            )
        typer.echo(
            f"{found.pictures:,} pictures in {found.steps:,} steps, loss {found.loss:.3f}, "
            f"{found.processor_s:,.0f} s of processor time; {found.bytes:,} bytes in {out}"
        )
