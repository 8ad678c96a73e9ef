"""Ranges to start from, written in the range language; editable, and meant as round examples of play."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    """A named range. group: where a menu lists it."""

    name: str
    group: str
    text: str


_SRP_BTN = "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,85s+,75s+,64s+,54s,43s,A2o+,K8o+,Q9o+,J9o+,T8o+,98o"

PRESETS = (
    Preset("any two", "general", "any"),
    Preset("top 5%", "general", "88+,ATs+,KQs,AQo+"),
    Preset("top 10%", "general", "66+,A8s+,KTs+,QTs+,JTs,ATo+,KQo"),
    Preset("top 20%", "general", "44+,A2s+,K8s+,Q9s+,J9s+,T9s,98s,A9o+,KTo+,QTo+,JTo"),
    Preset("top 40%", "general", "22+,A2s+,K2s+,Q4s+,J7s+,T7s+,97s+,86s+,76s,65s,A2o+,K7o+,Q9o+,J9o+,T9o"),
    Preset("pairs", "general", "22+"),
    Preset("suited broadways", "general", "ATs+,KTs+,QTs+,JTs"),
    Preset("suited connectors", "general", "JTs-54s"),
    Preset("UTG opens", "six players, 100 bb", "66+,A3s+,K8s+,Q9s+,J9s+,T9s,ATo+,KJo+,QJo"),
    Preset("CO opens", "six players, 100 bb", "33+,A2s+,K3s+,Q6s+,J8s+,T7s+,97s+,87s,76s,A8o+,KTo+,QTo+,JTo"),
    Preset("BTN opens", "six players, 100 bb", _SRP_BTN),
    Preset(
        "BB calls a BTN open",
        "six players, 100 bb",
        "99-22,ATs-A2s,KJs-K2s,QJs-Q2s,J4s+,T6s+,95s+,85s+,74s+,63s+,53s+,43s,A9o-A2o,KTo-K8o,KJo:.5,QTo-Q9o,"
        "QJo:.5,J9o+,T8o+,98o",
    ),
    Preset(
        "BB three-bets a BTN open",
        "six players, 100 bb",
        "TT+,AJs+,A5s-A4s,KQs,K9s:.5,JTs:.5,76s:.5,AQo+,KQo:.5",
    ),
    Preset(
        "BTN calls a three-bet",
        "six players, 100 bb",
        "JJ-55,AQs-ATs,A5s:.5,KJs+,QJs,JTs,T9s,98s,87s:.5,AQo,KQo:.5",
    ),
    Preset(
        "wide OOP",
        "examples",
        "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,95s+,85s+,74s+,63s+,53s+,43s,A2o+,K7o+,Q8o+,J8o+,T8o+,97o+,87o,76o",
    ),
    Preset(
        "wide IP",
        "examples",
        "22+,A2s+,K2s+,Q2s+,J3s+,T5s+,95s+,84s+,74s+,63s+,53s+,43s,A2o+,K5o+,Q7o+,"
        "J7o+,T7o+,97o+,86o+,76o,65o",
    ),
)
