"""A strategy for every player of a small game: one probability for each action of each information set.

`TabularPolicy` is what the solvers of small games hand out and what people keep: it is saved in open formats,
knows which game it belongs to, goes to and from OpenSpiel, and says how good it is by exact best responses.

    policy = TabularPolicy.uniform("leduc")
    policy.exploitability()                      # 2.3736...
    policy.save("uniform.parquet")
    TabularPolicy.load("uniform.parquet")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, unknown
from overbet.games.protocol import Game
from overbet.games.registry import make_game
from overbet.tree.flat import FlatGame, flatten

if TYPE_CHECKING:
    import polars as pl

    from overbet.solvers.tabular import TabularBestResponse

Floats = npt.NDArray[np.float64]
Origin = Mapping[str, str | int | float | bool | None]
_TOLERANCE = 1e-9  # how far the probabilities of a set may be from summing to 1
_HTML_ROWS = 60
_COLOURS = {"fold": "#5b8fd9", "check": "#5cb85c", "call": "#5cb85c", "pass": "#5cb85c"}
_AGGRESSIVE = ("#e9967a", "#d9534f", "#a52a2a", "#6e1414")  # bets, light to dark


def as_flat(game: FlatGame | Game | str) -> FlatGame:
    """Return `game` flattened: a registered name, a game, or one that is flat already."""
    if isinstance(game, str):
        game = make_game(game)
    return game if isinstance(game, FlatGame) else flatten(game)


@dataclass(frozen=True, eq=False)
class TabularPolicy:
    """Probabilities over the actions of every information set of one game.

    probabilities: [slot] float64, in the layout of `overbet.tree.flat`; read-only
    origin: how it came about (solver, rule, iterations, seed); kept in files, never interpreted
    """

    game: FlatGame
    probabilities: Floats
    origin: Origin = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = np.array(self.probabilities, dtype=np.float64)
        if table.shape != (self.game.num_slots,):
            raise ConfigError(
                f"a policy of {self.game.name} has {self.game.num_slots} entries, not {list(table.shape)}"
            )
        sums = np.add.reduceat(table, self.game.tree.infoset_offset[:-1]) if len(table) else np.ones(0)
        wrong = np.flatnonzero(~(np.abs(sums - 1.0) <= _TOLERANCE))
        if len(wrong):
            name = self.game.infoset_names[wrong[0]]
            raise ConfigError(f"the probabilities at {name!r} sum to {sums[wrong[0]]:.6g}, not to 1")
        if len(table) and not (table.min() >= 0.0 and table.max() <= 1.0 + _TOLERANCE):
            raise ConfigError("a policy's probabilities lie between 0 and 1")
        table.setflags(write=False)
        object.__setattr__(self, "probabilities", table)

    @classmethod
    def uniform(cls, game: FlatGame | Game | str) -> Self:
        """Return the policy that takes every action equally often."""
        flat = as_flat(game)
        return cls(flat, flat.uniform(), {"solver": "uniform"})

    @classmethod
    def from_weights(cls, game: FlatGame | Game | str, weights: Floats, origin: Origin | None = None) -> Self:
        """Return the policy in proportion to `weights: [slot] float64`; uniform where all are 0."""
        flat = as_flat(game)
        return cls(flat, flat.normalise(weights), dict(origin or {}))

    def at(self, infoset: str, player: int = 0) -> dict[str, float]:
        """Return {action: probability} at the information set called `infoset`."""
        row = self.game.infoset_ids.get((player, infoset))
        if row is None:
            known = [name for owner, name in self.game.infoset_ids if owner == player]
            shown = known if len(known) <= 20 else [*known[:19], f"... ({len(known)} in all)"]
            raise ConfigError(unknown(f"information set of player {player}", infoset, shown))
        slots = self.game.slots(row)
        return dict(zip(self.game.slot_names[slots], self.probabilities[slots].tolist()))

    def best_response(self) -> TabularBestResponse:
        """Return the exact best responses of every player."""
        from overbet.solvers.tabular import best_response

        return best_response(self.game, self.probabilities)

    def exploitability(self) -> float:
        """Return NashConv divided by the number of players; never negative."""
        return self.best_response().exploitability

    def values(self) -> Floats:
        """Return what each player wins when all play this policy, [player] float64."""
        return self.best_response().values

    def to_polars(self) -> pl.DataFrame:
        """Return a tidy frame, one row an action: infoset, player, action, action_id, probability."""
        import polars as pl

        tree = self.game.tree
        names = np.array(self.game.infoset_names, dtype=object)[tree.slot_infoset]
        return pl.DataFrame(
            {
                "infoset": pl.Series(names.tolist(), dtype=pl.String),
                "player": pl.Series(tree.infoset_player[tree.slot_infoset], dtype=pl.Int8),
                "action": pl.Series(list(self.game.slot_names), dtype=pl.String),
                "action_id": pl.Series(self.game.slot_actions, dtype=pl.Int32),
                "probability": pl.Series(self.probabilities, dtype=pl.Float64),
            }
        )

    def save(self, path: str | Path) -> None:
        """Write the policy to a .parquet or .json file, atomically."""
        from overbet.solvers.policy_io import save_policy

        save_policy(self, path)

    @classmethod
    def load(cls, path: str | Path, game: FlatGame | Game | str | None = None) -> Self:
        """Read a policy file. Without `game` the registered game named in the file is built.

        A damaged file, or the policy of another game, raises `ArtefactError`.
        """
        from overbet.solvers.policy_io import load_policy

        return cls(*load_policy(path, None if game is None else as_flat(game)))

    def to_openspiel(self, peer: Any = None) -> Any:
        """Return a `pyspiel.TabularPolicy`; `peer` is the pyspiel game (known for Kuhn and Leduc)."""
        from overbet.solvers.policy_openspiel import to_openspiel

        return to_openspiel(self, peer)

    @classmethod
    def from_openspiel(cls, game: FlatGame | Game | str, policy: Any, peer: Any = None) -> Self:
        """Return the policy that an OpenSpiel policy plays.

        `policy` is a `pyspiel.Policy`, one of OpenSpiel's Python policies, or a dictionary from information
        state string to (action, probability) pairs.
        """
        from overbet.solvers.policy_openspiel import from_openspiel

        flat = as_flat(game)
        return cls(flat, from_openspiel(flat, policy, peer), {"solver": "openspiel"})

    def __repr__(self) -> str:
        made = ", ".join(f"{key}={value}" for key, value in self.origin.items())
        return f"<TabularPolicy of {self.game.name}: {self.game.num_infosets} information sets; {made}>"

    def _repr_html_(self) -> str:
        rows = [_html_row(self, i) for i in range(min(self.game.num_infosets, _HTML_ROWS))]
        left = self.game.num_infosets - len(rows)
        if left > 0:
            rows.append(f"<tr><td colspan=4>... and {left} more: see to_polars()</td></tr>")
        return (
            f"<p><b>{escape(self.game.name)}</b>: {self.game.num_infosets} information sets</p><table>"
            "<tr><th>player</th><th>information set</th><th>actions</th><th></th></tr>"
            f"{''.join(rows)}</table>"
        )


def _html_row(policy: TabularPolicy, infoset: int) -> str:
    """One information set: a bar of its actions, the most aggressive left as on a poker grid, and figures."""
    slots = policy.game.slots(infoset)
    names, shares = policy.game.slot_names[slots], policy.probabilities[slots].tolist()
    bars, words, bets = [], [], 0
    for name, share in zip(names, shares):
        colour = _COLOURS.get(name)
        if colour is None:
            colour = _AGGRESSIVE[min(bets, len(_AGGRESSIVE) - 1)]
            bets += 1
        bars.append(
            f"<div title='{escape(name, quote=True)}' "
            f"style='width:{100 * share:.1f}%;background:{colour}'></div>"
        )
        words.append(f"{escape(name)} {100 * share:.1f}%")
    bar = f"<div style='display:flex;width:160px;height:12px'>{''.join(reversed(bars))}</div>"
    return (
        f"<tr><td>{policy.game.tree.infoset_player[infoset]}</td>"
        f"<td>{escape(policy.game.infoset_names[infoset])}</td><td>{bar}</td><td>{', '.join(words)}</td></tr>"
    )
