// What each cell of the grid shows for a player and a view.
import { percent, fixed } from "../src/lib/format";
import type { GridCell } from "../src/lib/gridcell";
import { actionColours, PALETTES, scaleColour } from "../src/lib/palette";
import type { GridData, GridSeat } from "./model";

export const VIEWS = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
  ["realisation", "EQR"],
  ["weight", "Weight"],
] as const;

/** The colours of the actions, in their order. */
export const coloursOf = (data: GridData, palette: string): string[] =>
  actionColours(
    data.actions.map((action) => action.token),
    PALETTES[palette] ?? PALETTES.standard,
  );

export function cellsOf(data: GridData, seat: GridSeat, view: string, palette: string): GridCell[] {
  const held = (PALETTES[palette] ?? PALETTES.standard).held;
  const painted = coloursOf(data, palette);
  const most = Math.max(1e-12, ...seat.weight);
  const values = view === "ev" || view === "equity" || view === "realisation" ? seat[view] : null;
  const known = values
    ? values.filter((value, at): value is number => value !== null && seat.weight[at] > 0)
    : [];
  const [low, high] =
    view === "equity"
      ? [0, 1]
      : view === "realisation"
        ? [0.4, 1.6]
        : [Math.min(...known), Math.max(...known)];
  return seat.weight.map((weight, index): GridCell => {
    if (!(weight > 0)) return { bars: [], height: 0, words: "not in the range" };
    const height = view === "weight" ? weight : weight / most;
    if (values) {
      const value = values[index];
      if (value === null)
        return { bars: [{ colour: held, share: 1 }], height, text: "–", words: `${view} unknown` };
      const text = view === "ev" ? fixed(value, 2) : fixed(100 * value, 0);
      const share = (value - low) / Math.max(1e-12, high - low);
      return {
        bars: [{ colour: scaleColour(share, palette), share: 1 }],
        height,
        text,
        words: `${view} ${text}`,
      };
    }
    if (view === "strategy" && seat.mix) {
      const shares = seat.mix.map((row) => row[index] ?? 0);
      const bars = shares.map((share, at) => ({ colour: painted[at], share })).reverse();
      const words = shares
        .map((share, at) => `${data.actions[at].label} ${percent(share)}`)
        .filter((_, at) => shares[at] >= 5e-4)
        .reverse()
        .join(", ");
      return { bars, height, words };
    }
    return {
      bars: [{ colour: held, share: 1 }],
      height: weight,
      text: weight < 1 ? percent(weight, 0) : undefined,
      words: `weight ${percent(weight)}`,
    };
  });
}
