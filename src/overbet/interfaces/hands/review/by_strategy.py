"""Pricing a decision by a strategy: exact push or fold, else a blueprint, its values by playing on.

Before the flop, and after it with more than two players in. A table that the blueprint was not trained for
is followed as the agent of any stacks does: bets by shares of the pot, and a heads-up table with fewer big
blinds than the blueprint's is shown to it at its own stacks, where it is then played on, too.
"""

from __future__ import annotations

from overbet.agents.any_stacks import AnyStacksAgent, Seated
from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.compiled import CompiledAgent
from overbet.agents.deeper import brought_back, deeper, effective_stack, in_deep
from overbet.agents.family import depth_bb
from overbet.agents.keyed import KeyedAgent
from overbet.agents.protocol import own_table
from overbet.agents.push_or_fold import push_decision
from overbet.errors import ConfigError, OverbetError
from overbet.evaluation.match_review import Choice, MatchDecision, review_hand
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.features import action_kind
from overbet.interfaces.hands.review.verdict import DecisionVerdict, NotPricedError, named
from overbet.interfaces.hands.reviews import Method, PricedAction
from overbet.kernels.holdem.layout import HIDDEN_CARD
from overbet.study.review import ReviewedDecision, full_effort, reviewed
from overbet.study.tournament_review import push_verdict

_SEED = 20_241  # of the cards that are played on with: the same decision has the same verdict


class StrategyPricer:
    """Prices decisions by push or fold and by blueprints. table: who knows what is played at a table."""

    def __init__(self, table: AnyStacksAgent, runs: int) -> None:
        self.table, self.runs = table, runs

    def price(self, state: HoldemState, action: int, hand: int) -> DecisionVerdict:
        """Return the verdict on an action of the player to act, whose cards lie open.

        hand: its number, which names the cards that are played on with.
        """
        plain = plain_state(state)
        pushed = self._push(plain, action)
        if pushed is not None:
            return _verdict(state, reviewed(pushed), "push-fold", "exact push or fold")
        seated = self.seated(plain.game)
        if not isinstance(seated.agent, CompiledAgent):
            raise NotPricedError(
                "the strategy for this table can be looked up, not played on; name another with --blueprint"
            )
        seen, taken = plain, action
        if seated.deep is not None:
            deep = deeper(plain, seated.deep)
            if deep is None:
                raise NotPricedError("the hand cannot be shown at the stacks of the blueprint")
            seen, taken = deep, in_deep(deep, plain.current_player(), action, effective_stack(plain))
        try:
            found = self._reviewed(seen, taken, seated.agent, hand)
        except OverbetError as error:
            raise NotPricedError(f"the blueprint cannot follow the hand: {error}") from error
        if seated.deep is not None:
            found = _at_real_stacks(plain, action, taken, found)
        return _verdict(state, reviewed(found), "blueprint", source_words(seated, plain.game))

    def seated(self, game: HoldemGame) -> Seated:
        """Return who plays at a table; an error says that no strategy is there for it."""
        try:
            return self.table.seated(game)
        except ConfigError as error:
            players = game.num_players
            raise NotPricedError(
                f"no strategy for {players} players ships; name one with --blueprint"
            ) from error

    def has_table(self, game: HoldemGame) -> bool:
        """Return whether a strategy is there for as many players."""
        try:
            self.seated(game)
        except NotPricedError:
            return False
        return True

    def _push(self, state: HoldemState, action: int) -> MatchDecision | None:
        decision = push_decision(state)
        if decision is None or decision.stack_bb > self.table.short_bb:
            return None
        return push_verdict(state, action)

    def _reviewed(self, seen: HoldemState, taken: int, agent: CompiledAgent, hand: int) -> MatchDecision:
        player = seen.current_player()
        place = sum(who == player for _, who, _ in seen.history)
        agents = [agent] * seen.num_players
        effort = full_effort(self.runs)
        [found] = review_hand(
            seen.apply(taken), player, agents, seed=_SEED, hand=hand, adviser=agent, effort=effort, only=place
        )
        return found


def source_words(seated: Seated, game: HoldemGame) -> str:
    """Return which strategy plays at a table, in words."""
    agent, made_for = seated.agent, own_table(seated.agent)
    name = agent.blueprint.config.name if isinstance(agent, BlueprintAgent | KeyedAgent) else "a"
    depth = f" of {depth_bb(made_for):g} bb" if made_for is not None else ""
    played = "" if seated.source == "trained" else f", the nearest to {depth_bb(game):.3g} bb"
    return f"{name} blueprint{depth}{played}"


def plain_state(state: HoldemState) -> HoldemState:
    """Return a recorded hand at a table of the plain rules, which is what strategies know."""
    game = state.game
    if any(game.blinds[2:]) or not 0 < game.blinds[0] < game.blinds[1]:
        raise NotPricedError("no strategy knows these blinds: a straddle, a dead or a missing one")
    table = HoldemGame(
        game.num_players,
        game.start,
        game.blinds,
        game.antes,
        min_bet=game.least_bet,
        dead_antes=game.dead_antes,
    )
    holes = [None if HIDDEN_CARD in pair else pair for pair in state.hole]
    try:
        plain = table.initial_state().with_cards(holes, state.board)
        for _, player, action in state.history:
            if plain.current_player() != player:
                raise NotPricedError("the players acted in another order than the rules have")
            plain = plain.apply(action)
    except NotPricedError:
        raise
    except OverbetError as error:
        raise NotPricedError(f"the hand does not fit the plain rules: {error}") from error
    if plain.current_player() != state.current_player():
        raise NotPricedError("the players acted in another order than the rules have")
    return plain


def _at_real_stacks(state: HoldemState, action: int, taken: int, found: MatchDecision) -> MatchDecision:
    """Return a decision of the deeper table as one of the real one; what is all in there becomes one."""
    choices: dict[int, list[Choice]] = {}
    for choice in found.choices:
        real = action if choice.action == taken else brought_back(state, choice.action)
        choices.setdefault(real, []).append(choice)
    merged = []
    for real, alike in sorted(choices.items()):
        likeliest = max(alike, key=lambda choice: choice.share)
        share = sum(choice.share for choice in alike)
        merged.append(Choice(real, named(state, real), share, likeliest.ev_bb, likeliest.error_bb))
    best = action if found.best == taken else brought_back(state, found.best)
    loss, error = (0.0, 0.0) if best == action else (found.loss_bb, found.loss_error_bb)
    return MatchDecision(
        state,
        action,
        tuple(merged),
        best,
        loss,
        error,
        found.runs,
        found.lead_bb,
        found.lead_error_bb,
    )


def _verdict(state: HoldemState, found: ReviewedDecision, method: Method, source: str) -> DecisionVerdict:
    decision, player = found.decision, state.current_player()
    spent = state.put_in[player] / state.game.big_blind  # values count from here on: folding is worth 0
    actions = tuple(
        PricedAction(
            state.token(choice.action),
            named(state, choice.action),
            choice.share,
            choice.ev_bb + spent,
            action_kind(state, choice.action),
        )
        for choice in decision.choices
    )
    return DecisionVerdict(
        method,
        source,
        found.grade,
        found.loss_bb,
        found.accuracy_bb,
        found.share,
        state.token(decision.taken),
        state.token(decision.best),
        actions,
    )
