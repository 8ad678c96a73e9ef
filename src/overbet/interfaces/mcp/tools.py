"""The tools of the MCP server, as plain functions with schemas: the SDK makes them callable, tests call them.

Everything is read-only but `save`, which is there only where the server was told to allow it. Solving and
searching are bounded in time and memory and done one after the other: a second call waits.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from overbet.errors import ConfigError
from overbet.interfaces.mcp.limits import LONGEST_TEXT, MOST_ROWS, MOST_SAMPLES, ToolLimits
from overbet.interfaces.mcp.solved import SolvedSpots, node_facts

Answer = dict[str, Any]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
RangeText = Annotated[
    Text, Field(description="A hand or a range, such as AhKh or 'QQ+,AKs,A5s-A2s,KTo+:0.5'.")
]
BoardText = Annotated[
    str, Field(max_length=20, description="Board cards, such as Td9d6h; empty before the flop.")
]
LineText = Annotated[
    str,
    Field(
        max_length=2_000,
        description="A node: r:0 is the root, c check or call, f fold, bN bet or raise to N chips in all, "
        "and cards that are dealt, such as r:0:c:b75:c:8h.",
    ),
]
Classes = Annotated[bool, Field(description="Tell what each of the 169 classes of hands plays and is worth.")]
Combos = Annotated[
    Text, Field(description=f"Tell these combos one by one ({MOST_ROWS} at most), such as AKs,99.")
]
PlayerName = Annotated[
    Literal["oop", "ip"] | None, Field(description="Whose hands; the player to act where it is left out.")
]
Rows = Annotated[int, Field(ge=1, le=MOST_ROWS, description="Most rows to tell.")]
_HUNDRED_MILLION = 100_000_000


class StudyTools:
    """The tools over one set of limits."""

    def __init__(self, limits: ToolLimits) -> None:
        from overbet.tree import betting

        self.limits, self.solved = limits, SolvedSpots(limits)
        self._working = threading.Lock()
        self._compiled = False
        betting.MOST_NODES = min(betting.MOST_NODES, limits.nodes)

    def all(self) -> list[Callable[..., Answer]]:
        """Return the tools in the order they are told; `save` only where saving is allowed."""
        found: list[Callable[..., Answer]] = [
            self.equity,
            self.ranges,
            self.solve,
            self.show,
            self.advise,
            self.hands,
        ]
        return [*found, self.save] if self.limits.saving else found

    def equity(
        self,
        hands: Annotated[
            list[RangeText], Field(min_length=2, max_length=9, description="2 to 9 hands or ranges.")
        ],
        board: BoardText = "",
        dead: Annotated[str, Field(max_length=100, description="Cards that cannot come.")] = "",
        samples: Annotated[
            int, Field(ge=1, le=MOST_SAMPLES, description="Deals where it is sampled.")
        ] = 1_000_000,
    ) -> Answer:
        """Each player's share of the pot when all cards come, ties split.

        Exact where that is quick, else sampled with the half-width of a 95 % interval (ci95).
        """
        from overbet.cards.equity import equity

        with self._working:
            return equity(*hands, board=board, dead=dead, samples=samples).to_dict()

    def ranges(
        self,
        text: Annotated[Text, Field(description="A range to read, such as 'QQ+,AKs,KTo+:0.5'.")] = "",
        name: Annotated[
            str, Field(max_length=500, description="Or the name of a range of the library.")
        ] = "",
        board: BoardText = "",
    ) -> Answer:
        """Read a range: its combos, share of hands, and every class with its weight, less the board's cards.

        Without text and name: the names of the ranges in the user's library.
        """
        from overbet.cards.cards import board as read_board
        from overbet.cards.cards import cards_name
        from overbet.cards.combos import class_name
        from overbet.cards.range import Range
        from overbet.study.range_library import RANGES, RangeLibrary

        library = RangeLibrary(None if self.limits.data is None else self.limits.data / RANGES)
        if not text and not name:
            entries = library.entries()
            told = [{"name": one.name, "combos": one.combos} for one in entries[:MOST_ROWS]]
            return {"library": told, "ranges": len(entries)}
        if text and name:
            raise ConfigError("give either text or name, not both")
        dead = read_board(board)
        written = library[name] if name else Range.parse(text)
        found = written.without(dead)
        possible = (52 - len(dead)) * (51 - len(dead)) // 2
        return {
            "text": written.text(),
            "board": cards_name(dead),
            "combos": found.combos,
            "share_of_hands": found.combos / possible,
            "classes": {
                class_name(index): round(float(weight), 6)
                for index, weight in enumerate(found.classes().tolist())
                if weight > 0
            },
        }

    def solve(
        self,
        board: Annotated[str, Field(max_length=20, description="3, 4 or 5 cards, such as Qs8h4d2c.")],
        pot: Annotated[int, Field(ge=1, le=_HUNDRED_MILLION, description="Chips in the pot.")],
        stacks: Annotated[int, Field(ge=1, le=_HUNDRED_MILLION, description="Chips each player has left.")],
        oop: Annotated[RangeText, Field(description="The range out of position.")],
        ip: Annotated[RangeText, Field(description="The range in position.")],
        bet: Annotated[
            str, Field(max_length=200, description="Bet sizes: % of the pot, 'a' all-in.")
        ] = "33%, 75%",
        raises: Annotated[
            str, Field(max_length=200, description="Raise sizes: % of the pot, 2.5x, 'a' all-in.")
        ] = "60%",
        bets: Annotated[
            dict[str, Any] | None,
            Field(description="Instead: menus a street, {'flop': {'bet': '33%', 'raise': '60%'}, ...}."),
        ] = None,
        big_blind: Annotated[int, Field(ge=0, le=_HUNDRED_MILLION, description="In chips; 0 unknown.")] = 0,
        target: Annotated[
            float, Field(ge=0.01, le=100.0, description="Exploitability to reach, % of pot.")
        ] = 0.5,
        seconds: Annotated[
            float, Field(gt=0, description="Most seconds; the server has its own limit.")
        ] = 20.0,
        line: LineText = "r:0",
        classes: Classes = False,
        hands: Combos = "",
    ) -> Answer:
        """Solve a heads-up postflop spot and tell one node of it.

        The answer's name in `solution` opens other nodes with `show`. Its exploitability says how good it is.
        """
        from overbet.solvers.vector.api import SolveFile
        from overbet.solvers.vector.api import solve as solve_spot
        from overbet.solvers.vector.estimate import estimate
        from overbet.solvers.vector.lines import read_line

        menus = bets if bets is not None else {"every": {"bet": bet, "raise": raises}}
        file = SolveFile.parse(
            {
                "board": board,
                "pot": pot,
                "stacks": stacks,
                "big_blind": big_blind,
                "ranges": {"oop": oop, "ip": ip},
                "bets": menus,
                "solve": {
                    "target": target,
                    "seconds": min(seconds, self.limits.seconds),
                    "iterations": 100_000,
                },
            },
            "spot",
        )
        with self._working:
            size = estimate(file.spot(), file.solve)
            size.require(self.limits.solve_bytes())
            if line != "r:0":
                read_line(size.tree, line)
            if not self._compiled:  # once on a machine: that time is not the solve's
                solve_spot(file, size=size, iterations=1, seconds=None)
                self._compiled = True
            solution = solve_spot(file, size=size)
            return {
                "solution": self.solved.keep(solution),
                "exploitability_percent_of_pot": solution.exploitability,
                "target_reached": solution.exploitability <= target,
                "iterations": solution.iteration,
                "seconds": round(solution.seconds, 3),
                "node": node_facts(solution.node(line), None, classes, hands),
            }

    def show(
        self,
        solution: Annotated[
            str,
            Field(
                max_length=500, description="A name that solve gave, or a .h5 file of the server's folder."
            ),
        ] = "",
        line: LineText = "r:0",
        player: PlayerName = None,
        classes: Classes = False,
        hands: Combos = "",
    ) -> Answer:
        """Tell one node of a solution: who acts, frequencies, EV and equity of both players.

        Without a name: the solutions there are.
        """
        if not solution:
            return {"solutions": self.solved.names()}
        with self._working:
            found = self.solved.get(solution)
            told = node_facts(found.node(line), player, classes, hands)
        return {"solution": solution, "spot": _spot_facts(found), "node": told}

    def advise(
        self,
        line: Annotated[
            str,
            Field(
                max_length=2_000,
                description="The hand so far from the deal, such as r:0:b250:c:Td9d6h:c:b300.",
            ),
        ],
        hand: Annotated[
            str, Field(max_length=10, description="Two cards of the player to act, such as AhKh.")
        ],
        board: BoardText = "",
        blueprint: Annotated[
            Literal["heads-up", "expresso"],
            Field(description="Heads up 100 big blinds deep, or an Expresso's 25."),
        ] = "heads-up",
        seconds: Annotated[float, Field(gt=0, description="Most seconds of thinking a decision.")] = 2.0,
    ) -> Answer:
        """What search would do at a decision of a hand that was played: how often it would take each action.

        On turn and river with the EV of each. Chips: the big blind is 100.
        For study, not for use during play.
        """
        from overbet.agents.registry import make_agent
        from overbet.agents.searcher import SearchAgent
        from overbet.study.advice import advise, state_at

        with self._working:
            agent = make_agent(f"search:{blueprint},seconds={min(seconds, self.limits.seconds)}")
            if not isinstance(agent, SearchAgent):
                raise ConfigError(f"advice comes from search, and {blueprint} has none")
            agent.prepare(agent.own_table)
            return advise(agent, state_at(agent.own_table, line, board), hand).values()

    def hands(
        self,
        do: Annotated[
            Literal["list", "show", "leaks", "words"],
            Field(description="list hands, show one, find leaks, or tell the words of the filter."),
        ] = "list",
        filter: Annotated[
            Text, Field(description="Which hands, such as 'pos=BTN and 3bet'; words tells all.")
        ] = "",
        hand: Annotated[str, Field(max_length=200, description="For show: its number in the list.")] = "",
        sort: Annotated[
            str, Field(max_length=20, description="-date, won, pot, depth, ...; - largest first.")
        ] = "-date",
        limit: Rows = 20,
    ) -> Answer:
        """The user's own hands, from the local database: a list, one hand (PHH), leaks with intervals."""
        from overbet.files import data_folder
        from overbet.interfaces.hands.database import NAME, HandDatabase
        from overbet.interfaces.hands.filter_fields import filter_help

        if do == "words":
            return {"words": dict(filter_help())}
        folder = self.limits.data or data_folder()
        if not (folder / NAME).is_file():  # opening would make an empty one
            raise ConfigError("no hand was imported yet; the user can: overbet hands import FOLDER")
        with self._working, HandDatabase(folder) as database:
            if do == "list":
                frame = database.frame(filter, sort=sort, limit=limit)
                return {"hands": json.loads(_rows(frame)), "rows": database.count(filter)}
            if do == "show":
                return _hand_facts(database, hand)
            return _leaks(database, filter, limit)

    def save(
        self,
        solution: Annotated[str, Field(max_length=500, description="A name that solve gave, such as s1.")],
        file: Annotated[
            str, Field(max_length=200, description="A new file of the server's folder, such as river.h5.")
        ],
    ) -> Answer:
        """Save a solution into the server's folder; a file that is there already is not replaced."""
        with self._working:
            path = self.solved.save(solution, file)
        return {"saved": path.name, "bytes": path.stat().st_size}


def _spot_facts(solution: Any) -> Answer:
    from overbet.study.values import solution_values

    values = solution_values(solution)
    kept = ("exploitability_percent_of_pot", "iterations", "seconds", "ev_chips", "streets")
    return {**{key: values[key] for key in kept}, "spot": values["spot"]}


def _rows(frame: Any) -> str:
    from overbet.interfaces.cli.hands_view import frame_json

    return frame_json(frame)


def _hand_facts(database: Any, hand: str) -> Answer:
    from overbet.interfaces.history.phh_writer import write_hand

    if not hand:
        raise ConfigError("say which hand: its number in the list, or site:number")
    found = database.hand(hand)
    priced = database.priced(found.id)
    return {
        "id": found.id,
        "site": found.site,
        "format": found.format,
        "hero": found.hero,
        "won_chips": list(found.net),
        "phh": write_hand(found.record),
        "review": [_verdict(one) for one in priced],
    }


def _verdict(priced: Any) -> Answer:
    kept = ("number", "method", "grade", "loss_bb", "accuracy_bb", "share", "taken", "best", "reason")
    return {name: getattr(priced, name) for name in kept}


def _leaks(database: Any, filter: str, limit: int) -> Answer:
    from overbet.interfaces.hands.player_leaks import player_leaks
    from overbet.study.packing import plain
    from overbet.study.strategy_lookup import StrategyLookup

    found = player_leaks(database, filter, lookup=StrategyLookup()).facts()
    leaks = found.get("leaks")
    told: Answer = plain({**found, "leaks": leaks[:limit] if isinstance(leaks, list) else []})
    return told
