// Lines of a solved spot in words: `r:0:c:b20` is "OOP checks, IP bets 2 bb".
import { size, type Scale } from "./format";
import { PLAYERS, type Spot } from "./shapes";

interface Place {
  /** Chips put in since the spot began, and when the street began, by player. */
  put: [number, number];
  base: number;
  player: 0 | 1;
  stack: number;
}
const isCards = (token: string): boolean => /^([2-9TJQKA][cdhs])+$/.test(token);
const tokensOf = (line: string): string[] => line.split(":").slice(2);

function start(spot: Spot): Place {
  const stacks = typeof spot.stacks === "number" ? [spot.stacks] : spot.stacks;
  return { put: [0, 0], base: 0, player: 0, stack: Math.min(...stacks) };
}
/** What a token does, in words without the player; `third`: as in "OOP checks". */
function words(token: string, at: Place, scale: Scale, third: boolean): string {
  const faced = at.put[1 - at.player] - at.put[at.player];
  const ending = third ? "s" : "";
  if (token === "f") return `fold${ending}`;
  if (token === "c") return faced > 0 ? `call${ending}` : `check${ending}`;
  const chips = Number(token.slice(1));
  if (!token.startsWith("b") || !Number.isFinite(chips)) return token;
  const amount = size(chips - at.base, scale);
  if (chips >= at.stack) return third ? `goes all-in for ${amount}` : `all-in ${amount}`;
  if (at.put[1 - at.player] > at.base) return third ? `raises to ${amount}` : `raise to ${amount}`;
  return `bet${ending} ${amount}`;
}
function step(token: string, at: Place): Place {
  const put: [number, number] = [...at.put];
  if (isCards(token)) return { ...at, base: Math.max(...put), player: 0 };
  if (token === "c") put[at.player] = put[1 - at.player];
  else if (token.startsWith("b")) put[at.player] = Number(token.slice(1));
  return { ...at, put, player: at.player ? 0 : 1 };
}

/** A line in words, from the spot's beginning or from a line before it. */
export function lineWords(line: string, spot: Spot, scale: Scale, from = "r:0"): string {
  let at = start(spot);
  const said: string[] = [];
  let cards = spot.board.length / 2;
  const skipped = tokensOf(from).length;
  tokensOf(line).forEach((token, number) => {
    if (isCards(token)) cards += token.length / 2;
    const text = isCards(token)
      ? `${cards === 4 ? "turn" : "river"} ${token}`
      : `${PLAYERS[at.player].toUpperCase()} ${words(token, at, scale, true)}`;
    if (number >= skipped) said.push(text);
    at = step(token, at);
  });
  return said.join(", ") || "the first decision";
}

/** An action after a line, by its part of the line. */
export function tokenWords(line: string, token: string, spot: Spot, scale: Scale): string {
  const text = words(
    token,
    tokensOf(line).reduce((at, one) => step(one, at), start(spot)),
    scale,
    false,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}
