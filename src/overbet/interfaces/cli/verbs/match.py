"""`overbet match`: agents against each other on duplicate deals, with the certainty of the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from overbet.interfaces.cli import table_setup as setup
from overbet.interfaces.cli.clustering import CLUSTER, on_cluster
from overbet.interfaces.cli.loading import loading

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.evaluation.match_blocks import PlayedBlock
    from overbet.evaluation.match_result import MatchResult
    from overbet.evaluation.matches import MatchPace
    from overbet.interfaces.cli.outputs import Outputs

EXAMPLE = "overbet match tag lag --hands 100000"
_MORE = "overbet match blueprint:heads-up tag --hands 100000 --histories hands.phhs --sample 100"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("match", epilog=f"Examples: `{EXAMPLE}`, `{_MORE}`")
    def match(
        specs: list[str] = typer.Argument(
            ..., metavar="AGENT...", help="tag, equity:0.6, blueprint:FILE, ..."
        ),
        hands: int = typer.Option(
            10_000, "--hands", "-n", min=1, max=setup.MOST, help="Hands; every deal in all rotations."
        ),
        seats: int | None = setup.SEATS,
        stacks: str = setup.STACKS,
        blinds: str = setup.BLINDS,
        ante: int | None = setup.ANTE,
        seed: int = setup.SEED,
        workers: int = setup.WORKERS,
        cluster: str | None = CLUSTER,
        on_error: str = setup.ON_ERROR,
        time_limit: float | None = setup.TIME_LIMIT,
        histories: Path | None = typer.Option(
            None, "--histories", help="Write hands to this .phhs file (PHH)."
        ),
        sample: int | None = typer.Option(
            None, "--sample", min=1, max=setup.MOST, help="Hands to write, evenly spread; all if left out."
        ),
        out: Path | None = typer.Option(
            None, "--out", "-o", help="Write a row a hand and seat: .csv or .parquet."
        ),
        aivat: bool | None = setup.AIVAT,
        ledger: bool = setup.LEDGER,
        as_json: bool = setup.AS_JSON,
    ) -> None:
        """Play agents against each other: duplicate deals, all rotations of the seats, 95 % intervals.

        Ctrl-C ends the match and shows what was played.
        """
        import json

        with loading():
            from rich.console import Console

            from overbet.agents.protocol import prepare, reports_of
            from overbet.agents.registry import make_agent
            from overbet.evaluation.matches import play_match
            from overbet.interfaces.cli.noting import note_match
            from overbet.interfaces.cli.outputs import Outputs

        console = Console(stderr=True, soft_wrap=True, highlight=False)
        if out is not None:
            _check_out(out)
        if histories is not None:
            _check_histories(histories)
        outputs = Outputs(out, histories)
        setup.compile_early(aivat)
        agents = [make_agent(spec) for spec in specs]
        game = setup.table_of(agents, seats, stacks, blinds, ante)
        agents = [prepare(agent, game) for agent in agents]
        writer = _Histories(sample, hands, specs)
        with (
            on_cluster(cluster) as nodes,
            writer.to(histories, outputs) as on_block,
            showing(console, hands) as progress,
        ):
            result = play_match(
                agents,
                game,
                hands,
                seed=seed,
                workers=workers,
                estimators=setup.estimators_for(agents, game, aivat),
                on_error=on_error,  # type: ignore[arg-type]  # checked by the referee, with what to write
                time_limit=time_limit,
                progress=progress,
                on_block=on_block,
                cluster=nodes,
                specs=specs,
            )
        if as_json:
            typer.echo(json.dumps({**facts(result), "reports": reports_of(agents)}))
        else:
            show_result(Console(highlight=False), result, setup.describe_table(game))
            for line in reports_of(agents):
                Console(highlight=False).print(line, markup=False, soft_wrap=True)
        if out is not None:
            outputs.write(out, lambda: _write_out(result, out))
        if ledger:
            outputs.note(lambda: note_match(result, specs, agents))
        outputs.tell(console)
        outputs.end()


@contextmanager
def showing(console: Console, hands: int, title: str = "playing") -> Iterator[Callable[[MatchPace], None]]:
    """Show a bar with the interval shrinking."""
    from overbet.interfaces.cli.progress import shown

    with shown(title, setup.WAITING, hands, number="percent", console=console) as show:

        def progress(pace: MatchPace) -> None:
            show(pace.hands, pace.total, facts=f"{pace.hands:,} hands  {pace.result} mbb/hand")

        yield progress


class _Histories:
    """Writes hands to a PHH file while they are played."""

    def __init__(self, sample: int | None, hands: int, specs: list[str]) -> None:
        self.sample, self.specs = sample, specs
        self.step = 1 if sample is None else max(hands // sample, 1)
        self.written = 0

    @contextmanager
    def to(self, path: Path | None, outputs: Outputs) -> Iterator[Callable[[PlayedBlock], None] | None]:
        """Yield what writes the hands of a block to a file, or None where no file is asked for.

        A file that cannot be written is told at the end: the match goes on without it.
        """
        if path is None:
            yield None
            return
        from overbet.errors import ArtefactError
        from overbet.files import replacing

        failed: OSError | None = None
        finished = False
        try:
            with replacing(path) as beside, open(beside, "w", encoding="utf-8") as file:

                def on_block(block: PlayedBlock) -> None:
                    nonlocal failed
                    try:
                        if failed is None:
                            self._write(block, file)
                    except OSError as error:
                        failed = error

                yield on_block
                finished = True
                if failed is not None:
                    raise failed
            outputs.written.append(path)
        except ArtefactError as error:
            if not finished:
                raise
            outputs.fail(path, error)

    def _write(self, block: PlayedBlock, file: TextIO) -> None:
        from overbet.interfaces.history.phh_writer import record_of, write_hand

        first = block.number(0)
        players = block.game.num_players
        for hand in range(-first % self.step, block.hands, self.step):
            if self.sample is not None and self.written >= self.sample:
                return
            names = [self.specs[block.slot(hand, player) % len(self.specs)] for player in range(players)]
            other = {"hand": block.number(hand), "players": names}
            self.written += 1
            text = write_hand(record_of(block.state(hand), other))
            file.write(("\n" if self.written > 1 else "") + f"[{self.written}]\n{text}")


def _check_histories(path: Path) -> None:
    from overbet.errors import ConfigError

    if path.suffix != ".phhs":
        raise ConfigError(f"--histories {path}: many hands in one file end in .phhs")


def _check_out(path: Path) -> None:
    from overbet.errors import ConfigError

    if path.suffix not in (".csv", ".parquet"):
        raise ConfigError(f"--out {path}: end the name in .csv or .parquet")


def _write_out(result: MatchResult, path: Path) -> None:
    from overbet.files import replacing
    from overbet.interfaces.cli.outputs import write_parquet

    frame = result.per_hand()
    if path.suffix == ".parquet":
        write_parquet(path, frame)
        return
    with replacing(path) as beside, open(beside, "wb") as file:
        frame.write_csv(file)


def facts(result: MatchResult) -> dict[str, Any]:
    """Return the result as plain values."""
    return {
        "agents": result.agent_rows(),
        "positions": result.position_rows(),
        "streets": result.street_rows(),
        "hands": result.hands,
        "deals": result.deals,
        "seed": result.seed,
        "seconds": round(result.seconds, 3),
        "stopped": result.stopped,
        "notes": result.notes(),
        "faults": [str(fault) for fault in result.faults],
    }


def show_result(console: Console, result: MatchResult, table_text: str) -> None:
    """Print the tables of a match."""
    from rich.table import Table

    stopped = ", stopped early" if result.stopped else ""
    title = f"{result.hands:,} hands, {result.deals:,} deals in all rotations{stopped}; {table_text}"
    table = Table(title=title, title_justify="left")
    table.add_column("agent")
    for word in ("raw", *result.estimates):
        table.add_column(f"mbb/hand,\n{word}", justify="right")
    best = [*result.estimates, "raw"][0]
    table.add_column(f"bb/100,\n{best}", justify="right")
    for _ in result.estimates:
        table.add_column("sd less\nby", justify="right")
    for position in (result.game.position(player) for player in range(result.game.num_players)):
        table.add_column(position, justify="right")
    positions = result.position_rows()
    for number, row in enumerate(result.agent_rows()):
        cells = [row["agent"], f"{row['mbb_per_hand']:+,.0f} ± {row['half']:,.0f}"]
        for word in result.estimates:
            cells.append(f"{row[f'{word}_mbb_per_hand']:+,.0f} ± {row[f'{word}_half']:,.0f}")
        cells.append(result.mbb(number, best).bb100)
        for word in result.estimates:
            cells.append(f"{row[f'{word}_hand_sd_reduction']:.0%}, {row[f'{word}_sd_reduction']:.0%}")
        own = [place for place in positions if place["agent"] == row["agent"]]
        cells += [f"{place['mbb_per_hand']:+,.0f} ± {place['half']:,.0f}" for place in own]
        table.add_row(*cells)
    console.print(table)
    for word in result.estimates:
        console.print(
            f"sd less by: what {word} takes off the deviation of a hand, and of a deal in all rotations"
        )
    _show_streets(console, result)
    for note in result.notes():
        console.print(note, style="yellow", markup=False)
    console.print(f"{result.seconds:.1f} s, seed {result.seed}")


def _show_streets(console: Console, result: MatchResult) -> None:
    from rich.table import Table

    streets = result.street_rows()
    table = Table(
        title="by the street on which the betting ended (adds up to the result)", title_justify="left"
    )
    table.add_column("agent")
    for row in streets:
        if row["agent"] == result.names[0]:
            head = f"{row['street']}\n{row['share']:.0%} of hands\n{row['showdowns']:.0%} shown"
            table.add_column(head, justify="right")
    for name in result.names:
        own = [row for row in streets if row["agent"] == name]
        cells = [f"{row['mbb_of_total']:+,.0f} ± {row['half']:,.0f}" for row in own]
        table.add_row(name, *cells)
    console.print(table)
