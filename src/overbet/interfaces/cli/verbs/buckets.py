"""`overbet buckets`: build card buckets, list them, and look at the bucket of a hand."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.abstraction.bucket_config import BucketsConfig
    from overbet.abstraction.bucket_view import HandView
    from overbet.abstraction.buckets import Buckets

EXAMPLE = "overbet buckets build --flop 50 --turn 100 --river 200"
_SHOW = 'overbet buckets show "AhKh" --board Td9d6h'
_BAR = 36


def register(app: typer.Typer) -> None:
    """Add the verb."""
    buckets = typer.Typer(no_args_is_help=True, help="Card buckets: build, list, show.")
    app.add_typer(buckets, name="buckets", epilog=f"Examples: `{EXAMPLE}`, `{_SHOW}`")

    @buckets.command("build", epilog=f"Examples: `{EXAMPLE}`, `overbet buckets build --preset tiny`")
    def build(
        preset: str = typer.Option(
            "standard", "--preset", "-p", help="tiny, standard, large, play, play-boards or fine."
        ),
        flop: int | None = typer.Option(None, "--flop", help="Buckets on the flop."),
        turn: int | None = typer.Option(None, "--turn", help="Buckets on the turn."),
        river: int | None = typer.Option(None, "--river", help="Buckets on the river."),
        seed: int | None = typer.Option(None, "--seed", help="The same seed gives the same buckets."),
        settings: list[str] = typer.Option([], "--set", help="Another setting, such as restarts=8."),
        out: Path | None = typer.Option(None, "--out", "-o", help="The .h5 file; default: the data folder."),
        compact: bool = typer.Option(False, "--compact", help="No river table: small, slower on rivers."),
        base: str | None = typer.Option(
            None, "--base", help="Buckets with the same flop and turn, which are left out of the file then."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Group all hands of every street and write the tables.

        Flop and turn hands are alike when their equity is spread alike over the cards to come (earth mover's
        distance), river hands when their equity is; before the flop there are always 169. Equities are exact.
        Ctrl-C leaves nothing behind.
        """
        import json

        from rich.console import Console

        from overbet.abstraction.bucket_files import (
            check_base,
            check_name,
            default_path,
            load_buckets,
            save_buckets,
        )
        from overbet.abstraction.buckets import NEEDS_TABLE
        from overbet.errors import ConfigError
        from overbet.files import check_place

        given = {"flop": flop, "turn": turn, "river": river, "seed": seed}
        config = _config(preset, {key: value for key, value in given.items() if value is not None}, settings)
        path = out or default_path(config)
        check_name(path)
        check_place(path)
        start = time.monotonic()
        if config.opponents and compact:
            raise ConfigError(NEEDS_TABLE)
        shared = None if base is None else load_buckets(check_base(base), river_table=False)
        made = _built(config, river_table=not compact, base=shared)
        save_buckets(made, path, base=base)
        seconds = time.monotonic() - start
        if as_json:
            typer.echo(
                json.dumps({**_facts(made, path), "seconds": round(seconds, 1), "report": made.report})
            )
        else:
            _show_built(Console(highlight=False), made, path, seconds)

    @buckets.command("show", epilog=f"Example: `{_SHOW}`")
    def show(
        hand: str = typer.Argument(..., help="Two hole cards, such as AhKh."),
        board: str = typer.Option("", "--board", "-b", help="3, 4 or 5 cards, such as Td9d6h."),
        name: str = typer.Option("standard", "--buckets", "-f", help="A file, or a name that `list` shows."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show the bucket of a hand, how its equity is spread, and the buckets next to it."""
        import json

        from rich.console import Console

        from overbet.abstraction.bucket_files import load_buckets
        from overbet.abstraction.bucket_view import view_hand

        view = view_hand(load_buckets(name, river_table=False), hand, board)
        if as_json:
            typer.echo(json.dumps(view.to_dict()))
        else:
            _show_hand(Console(highlight=False), view)

    @buckets.command("list", epilog="Example: `overbet buckets list`")
    def list_(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
        """List the buckets in the data folder ($OVERBET_HOME, or ~/.local/share/overbet)."""
        import json

        from rich.console import Console

        from overbet.abstraction.bucket_files import buckets_folder, describe_file, list_files
        from overbet.errors import ArtefactError

        rows: list[dict[str, Any]] = []
        for path in list_files():
            try:
                found = describe_file(path)
            except ArtefactError as error:
                rows.append({"name": path.stem, "error": str(error)})
                continue
            rows.append(
                {
                    "name": path.stem,
                    "buckets": list(found.config.counts),
                    "feature": found.config.feature,
                    "seed": found.config.seed,
                    "river_table": not found.compact,
                    "megabytes": round(found.size_bytes / 1e6, 1),
                    "hash": found.hash,
                }
            )
        if as_json:
            typer.echo(json.dumps({"folder": str(buckets_folder()), "buckets": rows}))
        else:
            _show_list(Console(highlight=False), rows, str(buckets_folder()))


def _config(preset: str, given: dict[str, int], settings: list[str]) -> BucketsConfig:
    from overbet.abstraction.bucket_config import BucketsConfig
    from overbet.abstraction.bucket_config import preset as preset_config
    from overbet.config import read_override

    values = {**preset_config(preset).model_dump(), **given}
    for text in settings:
        keys, value = read_override(text)
        values[".".join(keys)] = value
    return BucketsConfig.parse(values, "buckets")


def _built(config: BucketsConfig, *, river_table: bool, base: Buckets | None) -> Buckets:
    from overbet.abstraction.bucket_build import build_buckets
    from overbet.interfaces.cli.progress import COMPILING, shown

    with shown(f"preparing {COMPILING}", number="percent") as show:
        stages: list[str] = []
        streets = ("flop", "turn", "river") if base is None else ("river",)
        total_stages = len(streets) * (1 + (config.feature == "histogram")) - (config.feature == "histogram")
        total_stages += (config.opponents > 0) + 2 * sum(config.classes_of(street) > 1 for street in streets)
        total_stages += river_table and config.river_classes > 1

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages.append(stage)
            show(done, total, f"stage {len(stages)} of {total_stages}: {stage}")

        return build_buckets(config, advance, river_table=river_table, base=base)


def _facts(buckets: Buckets, path: Path) -> dict[str, Any]:
    return {
        "out": str(path),
        "buckets": list(buckets.counts),
        "hash": buckets.hash,
        "megabytes": round(path.stat().st_size / 1e6, 1),
    }


def _show_built(console: Console, buckets: Buckets, path: Path, seconds: float) -> None:
    from rich import box
    from rich.table import Table

    from overbet.abstraction.bucket_view import sample_hands

    table = Table(box=box.SIMPLE_HEAD)
    for name in ("street", "buckets", "smallest", "largest", "spread", "distance", "kept"):
        table.add_column(name, justify="left" if name == "street" else "right")
    table.add_row("preflop", "169", "", "", "0", "", "100%")
    for street, count in zip(("flop", "turn", "river"), buckets.counts[1:]):
        report = buckets.report[street]
        distance = f"{report['mean_emd']:.4f}" if "mean_emd" in report else ""
        table.add_row(
            street,
            f"{count:,}",
            f"{min(report['share']):.3%}",
            f"{max(report['share']):.3%}",
            f"{report['within_spread']:.4f}",
            distance,
            f"{report['kept_variance']:.2%}",
        )
    console.print(table)
    console.print(" smallest, largest: share of all real hands; spread: of equity in a bucket;")
    console.print(" distance: earth mover's, of hands from the middle of their bucket;")
    console.print(" kept: part of the variance of equity that lies between buckets")
    console.print()
    for street, count in zip(("flop", "turn", "river"), buckets.counts[1:]):
        middle = (2 * count) // 3
        mean = buckets.report[street]["mean_equity"][middle]
        hands = "  ".join(sample_hands(buckets, street, middle, 4))
        console.print(f" {street} bucket {middle} (equity {mean:.3f}): {hands}", soft_wrap=True)
    size = path.stat().st_size / 1e6
    console.print(f" {path}: {size:.1f} MB, hash {buckets.hash[:16]}, {seconds:.0f} s", soft_wrap=True)


def _show_hand(console: Console, view: HandView) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    console.print(
        f" {view.hand} on {view.board}: {view.street} bucket {view.bucket} of {view.buckets}, "
        f"equity {view.equity:.4f}",
        soft_wrap=True,
    )
    for title, histogram in view.histograms.items():
        console.print(f"\n {title}")
        most = max(histogram)
        for low, share in zip(range(len(histogram)), histogram):
            bar = "█" * round(_BAR * share / most)
            if share > 0.0 and not bar:
                bar = "▏"
            line = Text(f"  {low / len(histogram):.2f} ") + Text(bar.ljust(_BAR), style="green")
            console.print(line + Text(f" {share:6.1%}" if share else ""))
    table = Table(box=box.SIMPLE_HEAD, title="this bucket and those nearest to it", title_justify="left")
    for name in ("bucket", "equity", "share", "spread", "distance", "hands"):
        table.add_column(name, justify="left" if name == "hands" else "right", no_wrap=name != "hands")
    for row in view.neighbours:
        table.add_row(
            str(row.bucket),
            f"{row.mean_equity:.3f}",
            f"{row.share:.2%}",
            f"{row.spread:.3f}",
            f"{row.distance:.4f}",
            "  ".join(row.hands),
            style="bold" if row.bucket == view.bucket else "",
        )
    console.print()
    console.print(table)


def _show_list(console: Console, rows: list[dict[str, Any]], folder: str) -> None:
    from rich import box
    from rich.table import Table

    if not rows:
        console.print(
            f" no buckets in {folder}; make some: overbet buckets build --preset tiny", soft_wrap=True
        )
        return
    table = Table(box=box.SIMPLE_HEAD, title=folder, title_justify="left")
    for name in ("name", "buckets", "feature", "river", "MB", "hash"):
        table.add_column(name, justify="right" if name == "MB" else "left", no_wrap=True)
    for row in rows:
        if "error" in row:
            table.add_row(row["name"], "cannot be read", "", "", "", "")
            continue
        counts = "/".join(map(str, row["buckets"]))
        form = "table" if row["river_table"] else "rule"
        table.add_row(row["name"], counts, row["feature"], form, f"{row['megabytes']}", row["hash"][:10])
    console.print(table)
