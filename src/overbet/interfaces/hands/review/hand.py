"""All that is priced of one hand: its streets are solved in order, each once, and serve all its decisions."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from overbet.agents.any_stacks import AnyStacksAgent
from overbet.agents.blueprint import load_blueprint_agent
from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_index
from overbet.errors import OverbetError
from overbet.evaluation.match_review import NEVER
from overbet.interfaces.hands.database import StoredHand
from overbet.interfaces.hands.review.by_strategy import StrategyPricer
from overbet.interfaces.hands.review.ranges_file import LineRanges
from overbet.interfaces.hands.review.settings import ReviewSettings, common_ranges
from overbet.interfaces.hands.review.start_ranges import StartRanges, start_ranges
from overbet.interfaces.hands.review.street_solve import SolvedStreet, StreetQuestion, solve_street
from overbet.interfaces.hands.review.verdict import DecisionVerdict, NotPricedError, solved_grade
from overbet.interfaces.hands.review.walk import HandWalk, PlayedAction, walk_of
from overbet.interfaces.hands.reviews import PricedAction, PricedDecision
from overbet.kernels.holdem.layout import FOLD, HIDDEN_CARD

_RAKE_CAP_BB = 3.0  # where the hand tells the rake and not its cap
_MOST_RAKE = 0.1  # of the pot: what is more was a fee of another kind
_RAKED = ("cash",)


class HandReviewer:
    """Prices decisions of hands; strategies and ranges are loaded once."""

    def __init__(self, settings: ReviewSettings) -> None:
        self.settings = settings
        self.ranges = LineRanges.load(settings.ranges) if settings.ranges else None
        self.common = LineRanges.load(common_ranges()) if settings.assume else None
        own = [load_blueprint_agent(name) for name in settings.blueprints]
        self.pricer = StrategyPricer(AnyStacksAgent(own), settings.runs)

    def price(self, hand: StoredHand, player: int, numbers: Collection[int]) -> list[PricedDecision]:
        """Return the verdicts on decisions of a player in a hand, by number."""
        table, solve = self.settings.table_digest(), self.settings.solve_digest()
        try:
            review = _HandReview(self, hand, player)
        except OverbetError as error:
            return [
                PricedDecision(hand.id, number, "none", settings=solve, reason=f"not replayed: {error}")
                for number in numbers
            ]
        found = []
        for one in review.walk.actions:
            if one.number is None or one.number not in numbers or one.player != player:
                continue
            digest = solve if is_solved(one.street, sum(one.state.in_hand)) else table
            try:
                found.append(review.verdict(one).priced(hand.id, one.number, digest))
            except OverbetError as error:
                found.append(PricedDecision(hand.id, one.number, "none", settings=digest, reason=str(error)))
        return found


def is_solved(street: int, players: int) -> bool:
    """Return whether a decision is priced by solving: after the flop, two players in."""
    return street > 0 and players == 2


class _HandReview:
    def __init__(self, reviewer: HandReviewer, hand: StoredHand, player: int) -> None:
        self.reviewer, self.hand, self.player = reviewer, hand, player
        self.walk: HandWalk = walk_of(hand.record)
        self.streets: dict[int, SolvedStreet | NotPricedError] = {}
        self.sources: dict[int, str] = {}

    def verdict(self, one: PlayedAction) -> DecisionVerdict:
        hole = one.state.hole[self.player]
        if HIDDEN_CARD in hole or len(hole) != 2:
            raise NotPricedError("the cards are not known")
        if is_solved(one.street, sum(one.state.in_hand)) and len(self.walk.players_at(one.street)) == 2:
            return self._by_solving(one)
        if one.street and one.state.num_players > 2 and not self.reviewer.pricer.has_table(one.state.game):
            players = len(self.walk.players_at(one.street))
            raise NotPricedError(
                f"{players} players began the street and no strategy for {one.state.num_players} is there"
            )
        return self.reviewer.pricer.price(one.state, one.action, self.hand.id)

    def _by_solving(self, one: PlayedAction) -> DecisionVerdict:
        street = self._street(one.street)
        place = next(place for place, other in enumerate(self.walk.on(one.street)) if other is one)
        node = street.node(place)
        seat = node.seat()
        rows = np.flatnonzero(seat.combos == street.question.held[1])
        tokens, asked = [action.token for action in node.actions], _token(one, street)
        if not len(rows) or asked not in tokens:
            raise NotPricedError(f"the solved tree has no `{asked}` there for this hand")
        row, taken = int(rows[0]), tokens.index(asked)
        assert seat.strategy is not None
        assert seat.action_ev_chips is not None
        values = seat.action_ev_chips[row] / street.question.big_blind
        if not np.isfinite(values).all():
            raise NotPricedError("the opponent never comes here by the solve")
        shares = seat.strategy[row]
        best = int(np.where(shares >= NEVER, values, -np.inf).argmax())  # what is never taken is known badly
        loss, share = float(values[best] - values[taken]), float(shares[taken])
        accuracy = street.accuracy_bb(place, {tokens[best], tokens[taken]})
        kinds = {"f": "fold", "c": "call" if node.to_call else "check"}
        actions = tuple(
            PricedAction(
                action.token,
                action.label,
                float(shares[number]),
                float(values[number]),
                kinds.get(action.token, "raise" if node.to_call else "bet"),
            )
            for number, action in enumerate(node.actions)
        )
        grade = solved_grade(loss, node.pot / street.question.big_blind, accuracy, share)
        game = one.state.game
        positions = [game.position(player) for player in self.walk.players_at(one.street)]
        spot = {
            **street.facts(place),
            "hand": cards_name(one.state.hole[self.player]),
            "player": node.player,
            "positions": positions,
        }
        return DecisionVerdict(
            "solve",
            f"solved to {street.solution.exploitability:.2g} % of the pot; {self.sources[one.street]}",
            grade,
            max(loss, 0.0),
            accuracy,
            share,
            tokens[taken],
            tokens[best],
            actions,
            spot,
        )

    def _street(self, street: int) -> SolvedStreet:
        """Return a street solved, once; a street that cannot be solved has the same reason every time."""
        if street not in self.streets:
            try:
                self.streets[street] = self._solved(street)
            except NotPricedError as error:
                self.streets[street] = error
            except OverbetError as error:
                self.streets[street] = NotPricedError(f"the spot cannot be solved: {error}")
        found = self.streets[street]
        if isinstance(found, NotPricedError):
            raise found
        return found

    def _solved(self, street: int) -> SolvedStreet:
        first = self.walk.on(street)[0].state
        players = self.walk.players_at(street)
        begun = self._ranges(street)
        self.sources[street] = begun.source
        stack = min(first.stacks[player] + first.bets[player] for player in players)
        edges = tuple(min(one.action, stack) for one in self.walk.on(street) if one.action != FOLD)
        question = StreetQuestion(
            street=street - 1,
            board=first.board,
            pot=first.pot - sum(first.bets),
            stacks=(first.stacks[players[0]], first.stacks[players[1]]),
            ranges=begun.ranges,
            held=(players.index(self.player), combo_index(*first.hole[self.player])),
            edges=edges,
            big_blind=first.game.big_blind,
            least_bet=first.game.least_bet,
            rake=self._rake(),
        )
        return solve_street(question, self.reviewer.settings)

    def _ranges(self, street: int) -> StartRanges:
        if street > 1 and len(self.walk.players_at(street - 1)) == 2:
            before = self._street(street - 1)
            return StartRanges(before.ranges_after(), self.sources[street - 1])
        return start_ranges(
            self.walk, street, self.reviewer.ranges, self.reviewer.pricer, self.reviewer.common
        )

    def _rake(self) -> tuple[float, float]:
        """Return the rake as a share of the pot and the most it is, in chips."""
        blind = self.walk.final.game.big_blind
        chosen = self.reviewer.settings.rake
        if chosen is not None:
            return chosen[0], chosen[1] * blind
        if self.hand.format not in _RAKED or self.hand.rake <= 0:
            return 0.0, 0.0
        put_in = sorted(self.walk.final.put_in)
        called = self.walk.final.pot - (put_in[-1] - put_in[-2])  # what nobody called is given back
        share = min(self.hand.rake / called, _MOST_RAKE)
        return share, max(_RAKE_CAP_BB * blind, float(self.hand.rake))


def _token(one: PlayedAction, street: SolvedStreet) -> str:
    """Return the action of a decision as the tree writes it."""
    if one.action == FOLD:
        return "f"
    stack = min(street.question.stacks)
    return "c" if one.action == 0 else f"b{min(one.action, stack)}"
