"""What `overbet hands leaks` and `overbet hands opponents` print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from overbet.interfaces.cli.hands_view import counted

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.interfaces.hands.player_leaks import PlayerLeaks
    from overbet.interfaces.hands.pool import PoolPlayer

_ALSO = 2  # other findings of a line that are listed
_WORDS = {
    "trained": "with a strategy trained for the table",
    "push or fold": "with exact push or fold",
    "nearest depth": "with a strategy of another depth",
}


def print_leaks(console: Console, found: PlayerLeaks) -> None:
    """Print the leaks of a player, and what they were found in."""
    report = found.report
    console.print(
        f"{found.player}: {counted(report.hands, 'hand')}, {counted(report.decisions, 'decision')}, "
        f"{report.compared:,} compared with a strategy, {found.priced:,} priced",
        markup=False,
    )
    for source, count in found.sources.items():
        console.print(f"{count:>9,} {_WORDS.get(source, source)}", markup=False)
    for why, count in found.unknown.items():
        console.print(f"{count:>9,} not compared: {why}", markup=False)
    if not report.lines:
        console.print("too few decisions to ask anything: a line needs 30 that are compared")
        return
    console.print(
        f"{counted(len(report.tests), 'question')} on {counted(len(report.lines), 'line')}; of the leaks "
        f"that are listed at most {found.level:.0%} are false on average"
    )
    console.print("(lines by Benjamini-Yekutieli, parts of a line by Holm, intervals widened for the choice)")
    if not report.leaks:
        console.print("no leak is significant")
    for place, leak in enumerate(report.leaks, 1):
        console.print(f"{place}. {leak.test}", markup=False, soft_wrap=True)
        cost = f"; {leak.bb100:.2f} ± {leak.bb100_half:.2f} bb/100 lost" if leak.priced else ""
        share = f" ({leak.priced:.0%} priced)" if 0.0 < leak.priced < 1.0 else ""
        times = f"{leak.per_100:+.2f} times in 100 hands"
        console.print(f"   {times}{cost}{share}, p {leak.p_value:.1e}", markup=False)
        for test in leak.also[:_ALSO]:
            console.print(f"   also {test}", markup=False, soft_wrap=True)
        if len(leak.also) > _ALSO:
            console.print(f"   and {len(leak.also) - _ALSO} more of this line; --json has them")


def print_opponents(console: Console, pool: Sequence[PoolPlayer], most: int) -> None:
    """Print the players with most hands."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None)
    shown = pool[:most]
    names = [one.name for one in shown[0].main()]
    table.add_column("player", no_wrap=True)
    for name in ("hands", "profile", *names):
        table.add_column(name, justify="left" if name == "profile" else "right")
    means = {one.name: one.pool for one in shown[0].main()}
    table.add_row("pool", "", "", *(f"{100 * means[name]:.0f} %" for name in names))
    for one in shown:
        cells = [f"{100 * seen.mean:.0f} [{100 * seen.low:.0f}-{100 * seen.high:.0f}]" for seen in one.main()]
        table.add_row(escape(one.name[:20]), f"{one.hands:,}", profile_words(one, 1), *map(escape, cells))
    console.print(table)
    of = f"{len(shown):,} of " if len(shown) < len(pool) else ""
    console.print(f"{of}{counted(len(pool), 'player')}; % as posterior mean [95 % interval]", markup=False)


def profile_words(player: PoolPlayer, most: int = 4) -> str:
    """Return the likeliest profiles with their probabilities."""
    return ", ".join(f"{word} {share:.0%}" for word, share in list(player.model.profile.items())[:most])


def print_opponent(console: Console, player: PoolPlayer) -> None:
    """Print every frequency of a player beside the pool's."""
    from rich.table import Table

    console.print(
        f"{player.name}: {counted(player.hands, 'hand')}, {counted(player.decisions, 'decision')}; "
        f"{profile_words(player)}",
        markup=False,
    )
    table = Table(box=None)
    for name in ("street", "line", "action"):
        table.add_column(name)
    for name in ("seen", "mean", "95 %", "pool"):
        table.add_column(name, justify="right")
    for row in player.model.frame().iter_rows(named=True):
        seen = f"{row['hits']:,} of {row['chances']:,}"
        between = f"{100 * row['low']:.0f} to {100 * row['high']:.0f} %"
        numbers = (seen, f"{100 * row['mean']:.1f} %", between, f"{100 * row['pool']:.1f} %")
        table.add_row(row["street"], row["line"], row["action"], *numbers)
    console.print(table)
