"""`overbet policy`: what a saved strategy of a small game plays, and how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.solvers.policy import TabularPolicy
    from overbet.solvers.tabular import TabularBestResponse

EXAMPLE = "overbet policy leduc.parquet"


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command("policy", epilog=f"Example: `{EXAMPLE}`")
    def policy(
        path: Path = typer.Argument(
            ..., help="A policy file, .parquet or .json, or networks of overbet deep (.h5)."
        ),
        game: str | None = typer.Option(
            None, "--game", help="Its game; needed for those of OpenSpiel, such as openspiel:liars_dice."
        ),
        player: int | None = typer.Option(None, "--player", min=0, help="Only this player's sets."),
        knows: str = typer.Option("", "--knows", help="Only sets whose name begins with this, such as Ks:"),
        rows: int = typer.Option(40, "--rows", min=1, max=10**9, help="Most information sets to show."),
        as_json: bool = typer.Option(False, "--json", help="Print JSON (all that match)."),
    ) -> None:
        """Show a saved strategy: its game, its exploitability (computed anew) and what it plays."""
        loaded = _loaded(path, game)
        response = loaded.best_response()
        chosen = _chosen(loaded, player, knows)
        if as_json:
            typer.echo(_json(loaded, response, chosen))
            return
        from rich.console import Console

        _show(Console(highlight=False), loaded, response, chosen, rows)


def _loaded(path: Path, game: str | None) -> TabularPolicy:
    """Return what a policy file, or a file of networks, plays."""
    from overbet.artefact import kind_of
    from overbet.games.registry import make_game
    from overbet.solvers.deep.policy_networks import network_policy
    from overbet.solvers.policy import TabularPolicy

    if path.is_file() and kind_of(path) == "deep network":
        return network_policy(path, None if game is None else make_game(game))
    return TabularPolicy.load(path, game)


def _chosen(policy: TabularPolicy, player: int | None, knows: str) -> list[int]:
    """Return the information sets the options ask for; none at all is an error."""
    from overbet.errors import ConfigError

    flat = policy.game
    if player is not None and player >= flat.num_players:
        raise ConfigError(f"{flat.name} has players 0 to {flat.num_players - 1}, not {player}")
    chosen = [
        i
        for i, name in enumerate(flat.infoset_names)
        if name.startswith(knows) and player in (None, int(flat.tree.infoset_player[i]))
    ]
    if not chosen:
        raise ConfigError(
            f"no information set of {flat.name} begins with {knows!r}; the first is {flat.infoset_names[0]!r}"
        )
    return chosen


def _show(
    console: Console, policy: TabularPolicy, response: TabularBestResponse, chosen: list[int], rows: int
) -> None:
    from rich import box
    from rich.table import Table

    flat = policy.game
    made = ", ".join(f"{key} {value}" for key, value in policy.origin.items() if key != "config_digest")
    values = "  ".join(f"player {p} {value:+.6f}" for p, value in enumerate(response.values))
    console.print(
        f"\n[bold]{flat.name}[/bold]: {flat.num_players} players, {flat.num_infosets:,} sets; {made}"
    )
    console.print(f" exploitability {response.exploitability:.3e}   {values}")
    table = Table("player", "knows", "plays", box=box.SIMPLE_HEAD)
    for infoset in chosen[:rows]:
        slots = flat.slots(infoset)
        plays = "  ".join(
            f"{action} {share:.1%}"
            for action, share in zip(flat.slot_names[slots], policy.probabilities[slots].tolist())
        )
        table.add_row(str(flat.tree.infoset_player[infoset]), flat.infoset_names[infoset], plays)
    console.print(table)
    if len(chosen) > rows:
        console.print(f" ... and {len(chosen) - rows:,} more: --rows, --player and --knows choose")


def _json(policy: TabularPolicy, response: TabularBestResponse, chosen: list[int]) -> str:
    import json

    flat = policy.game
    sets = []
    for infoset in chosen:
        slots = flat.slots(infoset)
        sets.append(
            {
                "player": int(flat.tree.infoset_player[infoset]),
                "infoset": flat.infoset_names[infoset],
                "actions": list(flat.slot_names[slots]),
                "probabilities": policy.probabilities[slots].tolist(),
            }
        )
    result = {
        "game": flat.name,
        "players": flat.num_players,
        "information_sets": flat.num_infosets,
        "origin": dict(policy.origin),
        "exploitability": response.exploitability,
        "nash_conv": response.nash_conv,
        "values": response.values.tolist(),
        "policy": sets,
    }
    return json.dumps(result)
