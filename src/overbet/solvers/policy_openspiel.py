"""Policies to and from OpenSpiel: its information states and ours, matched by one walk over both trees.

The flat game and OpenSpiel's game are walked together, action by action (action ids are the same). Every
decision pairs one of our information sets with one of OpenSpiel's strings; a pair that contradicts an earlier
one, another player or other actions mean that the two are not the same game, and are an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, RulesError, short
from overbet.games.openspiel import PREFIX, load_openspiel, openspiel
from overbet.tree.flat import FlatGame

if TYPE_CHECKING:
    from overbet.solvers.policy import TabularPolicy

PEERS = {
    "kuhn": "kuhn_poker",
    "kuhn3": "kuhn_poker(players=3)",
    "leduc": "leduc_poker",
}


def peer_game(flat: FlatGame, peer: Any = None) -> Any:
    """Return OpenSpiel's game for `flat`: `peer` itself (a pyspiel game or its name) or the known one."""
    openspiel()
    if peer is None and flat.name.startswith(PREFIX):
        return load_openspiel(flat.name.removeprefix(PREFIX))
    if peer is None:
        if flat.name not in PEERS:
            raise ConfigError(
                f"OpenSpiel's name for {flat.name!r} is not known (known: {', '.join(PEERS)}); pass `peer`"
            )
        peer = PEERS[flat.name]
    if not isinstance(peer, str):
        return peer
    return load_openspiel(peer)


def matching_states(flat: FlatGame, peer: Any) -> list[Any]:
    """Return one OpenSpiel state for each information set of `flat`, in order of the sets."""
    tree = flat.tree
    if not peer.get_type().provides_information_state_string:
        raise ConfigError(f"OpenSpiel's {peer} has no information state strings, which its policies need")
    states: list[Any] = [None] * flat.num_infosets
    strings: dict[int, str] = {}
    sets: dict[tuple[int, str], int] = {}
    stack = [(0, peer.new_initial_state())]
    while stack:
        node, state = stack.pop()
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        if int(tree.player[node]) != int(state.current_player()):
            raise _mismatch(flat, peer, state, "another player acts")
        if tree.action[first : first + count].tolist() != list(state.legal_actions()):
            raise _mismatch(flat, peer, state, "other actions are legal")
        infoset = int(tree.infoset[node])
        if infoset >= 0:
            player = int(tree.player[node])
            text = state.information_state_string(player)
            paired = sets.setdefault((player, text), infoset)
            if paired != infoset or strings.setdefault(infoset, text) != text:
                raise _mismatch(flat, peer, state, "the players know other things")
            if states[infoset] is None:
                states[infoset] = state
        for child in range(first, first + count):
            stack.append((child, state.child(int(tree.action[child]))))
    return states


def to_openspiel(policy: TabularPolicy, peer: Any = None) -> Any:
    """Return `policy` as a `pyspiel.TabularPolicy`."""
    game = peer_game(policy.game, peer)
    import pyspiel

    return pyspiel.TabularPolicy(openspiel_table(policy, game))


def openspiel_table(policy: TabularPolicy, peer: Any = None) -> dict[str, list[tuple[int, float]]]:
    """Return {information state string: [(action, probability), ...]} as OpenSpiel writes policies."""
    flat = policy.game
    table: dict[str, list[tuple[int, float]]] = {}
    for infoset, state in enumerate(matching_states(flat, peer_game(flat, peer))):
        slots = flat.slots(infoset)
        pairs = list(zip(flat.slot_actions[slots].tolist(), policy.probabilities[slots].tolist()))
        text = state.information_state_string(state.current_player())
        if table.setdefault(text, pairs) != pairs:
            raise ConfigError(
                f"two players of {flat.name} have an information state {short(text)!r}; OpenSpiel's tables "
                "know one strategy for a text"
            )
    return table


def from_openspiel(flat: FlatGame, policy: Any, peer: Any = None) -> npt.NDArray[np.float64]:
    """Return the probabilities, [slot] float64, that an OpenSpiel policy or table gives."""
    probabilities = np.zeros(flat.num_slots)
    for infoset, state in enumerate(matching_states(flat, peer_game(flat, peer))):
        slots = flat.slots(infoset)
        given = _given(policy, state)
        probabilities[slots] = [given.pop(action, 0.0) for action in flat.slot_actions[slots].tolist()]
        if any(given.values()):
            name = flat.infoset_names[infoset]
            raise ConfigError(f"the OpenSpiel policy plays an action that is not legal at {name!r}: {given}")
    return probabilities


def _given(policy: Any, state: Any) -> dict[int, float]:
    text = state.information_state_string(state.current_player())
    if isinstance(policy, Mapping):
        pairs = policy.get(text)
    elif hasattr(policy, "action_probabilities"):
        pairs = policy.action_probabilities(state)
    else:
        raise ConfigError(f"{type(policy).__name__} is neither an OpenSpiel policy nor a table of one")
    if not pairs:
        raise ConfigError(f"the OpenSpiel policy has nothing for the information state {text!r}")
    return {int(action): float(p) for action, p in dict(pairs).items()}


def _mismatch(flat: FlatGame, peer: Any, state: Any, what: str) -> RulesError:
    return RulesError(
        f"{flat.name} and OpenSpiel's {peer} are not the same game: {what} after {state.history()}"
    )
