// An action in words, in the unit the reader chose.
import { size, type Scale } from "./format";

interface Named {
  label: string;
  pot_share?: number;
}

/** The player's total on the street in chips, read from a label such as `bet 75` or `raise 12.5bb`. */
function chipsOf(label: string, bigBlind: number): number | null {
  const found = /([\d.]+)\s*(bb)?(?:\s*\(all-in\))?$/.exec(label);
  if (!found) return null;
  return Number(found[1]) * (found[2] ? bigBlind : 1);
}

export function actionWords(action: Named, scale: Scale): string {
  const word = action.label.split(" ")[0];
  const chips = chipsOf(action.label, scale.bigBlind);
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  if (chips === null) return name;
  if (scale.unit === "pot")
    return action.pot_share
      ? `${name} ${Math.round(100 * action.pot_share)}%`
      : `${name} ${size(chips, scale)}`;
  return `${name} ${size(chips, scale)}`;
}

/** A line of a hand's log, such as `raise to 300` or `posts 50`, with its chips in the chosen unit. */
export const logWords = (text: string, scale: Scale): string =>
  text.replace(/\d+(?=$| \(all-in\)$)/, (chips) => size(Number(chips), scale));
