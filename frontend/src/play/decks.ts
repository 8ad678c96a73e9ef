// Decks of decisions to practise: their shapes, and when something comes again, in words.
import { fixed, when } from "../lib/format";
import type { Schemas } from "../lib/shapes";

export type Deck = Schemas["DeckShown"];
export type DeckMade = Schemas["DeckMadeShown"];

/** When a moment is, seen from now: `now`, `in 10 min`, `in 4 days`. */
export function ahead(stamp: string | null | undefined, now = Date.now()): string {
  if (!stamp) return "–";
  const minutes = (Date.parse(stamp) - now) / 60_000;
  if (minutes <= 0) return "now";
  if (minutes < 90) return `in ${Math.max(1, Math.round(minutes))} min`;
  if (minutes < 36 * 60) return `in ${Math.round(minutes / 60)} h`;
  return `in ${fixed(minutes / 1440, 0)} days (${when(stamp)})`;
}
