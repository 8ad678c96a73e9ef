// Colours of actions: the numbers of src/overbet/cards/palette.py, so that page, terminal and pictures agree.
export interface Palette {
  fold: string;
  passive: string;
  betLight: string;
  betDark: string;
  held: string;
}
export const PALETTES: Record<string, Palette> = {
  standard: { fold: "#3f7fbf", passive: "#5cb85c", betLight: "#f4a09a", betDark: "#8f1414", held: "#e8b93c" },
  "colour-blind": {
    fold: "#7b6db0",
    passive: "#d6d6dc",
    betLight: "#fdb863",
    betDark: "#7f3b08",
    held: "#e08214",
  },
};

const channels = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

export function blend(start: string, end: string, share: number): string {
  const [a, b] = [channels(start), channels(end)];
  return (
    "#" +
    a
      .map((value, i) =>
        Math.round(value + (b[i] - value) * share)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")
  );
}

/** Black or white, whichever reads better on a colour. */
export function ink(background: string): string {
  const [red, green, blue] = channels(background);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#101318" : "#ffffff";
}

export type ActionKind = "fold" | "passive" | "bet";
export const kindOf = (token: string): ActionKind =>
  token === "f" || /^fold/i.test(token)
    ? "fold"
    : /^(c$|k$|check|call|pass)/i.test(token)
      ? "passive"
      : "bet";

/** One colour an action, bets spread from light to dark in the order given (ascending). */
export function actionColours(tokens: string[], palette: Palette): string[] {
  const bets = tokens.filter((token) => kindOf(token) === "bet").length;
  let seen = 0;
  return tokens.map((token) => {
    const kind = kindOf(token);
    if (kind !== "bet") return kind === "fold" ? palette.fold : palette.passive;
    const share = bets === 1 ? 0.5 : seen / (bets - 1);
    seen++;
    return blend(palette.betLight, palette.betDark, share);
  });
}

/** A scale from low to high for values: 0 red over amber to 1 green; purple to orange for the colour-blind. */
export function scaleColour(share: number, name: string): string {
  const stops =
    name === "colour-blind"
      ? ["#5e3c99", "#b2abd2", "#f1eef6", "#fdb863", "#e66101"]
      : ["#b83232", "#dd8452", "#e9d36c", "#8cc46c", "#2f9e58"];
  const at = Math.max(0, Math.min(0.9999, share)) * (stops.length - 1);
  const low = Math.floor(at);
  return blend(stops[low], stops[low + 1], at - low);
}
