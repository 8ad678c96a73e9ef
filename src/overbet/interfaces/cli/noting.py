"""What the measuring verbs write into the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overbet.agents.protocol import Agent
    from overbet.evaluation.lbr import LbrResult
    from overbet.evaluation.lbr_family import LbrFamily
    from overbet.evaluation.match_result import MatchResult
    from overbet.games.holdem import HoldemGame


def note_match(
    result: MatchResult,
    specs: Sequence[str],
    agents: Sequence[Agent],
    *,
    command: str | None = None,
    path: Path | None = None,
) -> list[int]:
    """Note a match, once for each estimate; return the numbers in the ledger.

    specs: how the agents were asked for, the measured one first. command, path: as in `ledger.append`.
    """
    from overbet.evaluation.ledger import append
    from overbet.evaluation.match_result import RAW
    from overbet.interfaces.cli.table_setup import describe_table

    blueprints = [found for found in map(_blueprint_of, agents) if found is not None]
    return [
        append(
            "match",
            specs[0],
            result.mbb(0, estimate),
            against=" ".join(specs[1:]),
            game=describe_table(result.game),
            settings=estimate,
            seed=result.seed,
            config=" ".join(blueprint.config.digest() for blueprint in blueprints),
            abstraction=" ".join(blueprint.cards.digest for blueprint in blueprints),
            extra={"hands": result.hands, "faults": len(result.faults), "stopped": result.stopped},
            values=result.by_deal(0, estimate),
            command=command,
            path=path,
        )
        for estimate in (RAW, *result.estimates)
    ]


def note_lbr_family(
    found: LbrFamily,
    subject: Agent,
    spec: str,
    game: HoldemGame,
    *,
    command: str | None = None,
    path: Path | None = None,
) -> list[int]:
    """Note every member and the largest on fresh deals; return the numbers in the ledger, in that order."""
    kinds = [(member, "member") for member in found.members]
    if found.largest is not None:
        kinds.append((found.largest, "largest"))
    return [note_lbr(one, subject, spec, game, kind, command=command, path=path) for one, kind in kinds]


def note_lbr(
    result: LbrResult,
    subject: Agent,
    spec: str,
    game: HoldemGame,
    family: str = "",
    *,
    command: str | None = None,
    path: Path | None = None,
) -> int:
    """Note what the local best response won; return the number in the ledger.

    family: `member` or `largest` where the whole family was measured.
    """
    from overbet.evaluation.ledger import append

    blueprint = _blueprint_of(subject)
    raw = {"mean": result.raw.mean, "half": result.raw.half, "sd": result.raw.sd}
    extra = {"hands": result.hands, "raw": raw, "sd_reduction": result.sd_reduction}
    extra["stopped"] = result.stopped
    if family:
        extra["family"] = family
    if blueprint is not None:
        extra["iterations"] = blueprint.manifest.get("iterations")
    return append(
        "lbr",
        spec,
        result.aivat,
        game=_game_text(game),
        settings=result.settings,
        seed=result.seed,
        config=blueprint.config.digest() if blueprint is not None else "",
        abstraction=blueprint.cards.digest if blueprint is not None else "",
        extra=extra,
        values=result.values,
        command=command,
        path=path,
    )


def _blueprint_of(agent: Agent) -> Any:
    """Return the blueprint that an agent plays, or that the agent plays by which it searches; else None."""
    found = getattr(agent, "blueprint", None)
    return getattr(found, "blueprint", found)


def _game_text(game: HoldemGame) -> str:
    stacks = "/".join(str(chips) for chips in game.start)
    blinds = "/".join(str(chips) for chips in game.blinds)
    antes = "/".join(str(chips) for chips in game.antes)
    return f"{game.num_players} players, stacks {stacks}, blinds {blinds}, antes {antes}, rake {game.rake:g}"
