"""What the measuring verbs write into the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overbet.agents.protocol import Agent
    from overbet.evaluation.lbr import LbrResult
    from overbet.evaluation.lbr_family import LbrFamily
    from overbet.evaluation.match_result import MatchResult
    from overbet.games.holdem import HoldemGame


def note_match(result: MatchResult, specs: Sequence[str], agents: Sequence[Agent]) -> None:
    """Note a match, once for each estimate; specs: how the agents were asked for, the measured one first."""
    from overbet.evaluation.ledger import append
    from overbet.evaluation.match_result import RAW
    from overbet.interfaces.cli.table_setup import describe_table

    blueprints = [agent.blueprint for agent in agents if hasattr(agent, "blueprint")]
    for estimate in (RAW, *result.estimates):
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
        )


def note_lbr_family(found: LbrFamily, subject: Agent, spec: str, game: HoldemGame) -> list[int]:
    """Note every member and the largest on fresh deals; return the numbers in the ledger, in that order."""
    members = [note_lbr(member, subject, spec, game, "member") for member in found.members]
    if found.largest is None:
        return members
    return [*members, note_lbr(found.largest, subject, spec, game, "largest")]


def note_lbr(result: LbrResult, subject: Agent, spec: str, game: HoldemGame, family: str = "") -> int:
    """Note what the local best response won; return the number in the ledger.

    family: `member` or `largest` where the whole family was measured.
    """
    from overbet.evaluation.ledger import append

    blueprint = getattr(subject, "blueprint", None)
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
    )


def _game_text(game: HoldemGame) -> str:
    stacks = "/".join(str(chips) for chips in game.start)
    blinds = "/".join(str(chips) for chips in game.blinds)
    antes = "/".join(str(chips) for chips in game.antes)
    return f"{game.num_players} players, stacks {stacks}, blinds {blinds}, antes {antes}, rake {game.rake:g}"
