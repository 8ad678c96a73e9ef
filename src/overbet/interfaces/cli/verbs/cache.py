"""`overbet cache`: how full the cache of searches is, how often it had the answer; fill, empty, check it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from overbet.search.cache.maintenance import CacheCheck
    from overbet.search.cache.statistics import CacheStatistics

EXAMPLE = "overbet cache stats"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = typer.Typer(no_args_is_help=True, help="The cache of searches: statistics, clearing, checking.")
    app.add_typer(group, name="cache", epilog=f"Examples: `{EXAMPLE}`, `overbet cache check`")
    for add in (_add_warm, _add_stats, _add_clear, _add_check):
        add(group)


_LINES = ["r:0:c:c", "r:0:b200:c", "r:0:b300:c"]


def _add_warm(group: typer.Typer) -> None:
    @group.command("warm", epilog="Example: `overbet cache warm --flops 25 --line r:0:b200:c`")
    def warm(
        flops: str = typer.Option(
            "25", "--flops", help="25, 50, 100, 200, all, or a file with a board a line."
        ),
        line: list[str] = typer.Option(_LINES, "--line", help="A line before the flop; may be given again."),
        hands: str = typer.Option(
            "", "--hands", help="Hand histories: the lines most frequent there instead, heads up."
        ),
        most: int = typer.Option(8, "--most", min=1, max=1000, help="With --hands: so many lines."),
        agent: str = typer.Option(
            "search:heads-up,streets=[flop,turn,river]", "--agent", help="Whose searches are made."
        ),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Search the beginning of many flops now, so that they are answered at once later.

        A bet before the flop that the blueprint does not have is read as one of two, by chance from hand to
        hand: both readings are searched.

        Ctrl-C ends it; what was searched is kept, and the next run goes on from there.
        """
        import json

        from overbet.agents.protocol import PublicState
        from overbet.agents.registry import make_agent
        from overbet.agents.searcher import SearchAgent
        from overbet.errors import ConfigError
        from overbet.interfaces.cli.progress import shown
        from overbet.solvers.vector.batches.flops import board_set
        from overbet.study.advice import state_at
        from overbet.study.cache_warming import readings

        asked = make_agent(agent)
        if not isinstance(asked, SearchAgent) or not asked.searcher.settings.searches(0):
            raise ConfigError(f"--agent {agent}: it does not search the flop; add streets=[flop,turn,river]")
        boards = board_set(flops).boards
        chosen = _lines_of(hands, most) if hands else line
        # which readings a line has does not depend on the flop
        ways = [(each, readings(asked, state_at(asked.own_table, each, boards[0]))) for each in chosen]
        total = sum(len(found) for _, found in ways) * len(boards)
        states = (
            PublicState(state_at(asked.own_table, each, board), way.seed, way.hand)
            for each, found in ways
            for board in boards
            for way in found
        )
        searcher = asked.searcher
        with shown("searching", total=total, number="count") as show:
            for done, public in enumerate(states, 1):
                asked.answer(public)
                show(done, total, facts=f"{searcher.made:,} searched, {searcher.recalled:,} known")
        if searcher.cache is not None:
            searcher.cache.close()
        if as_json:
            typer.echo(json.dumps({"searched": searcher.made, "known": searcher.recalled}))
        else:
            typer.echo(f"searched {searcher.made:,} flops; {searcher.recalled:,} were in the cache already")


def _lines_of(path: str, most: int) -> list[str]:
    """Return the lines before the flop that most heads-up hands of some files took."""
    from overbet.errors import ArtefactError
    from overbet.evaluation.pluribus import RecordedHand, decisions
    from overbet.interfaces.history.replay import Replay, replay_all
    from overbet.interfaces.history.sources import read_hands
    from overbet.study.cache_warming import common_lines

    played = [found for found in replay_all(read_hands(path)) if isinstance(found, Replay)]
    found = common_lines(decisions([RecordedHand(hand.record.players, hand.final) for hand in played]), most)
    if not found:
        raise ArtefactError(f"{path} holds no hand that was heads up after the flop; give --line instead")
    return found


def _add_stats(group: typer.Typer) -> None:
    @group.command("stats", epilog=f"Example: `{EXAMPLE}`")
    def stats(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
        """Show entries, bytes and the hit rate of all time."""
        import json

        from overbet.search.cache.maintenance import stored_statistics

        found = stored_statistics()
        if as_json:
            facts = {key: value for key, value in found.facts().items() if key not in _OF_A_PROCESS}
            typer.echo(json.dumps(facts))
        else:
            _show(found)


def _add_clear(group: typer.Typer) -> None:
    @group.command("clear", epilog="Example: `overbet cache clear`")
    def clear(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
        """Remove all entries and counts; searches that are going on may write new ones."""
        import json

        from overbet.search.cache.maintenance import clear_cache
        from overbet.search.cache.search_cache import cache_folder

        removed = clear_cache()
        if as_json:
            typer.echo(json.dumps({"folder": str(cache_folder()), "removed": removed}))
        elif removed is None:
            typer.echo(f"removed the damaged search cache in {cache_folder()}")
        else:
            typer.echo(f"removed {removed:,} entries from {cache_folder()}")


def _add_check(group: typer.Typer) -> None:
    @group.command("check", epilog="Example: `overbet cache check --repair`")
    def check(
        repair: bool = typer.Option(False, "--repair", help="Take out what is damaged."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    ) -> None:
        """Verify the structure of the file and the checksum of every entry; exit code 1 where damage is left.

        A damaged entry does no harm: it counts as a miss, and is taken out, when it is asked for.
        """
        import json

        from overbet.interfaces.cli.progress import shown
        from overbet.search.cache.maintenance import check_cache
        from overbet.search.cache.search_cache import cache_folder

        with shown("checking", number="count") as show:
            found = check_cache(remove=repair, progress=show)
        if as_json:
            typer.echo(json.dumps({"folder": str(cache_folder()), **found._asdict()}))
        else:
            _show_check(found, repair)
        if not repair and (found.damaged or found.fault):
            raise typer.Exit(1)


def _show_check(found: CacheCheck, repair: bool) -> None:
    if found.fault:
        typer.echo(f"the file is damaged: {found.fault}")
        typer.echo("removed it" if repair else "`overbet cache check --repair` removes it")
        return
    typer.echo(f"{found.entries:,} entries, {_size(found.bytes)}: {found.damaged:,} damaged")
    if found.fault is None:
        typer.echo("the cache is in use: the structure of its file was not checked")
    if found.removed:
        typer.echo(f"took {found.removed:,} out")
    elif found.damaged:
        typer.echo("`overbet cache check --repair` takes them out")


_OF_A_PROCESS = ("process", "memory_entries", "memory_bytes", "memory_limit")


def _show(found: CacheStatistics) -> None:
    if not found.on_disk:
        typer.echo(f"no searches are kept yet in {found.folder}")
        return
    limit = f" of {_size(found.disk_limit)}" if found.disk_limit else ""
    typer.echo(found.folder)
    typer.echo(
        f"{found.disk_entries:,} entries, {_size(found.disk_bytes)}{limit}; the file takes "
        f"{_size(found.file_bytes)}"
    )
    counts = found.all_time
    if counts.hit_rate is None:
        typer.echo("never asked")
    else:
        parts = (counts.memory_hits, counts.disk_hits, counts.misses)
        memory, disk, missed = (f"{count / counts.lookups:.1%}" for count in parts)
        typer.echo(
            f"asked {counts.lookups:,} times: {memory} found in memory, {disk} on disk, {missed} not found"
        )
    typer.echo(
        f"stored {counts.stored:,}, evicted {counts.evicted:,}, damaged {counts.damaged:,}, "
        f"disk failures {counts.failures:,}"
    )


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.2f} GB"
