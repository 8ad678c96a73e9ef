"""One node of a solved tree, for people: both players' hands with strategy, EV, equity, reach and weight.

EV counts from the node on: chips a player gets back from the pot less what it still puts in, so that folding
is worth 0 and both players' EVs add up to the pot less the rake. Realisation is EV / (equity x pot). Averages
over a range weigh each hand by how often it is dealt here against the opponent's range (`weight`).

A class of the grid (`AKs`): how it plays is the mean over its combos by `reach`, what it is worth the mean by
`weight`. A class that never gets here has the plain mean of its combos, and weight 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards
from overbet.cards.combos import CLASSES, COMBOS, class_name, class_of_combos, combo_name, live_combos
from overbet.cards.grid import Grid, class_means, grid_html
from overbet.cards.range import Range
from overbet.errors import ConfigError, RangeError, unknown
from overbet.solvers.vector.lines import PLAYERS, Action

if TYPE_CHECKING:
    import polars

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Seat:
    """One player's H live hands at a node, in combo order, and what they do and are worth there.

    combos: [H] int16. reach: [H] float64, starting weight times how often the hand plays the line. weight:
    [H] float64, share of all deals here, sums to 1. ev_chips, equity: [H] float64, NaN where the opponent
    cannot be here. strategy, action_ev_chips: [H, actions] float64, or None where the other player acts.
    played: False when the player never plays the line: `weight` then goes by its starting range.
    """

    player: str
    pot: int
    big_blind: int
    combos: npt.NDArray[np.int16]
    reach: Doubles
    weight: Doubles
    ev_chips: Doubles
    equity: Doubles
    strategy: Doubles | None
    action_ev_chips: Doubles | None
    played: bool

    @property
    def hands(self) -> list[str]:
        """The hands' texts."""
        return [combo_name(int(combo)) for combo in self.combos]

    @property
    def ev_bb(self) -> Doubles:
        """EV in big blinds: [H] float64."""
        return self.ev_chips / big_blind_of(self.big_blind)

    @property
    def realisation(self) -> Doubles:
        """EV as a share of what equity alone would give: [H] float64, NaN where the equity is 0."""
        fair = self.equity * self.pot
        found: Doubles = np.divide(self.ev_chips, fair, out=np.full(len(fair), np.nan), where=fair > 0)
        return found

    @property
    def range(self) -> Range:
        """The range that gets here."""
        weights = np.zeros(COMBOS)
        weights[self.combos] = self.reach
        return Range(np.minimum(weights, 1.0))

    def mean(self, values: Doubles, weight: Doubles | None = None) -> float:
        """Return the mean of values over the range, hands without a value left out; NaN when none has one."""
        known = np.isfinite(values)
        shares = (self.weight if weight is None else weight)[known]
        return float(shares @ values[known] / shares.sum()) if shares.sum() > 0 else float("nan")

    @property
    def mean_ev_chips(self) -> float:
        """The range's EV in chips."""
        return self.mean(self.ev_chips)

    @property
    def mean_equity(self) -> float:
        """The range's equity, 0 to 1."""
        return self.mean(self.equity)

    @property
    def mean_realisation(self) -> float:
        """The range's EV as a share of its equity in the pot."""
        return self.mean_ev_chips / (self.mean_equity * self.pot) if self.mean_equity > 0 else float("nan")

    def frequencies(self) -> Doubles:
        """Return how often the range takes each action: [actions] float64."""
        if self.strategy is None:
            raise ConfigError(f"{self.player} does not act here; ask the other player's seat")
        found: Doubles = self.weight @ self.strategy
        return found

    def by_class(self, values: Doubles, *, never: bool = False) -> Doubles:
        """Return the mean of values over each class, by weight: [169] float64, NaN where empty.

        never: give classes that never get here the plain mean of their combos, instead of NaN.
        """
        found = class_means(self.combos, values, self.weight)
        here = np.bincount(class_of_combos()[self.combos], self.weight, CLASSES) > 0
        return found if never else np.where(here, found, np.nan)

    def class_mix(self) -> Doubles:
        """Return how often each class takes each action, by reach: [169, actions], NaN where empty."""
        if self.strategy is None:
            raise ConfigError(f"{self.player} does not act here; ask the other player's seat")
        return class_means(self.combos, self.strategy, self.reach)

    def class_combos(self) -> Doubles:
        """Return how many live combos of each class the range holds, at whatever weight: [169] float64."""
        return np.bincount(class_of_combos()[self.combos], minlength=CLASSES).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Node:
    """One node of a solution.

    kind: `oop` or `ip` (who acts), `card` (the next one is dealt), `fold` or `showdown`. pot, to_call,
    behind: in chips, the pot with all bets, what the acting player faces, what either has left.
    exploitability: of the whole solution, in % of the starting pot. note: what else one must know to read the
    numbers; empty when nothing.
    """

    line: str
    board: str
    street: str
    kind: str
    pot: int
    to_call: int
    behind: tuple[int, int]
    big_blind: int
    actions: tuple[Action, ...]
    oop: Seat
    ip: Seat
    exploitability: float
    note: str

    @property
    def player(self) -> str | None:
        """Who acts: `oop`, `ip`, or None."""
        return self.kind if self.kind in PLAYERS else None

    def seat(self, player: str | int | None = None) -> Seat:
        """Return a player's hands; without a name the acting player's, out of position where nobody acts."""
        return (self.oop, self.ip)[player_number(self.player or "oop" if player is None else player)]

    @property
    def spr(self) -> float:
        """What is behind (the smaller stack) as a multiple of the pot."""
        return min(self.behind) / self.pot

    @property
    def pot_odds(self) -> float | None:
        """The equity a call needs to break even, None where there is nothing to call."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else None

    @property
    def unit(self) -> str:
        """What `amount` counts in: `bb` where the spot says what a big blind is, else `chips`."""
        return "bb" if self.big_blind else "chips"

    def amount(self, chips: float) -> float:
        """Return chips in the unit people read."""
        return chips / self.big_blind if self.big_blind else float(chips)

    def totals(self) -> polars.DataFrame:
        """Return the acting player's actions: frequency, combos, EV of the hands that take each, size."""
        import polars

        return polars.DataFrame(self.total_rows())

    def total_rows(self) -> list[dict[str, Any]]:
        """Return what `totals` has, by name, for each action: quicker, since polars takes long to load."""
        seat = self.seat()
        if seat.strategy is None or seat.action_ev_chips is None:
            raise ConfigError(
                f"nobody acts at {self.line} ({self.kind}); ask for a line that ends at a decision"
            )
        frequencies, combos = seat.frequencies(), seat.reach @ seat.strategy
        rows = []
        for a, action in enumerate(self.actions):
            ev = seat.mean(seat.action_ev_chips[:, a], seat.weight * seat.strategy[:, a])
            row: dict[str, Any] = {"action": action.label, "token": action.token}
            row |= {"frequency": float(frequencies[a]), "combos": float(combos[a]), "ev_chips": ev}
            if self.big_blind:
                row["ev_bb"] = ev / self.big_blind
            rows.append(row | {"chips": action.chips, "pot_share": action.pot_share})
        return rows

    def to_polars(self, player: str | int | None = None) -> polars.DataFrame:
        """Return one row a hand of a player (the acting one unless named).

        `reached` is False for hands that never play the line. For the acting player a column for each action
        holds its frequency, and one more the EV of taking it.
        """
        import polars

        seat = self.seat(player)
        columns: dict[str, Any] = {
            "hand": seat.hands,
            "class": [class_name(int(c)) for c in class_of_combos()[seat.combos]],
            "reach": seat.reach,
            "reached": seat.reach > 0,
            "weight": seat.weight,
            "equity": seat.equity,
            "ev_chips": seat.ev_chips,
            "realisation": seat.realisation,
        }
        if seat.strategy is not None and seat.action_ev_chips is not None:
            for number, action in enumerate(self.actions):
                columns[action.label] = seat.strategy[:, number]
            for number, action in enumerate(self.actions):
                columns[f"ev_chips {action.label}"] = seat.action_ev_chips[:, number]
        return self._with_blinds(polars.DataFrame(columns))

    def to_pandas(self, player: str | int | None = None) -> Any:
        """Return `to_polars` as a pandas frame; pandas is not installed with Overbet."""
        return to_pandas(self.to_polars(player))

    def hand(self, text: str, player: str | int | None = None) -> dict[str, Any]:
        """Return the row of one combo (`AsKh`), or the means of a class (`AKs`) as in the grid."""
        frame, seat = self.to_polars(player), self.seat(player)
        wanted = np.isin(seat.combos, np.flatnonzero(Range.parse(text).weights))
        if not wanted.any():
            raise RangeError(f"{seat.player} cannot hold {text} at {self.line}")
        if wanted.sum() == 1:
            return frame.row(int(np.flatnonzero(wanted)[0]), named=True)
        found: dict[str, Any] = {"hand": text}
        acts = {action.label for action in self.actions} if seat.strategy is not None else set()
        for name in frame.columns:
            if frame[name].dtype.is_float():
                values = frame[name].to_numpy()[wanted]
                own = (seat.reach if name in acts else seat.weight)[wanted]
                shares = own if own.sum() > 0 else np.ones(len(own))
                known = np.isfinite(values)
                total = shares[known].sum()
                found[name] = float(shares[known] @ values[known] / total) if total > 0 else float("nan")
        found["reach"] = float(seat.reach[wanted].sum())
        found["weight"] = float(seat.weight[wanted].sum())
        return found

    def class_weights(self, player: str | int | None = None) -> Doubles:
        """Return how much of each class gets here: [169] float64, reach over its combos live on the board.

        Where the player never plays the line: the share of the live combos that its range holds.
        """
        seat = self.seat(player)
        shown = seat.reach if seat.played else np.ones(len(seat.combos))
        live = np.bincount(class_of_combos()[live_combos(cards(self.board))], minlength=CLASSES)
        found = np.bincount(class_of_combos()[seat.combos], shown, CLASSES) / np.maximum(live, 1)
        return np.minimum(found, 1.0)

    def grid(self, player: str | int | None = None) -> Grid:
        """Return the 13 x 13 grid: actions where the player acts, the range alone where it does not."""
        seat = self.seat(player)
        weights = self.class_weights(player)
        title = f"{self.board} {self.line} {seat.player}"
        if seat.strategy is None:
            return Grid.of_weights(weights, title)
        return Grid([a.label for a in self.actions], np.nan_to_num(seat.class_mix()), weights, title)

    def plot(self, path: str | Path) -> None:
        """Draw the node to a picture: strategy, EV and equity as grids, totals above."""
        from overbet.solvers.vector.picture import draw_node

        draw_node(path, self)

    def summary(self) -> str:
        """Return the node in one line: board, pot, SPR, EV and equity of both, exploitability."""
        parts = [
            f"{self.board} {self.line}",
            f"pot {self.amount(self.pot):g} {self.unit}",
            f"SPR {self.spr:.2f}",
        ]
        if self.pot_odds is not None:
            parts.append(f"pot odds {self.pot_odds:.1%}")
        for seat in (self.oop, self.ip):
            ev = self.amount(seat.mean_ev_chips)
            parts.append(f"{seat.player.upper()} EV {ev:.2f} {self.unit}, equity {seat.mean_equity:.1%}")
        parts.append(f"exploitability {self.exploitability:.3f}% of the pot")
        return "; ".join(parts)

    def __repr__(self) -> str:
        acts = ""
        if self.player:
            pairs = zip(self.actions, self.seat().frequencies())
            acts = "; " + ", ".join(f"{action.label} {share:.1%}" for action, share in pairs)
        return f"Node({self.summary()}{acts})"

    def _repr_html_(self) -> str:
        note = f"<div><i>{escape(self.note)}</i></div>" if self.note else ""
        table = frame_html(self.totals(), self.big_blind) if self.player else ""
        return f"<div>{escape(self.summary())}</div>{note}{grid_html(self.grid())}{table}"

    def _with_blinds(self, frame: polars.DataFrame) -> polars.DataFrame:
        return with_blinds(frame, self.big_blind)


def with_blinds(frame: polars.DataFrame, big_blind: int) -> polars.DataFrame:
    """Return a frame with a column in big blinds beside every `ev_chips` one, where a big blind is known."""
    if not big_blind:
        return frame
    columns = []
    for name in frame.columns:
        columns.append(frame[name])
        if "ev_chips" in name or name in ("pot_chips", "gain_chips"):
            columns.append((frame[name] / big_blind).alias(name.replace("chips", "bb")))
    return frame.select(columns)


def frame_html(frame: polars.DataFrame, big_blind: int) -> str:
    """Return a small frame as an HTML table: shares as percentages, amounts with two decimals."""
    hidden = [name for name in frame.columns if big_blind and "chips" in name]
    shown = frame.drop(hidden)
    head = "".join(f"<th>{escape(name)}</th>" for name in shown.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell_text(n, v))}</td>" for n, v in zip(shown.columns, row)) + "</tr>"
        for row in shown.iter_rows()
    )
    return f'<table style="font:12px sans-serif"><tr>{head}</tr>{rows}</table>'


SHARES = ("frequency", "share", "equity", "realisation", "probability", "weight")


def cell_text(name: str, value: object) -> str:
    """Return a value of a frame for people: frequencies with one decimal, EV with two."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "-"
    if isinstance(value, float):
        share = any(word in name for word in SHARES)
        return f"{100 * value:.1f}%" if share else f"{value:.1f}" if name == "combos" else f"{value:.2f}"
    return str(value)


def to_pandas(frame: polars.DataFrame) -> Any:
    """Return a frame as a pandas one."""
    try:
        import pandas
    except ImportError as error:
        raise ConfigError("pandas is not installed; pip install pandas, or use to_polars()") from error
    return pandas.DataFrame({name: frame[name].to_numpy() for name in frame.columns})


def player_number(player: str | int) -> int:
    """Return 0 for `oop` and 1 for `ip`, by name or number."""
    names: Sequence[str | int] = PLAYERS
    if isinstance(player, str):
        player = player.lower()
    elif player in (0, 1):
        return int(player)
    if player not in names:
        raise ConfigError(unknown("player", str(player), PLAYERS))
    return names.index(player)


def big_blind_of(big_blind: int) -> int:
    """Return the big blind in chips, or raise where the spot has none."""
    if not big_blind:
        raise ConfigError("the spot does not say what a big blind is; set big_blind, or read ev_chips")
    return big_blind
