"""`overbet equity`: how much of the pot each hand or range wins, exactly or with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.cards.equity import EquityResult, Method

EXAMPLE = 'overbet equity "AKs,QQ+" "22+" --board Td9d6h'
_BAR, _EIGHTHS = 12, " ▏▎▍▌▋▊▉"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("equity", epilog=f"Examples: `overbet equity AhKh QsQd`, `{EXAMPLE}`")
    def equity(
        hands: list[str] = typer.Argument(..., help="2 to 9 hands or ranges, such as AhKh or 'QQ+,AKs:.5'."),
        board: str = typer.Option("", "--board", "-b", help="0, 3, 4 or 5 cards, such as Td9d6h."),
        dead: str = typer.Option("", "--dead", "-d", help="Cards that are in nobody's hand and cannot come."),
        samples: int = typer.Option(
            1_000_000, "--samples", "-n", min=1, max=10**12, help="Deals when it is sampled."
        ),
        seed: int = typer.Option(
            0, "--seed", min=0, max=2**63 - 1, help="The same seed deals the same hands."
        ),
        exact: bool | None = typer.Option(
            None, "--exact/--sampled", help="Count every deal, or sample. Default: exact where it is quick."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Show each player's share of the pot when all cards come, ties split."""
        import json

        from rich.console import Console

        method: Method = "auto" if exact is None else "exact" if exact else "sampled"
        result = _with_progress(hands, board, dead, method, samples, seed)
        if as_json:
            typer.echo(json.dumps(result.to_dict()))
        else:
            _show(Console(highlight=False), result)


def _with_progress(
    hands: list[str], board: str, dead: str, method: Method, samples: int, seed: int
) -> EquityResult:
    from overbet.cards.equity import equity
    from overbet.interfaces.cli.progress import COMPILING, shown

    with shown(f"preparing {COMPILING}") as show:

        def advance(done: int, total: int) -> None:
            show(done, total, f"{done:,} of {total:,}")

        return equity(
            *hands, board=board, dead=dead, method=method, samples=samples, seed=seed, progress=advance
        )


def _show(console: Console, result: EquityResult) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    title = "  ".join(
        f"{name} {cards}" for name, cards in (("board", result.board), ("dead", result.dead)) if cards
    )
    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold")
    table.add_column("hand", overflow="fold", max_width=36)
    table.add_column("combos", justify="right")
    for name in ("equity", "win", "tie"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    rows = zip(result.players, result.combos, result.equity, result.win, result.tie, result.ci95)
    best = max(result.equity)
    for hand, combos, equity, win, tie, ci95 in rows:
        style = "bold" if equity == best else ""
        share = f"{equity:.3%}" if result.exact else f"{equity:.2%} ± {ci95:.2%}"
        full, eighths = divmod(round(equity * _BAR * 8), 8)
        filled = "█" * full + (_EIGHTHS[eighths] if eighths else "")
        bar = Text(filled, style="green") + Text("·" * (_BAR - len(filled)), style="dim")
        table.add_row(
            Text(hand, style=style), f"{combos:g}", Text(share, style=style), f"{win:.2%}", f"{tie:.2%}", bar
        )
    console.print(table)
    if result.exact:
        console.print(
            f" exact: all {result.boards:,} boards" if result.boards > 1 else " exact: the board is complete"
        )
    else:
        console.print(f" sampled: {result.trials:,} deals; ± is the 95 % confidence interval")
