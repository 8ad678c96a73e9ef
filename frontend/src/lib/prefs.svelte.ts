// What the reader chose: theme, palette, units. Kept in the browser, read before the first paint.
import { PALETTES } from "./palette";

export type Unit = "bb" | "chips" | "pot";
interface Chosen {
  theme: "auto" | "light" | "dark";
  palette: string;
  unit: Unit;
  guide: boolean;
  range: string;
}
const KEY = "overbet";

function stored(): Chosen {
  const base: Chosen = { theme: "auto", palette: "standard", unit: "bb", guide: true, range: "" };
  try {
    return { ...base, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return base; // a damaged entry or no storage: the defaults
  }
}

export const prefs = $state<Chosen>(stored());

export function keepPrefs(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // private windows may refuse storage; the choice then lasts as long as the page
  }
}

const wide = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const system = $state({ dark: wide?.matches ?? false });
wide?.addEventListener("change", (event) => (system.dark = event.matches));

export const isDark = (): boolean => (prefs.theme === "auto" ? system.dark : prefs.theme === "dark");
export const palette = () => PALETTES[prefs.palette] ?? PALETTES.standard;
