// Answers about hands that people played, made from the server's schema. Amounts are chips of the hand.
import type { Scale } from "../lib/format";
import type { Schemas } from "../lib/shapes";
import { scaleOf, typingScale } from "../lib/units.svelte";

export type HandRow = Schemas["HandListed"];
export type HandImport = Schemas["HandImport"];
export type Replay = Schemas["HandReplay"];
export type ReplayMoment = Schemas["ReplayMoment"];
export type Verdict = Schemas["VerdictShown"];
export type FilterWord = Schemas["FilterWord"];

interface Amounts {
  big_blind: number;
  pot?: number;
}
/** How a hand's stacks, pots and results are read: big blinds, or chips where these are chosen. */
export const handScale = (hand: Amounts): Scale =>
  typingScale(scaleOf({ big_blind: hand.big_blind, pot: hand.pot ?? 1 }));

interface Stakes {
  small_blind: number;
  big_blind: number;
  unit: number;
  currency: string;
}
/** The stakes in the hand's own money: `0.50/1 USD`. */
export function stakes(hand: Stakes): string {
  const money = (chips: number) => {
    const value = chips / hand.unit;
    return Number.isInteger(value) ? value.toLocaleString("en-US") : value.toFixed(2);
  };
  return `${money(hand.small_blind)}/${money(hand.big_blind)} ${hand.currency}`.trim();
}

const SITE_NAMES: Record<string, string> = {
  pokerstars: "PokerStars",
  ggpoker: "GGPoker",
  winamax: "Winamax",
  phh: "PHH",
};
export const siteName = (site: string): string => SITE_NAMES[site] ?? site;
