"""The table on the terminal: seats, board, pot and the keys that are legal, all in big blinds.

`read_action` turns what was typed into a legal action or says why it is not one; `table_lines`,
`action_line` and `keys_line` are plain text with rich markup and draw nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from overbet.cards.cards import card_name
from overbet.cards.palette import SUIT_COLOURS
from overbet.errors import IllegalActionError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD, HIDDEN_CARD

QUIT, HELP = "quit", "help"
_SHARES = {"h": 0.5, "t": 2 / 3, "p": 1.0}
_HELP_LINES = (
    "f folds, c checks or calls, a is all in, q quits",
    "a number bets or raises to so many big blinds on this street: 3, 7.5",
    "h, t, p bet or raise by a half, two thirds or all of the pot",
)


def in_blinds(chips: float, state: HoldemState) -> str:
    """Return chips as big blinds: `2.5`."""
    return f"{chips / state.game.big_blind:.2f}".rstrip("0").rstrip(".")


def cards_markup(cards: Iterable[int]) -> str:
    """Return cards in the four colours of their suits; cards face down as `--`."""
    words = []
    for card in cards:
        if card == HIDDEN_CARD:
            words.append("--")
        else:
            words.append(f"[bold {SUIT_COLOURS[card & 3]} on white]{card_name(card)}[/]")
    return " ".join(words)


def table_lines(state: HoldemState, names: Sequence[str], seen_by: int | None) -> list[str]:
    """Return the table as `seen_by` sees it; None shows every hand that is still in."""
    board = cards_markup(state.board) or "no board yet"
    lines = [f"[bold]{state.street}[/]  {board}   pot [bold]{in_blinds(state.pot, state)}[/] bb"]
    width = max(map(len, names))
    for player, name in enumerate(names):
        shown = seen_by is None and state.in_hand[player]
        hole = state.hole[player] if player == seen_by or shown else (HIDDEN_CARD, HIDDEN_CARD)
        held = cards_markup(hole) if state.in_hand[player] else "     "
        mark = ">" if player == state.current_player() else " "
        bet = f"  in for {in_blinds(state.bets[player], state)}" if state.bets[player] else ""
        out = "" if state.in_hand[player] else "  folded"
        seat = f"{mark} {name:<{width}}  {state.game.position(player):<5}"
        lines.append(f"{seat} {held}  {in_blinds(state.stacks[player], state):>7} bb{bet}{out}")
    return lines


def keys_line(state: HoldemState) -> str:
    """Return the keys that are legal now, with their amounts."""
    legal = state.legal_actions()
    words = ["[bold]f[/] fold"] if legal.fold else []
    words.append(f"[bold]c[/] call {in_blinds(legal.call, state)}" if legal.call else "[bold]c[/] check")
    if legal.raise_min is not None and legal.raise_max is not None:
        verb = "raise to" if max(state.bets) else "bet"
        low, high = in_blinds(legal.raise_min, state), in_blinds(legal.raise_max, state)
        words.append(f"[bold]{low}[/]..[bold]{high}[/] {verb}" if low != high else f"[bold]{low}[/] {verb}")
        for key, share in _SHARES.items():
            amount = _by_share(state, share)
            if legal.raise_min <= amount < legal.raise_max:
                words.append(f"[bold]{key}[/] {verb} {in_blinds(amount, state)}")
        words.append(f"[bold]a[/] all in {high}")
    return "  ".join([*words, "[bold]?[/] help", "[bold]q[/] quit"])


def help_lines() -> tuple[str, ...]:
    """Return what the keys mean."""
    return _HELP_LINES


def read_action(text: str, state: HoldemState) -> int | str:
    """Return the action of a typed text, or `QUIT` or `HELP`; an error says what is wrong with it."""
    word = text.strip().lower().removesuffix("bb").strip()
    legal = state.legal_actions()
    if word in ("q", "quit", "exit"):
        return QUIT
    if word in ("?", "help"):
        return HELP
    if word in ("f", "fold"):
        if not legal.fold:
            raise IllegalActionError("there is nothing to call: check with c instead of folding")
        return FOLD
    if word in ("c", "call", "check", "k"):
        return CALL
    if word in ("a", "all in", "all-in", "allin", *_SHARES):
        if legal.raise_min is None or legal.raise_max is None:
            raise IllegalActionError("you cannot raise here; fold or call")
        share = _SHARES.get(word)
        if share is None:
            return legal.raise_max
        return min(max(_by_share(state, share), legal.raise_min), legal.raise_max)
    return _amount(word, state)


def _amount(word: str, state: HoldemState) -> int:
    """Return the chips of a typed number of big blinds."""
    for verb in ("raise to", "raise", "bet", "b", "r"):
        word = word.removeprefix(verb).strip()
    try:
        blinds = float(word)
    except ValueError:
        raise IllegalActionError(f"{word!r} is not a key or an amount; ? shows them") from None
    chips = round(blinds * state.game.big_blind) if abs(blinds) < 1e9 else 0
    legal = state.legal_actions()
    if legal.raise_min is None or legal.raise_max is None:
        raise IllegalActionError("you cannot raise here; fold or call")
    if not legal.raise_min <= chips <= legal.raise_max:
        low, high = in_blinds(legal.raise_min, state), in_blinds(legal.raise_max, state)
        raise IllegalActionError(f"{word} bb is not a legal raise: from {low} to {high}")
    return chips


def _by_share(state: HoldemState, share: float) -> int:
    return round(max(state.bets) + share * (state.pot + state.to_call))


def action_line(state: HoldemState, name: str, action: int) -> str:
    """Return what a player does in words, in big blinds."""
    player = state.current_player()
    if action == FOLD:
        what = "folds"
    elif action == CALL:
        what = f"calls {in_blinds(state.to_call, state)}" if state.to_call else "checks"
    else:
        verb = "raises to" if max(state.bets) else "bets"
        what = f"{verb} {in_blinds(action, state)}"
        if action == state.bets[player] + state.stacks[player]:
            what += ", all in"
    return f"{name} ({state.game.position(player)}) {what}"
