"""The table of decisions: what leaks and opponents are found in, whoever fills it.

A row a decision, in a polars frame:

    hand          any           which hand; decisions of one hand share it
    player        str           who decided (not needed where there is one)
    position      str           SB, BB, UTG, ..., BTN
    street        str           preflop, flop, turn, river
    line          str           the kind of line before it (`decision_lines`); other words do as well
    texture       str or null   of the flop: monotone, two-tone, rainbow, paired; null before the flop
    stack_bb      float         effective stack at the beginning of the hand, in big blinds
    action        str           fold, check, call, bet, raise
    ev_loss_bb    float, null   what it cost beside the best action; null where it was not priced
    p_fold, p_check, p_call, p_bet, p_raise
                  float, null   how often the strategy does each here, with this very hand where the hole
                                cards are known, else with the range; all null where it is not known

`ev_loss_bb`, `player` and the five shares may be missing as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.errors import ConfigError
from overbet.study.decision_lines import KINDS

if TYPE_CHECKING:
    import polars

SHARES = tuple(f"p_{kind}" for kind in KINDS)
NEEDED = ("hand", "position", "street", "line", "texture", "stack_bb", "action")
_SUM_ERROR = 0.02  # strategies are kept in 255ths, and a mean over a range is rounded
BANDS = (
    (10.0, "up to 10 bb"),
    (20.0, "10 to 20 bb"),
    (40.0, "20 to 40 bb"),
    (75.0, "40 to 75 bb"),
    (150.0, "75 to 150 bb"),
    (float("inf"), "over 150 bb"),
)


def checked_decisions(decisions: polars.DataFrame) -> polars.DataFrame:
    """Return the table with all columns, `band` (of the stack) among them; refuse what cannot be read."""
    import polars as pl

    missing = [name for name in NEEDED if name not in decisions.columns]
    if missing:
        raise ConfigError(
            f"the table of decisions has no column {', '.join(missing)}; it needs {', '.join(NEEDED)}"
        )
    optional = [name for name in ("ev_loss_bb", *SHARES) if name not in decisions.columns]
    table = decisions.with_columns(pl.lit(None, pl.Float64).alias(name) for name in optional)
    if "player" not in table.columns:
        table = table.with_columns(pl.lit("").alias("player"))
    table = table.with_columns(pl.col("stack_bb", "ev_loss_bb", *SHARES).cast(pl.Float64))
    odd = table.filter(~pl.col("action").is_in(list(KINDS)).fill_null(False))
    if len(odd):
        raise ConfigError(f"an action is one of {', '.join(KINDS)}, not {odd['action'][0]!r}")
    sums = table.select(
        pl.sum_horizontal(*SHARES, ignore_nulls=False).alias("sum"), pl.min_horizontal(*SHARES).alias("least")
    )
    bad = sums.filter(
        ((pl.col("sum") - 1.0).abs() > _SUM_ERROR) | (pl.col("least") < 0.0) | pl.col("sum").is_nan()
    )
    if len(bad):
        raise ConfigError(
            f"the strategy's shares of a decision add up to {bad['sum'][0]:g}; they have to add up to 1"
        )
    return table.with_columns(_band().alias("band"))


def _band() -> polars.Expr:
    """Return the band of the effective stack."""
    import polars as pl

    found = pl.lit(BANDS[-1][1])
    for most, name in reversed(BANDS[:-1]):
        found = pl.when(pl.col("stack_bb") <= most).then(pl.lit(name)).otherwise(found)
    return pl.when(pl.col("stack_bb").is_null()).then(None).otherwise(found)
