// Numbers as players read them: EV with two decimals, frequencies with one, signs where they matter.
import type { Unit } from "./prefs.svelte";

export interface Scale {
  unit: Unit;
  bigBlind: number;
  pot: number;
}

/** An amount of chips in the chosen unit, as a number. Without a big blind, bb falls back to chips. */
export function inUnit(chips: number | null, scale: Scale): number {
  if (chips === null) return NaN;
  if (scale.unit === "pot") return (100 * chips) / scale.pot;
  return scale.unit === "bb" && scale.bigBlind ? chips / scale.bigBlind : chips;
}
export const unitName = (scale: Scale): string =>
  scale.unit === "pot" ? "% pot" : scale.unit === "bb" && scale.bigBlind ? "bb" : "chips";

export function amount(chips: number | null | undefined, scale: Scale, digits = 2): string {
  if (chips === null || chips === undefined || !Number.isFinite(chips)) return "–";
  return fixed(inUnit(chips, scale), digits);
}
export const amountWithUnit = (chips: number | null | undefined, scale: Scale, digits = 2): string =>
  `${amount(chips, scale, digits)} ${unitName(scale)}`;

/** A bet size or stack: no trailing zeros. */
export function size(chips: number, scale: Scale): string {
  const value = inUnit(chips, scale);
  return `${+value.toFixed(2)}${scale.unit === "pot" ? "%" : unitName(scale) === "bb" ? " bb" : ""}`;
}

/** A result in mbb a hand, as big blinds a hundred hands. */
export const perHundred = (mbb: number): number => mbb / 10;

/** A number with so many decimals; a dash where there is none. */
export function fixed(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text; // no "-0.00"
}
export const percent = (share: number | null | undefined, digits = 1): string =>
  share === null || share === undefined || !Number.isFinite(share) ? "–" : `${fixed(100 * share, digits)}%`;
export const signed = (value: number, digits = 2): string => (value > 0 ? "+" : "") + fixed(value, digits);

export function bytes(count: number): string {
  if (count < 1e6) return `${Math.max(1, Math.round(count / 1e3))} kB`;
  return count < 1e9 ? `${fixed(count / 1e6, count < 1e7 ? 1 : 0)} MB` : `${fixed(count / 1e9, 2)} GB`;
}
export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : value.toLocaleString("en-US");
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value < 0.0095 && value > 0) return `${fixed(1000 * value, value < 0.00095 ? 2 : 1)} ms`;
  if (value < 0.095) return `${Math.round(1000 * value)} ms`;
  if (value < 90) return `${fixed(value, value < 10 ? 1 : 0)} s`;
  return value < 5400 ? `${Math.round(value / 60)} min` : `${fixed(value / 3600, 1)} h`;
}
export function when(stamp: string | number | null | undefined): string {
  if (stamp === null || stamp === undefined) return "–";
  const date = new Date(typeof stamp === "number" && stamp < 1e12 ? 1000 * stamp : stamp);
  if (Number.isNaN(+date)) return String(stamp);
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
