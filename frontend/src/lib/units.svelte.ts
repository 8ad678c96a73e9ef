// Amounts in the unit the reader chose: of a spot, and as they are typed. Inside everything is whole chips.
import { inUnit, size, unitName, type Scale } from "./format";
import { prefs } from "./prefs.svelte";

interface Blinds {
  big_blind?: number | null;
  pot: number;
}
/** The scale of a spot's amounts. */
export const scaleOf = (spot: Blinds): Scale => ({
  unit: prefs.unit,
  bigBlind: spot.big_blind ?? 0,
  pot: spot.pot || 1,
});

/** The scale to type in, and for stacks and pots: percents of a pot are for reading EVs only. */
export const typingScale = (scale: Scale): Scale => ({
  ...scale,
  unit: scale.unit === "chips" || !scale.bigBlind ? "chips" : "bb",
});
/** Whole chips of an amount as typed. */
export const chipsTyped = (value: number, scale: Scale): number =>
  Math.round(typingScale(scale).unit === "bb" ? value * scale.bigBlind : value);
/** An amount as it stands in a field. */
export const typedAmount = (chips: number, scale: Scale): string => {
  const value = inUnit(chips, typingScale(scale));
  return Number.isFinite(value) ? String(+value.toFixed(4)) : "";
};

/** A pot or stack with its unit: `5.5 bb`, `55 chips`. */
export function potWords(chips: number, scale: Scale): string {
  const typed = typingScale(scale);
  return unitName(typed) === "bb" ? size(chips, typed) : `${chips} chips`;
}
/** The name of a solve or a set; the pot that the server wrote into it follows the chosen unit. */
export function spotName(name: string, spot: Blinds): string {
  return name.replace(/\bpot [\d.]+ (bb|chips)/, () => `pot ${potWords(spot.pot, scaleOf(spot))}`);
}
