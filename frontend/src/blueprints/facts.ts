// How a blueprint was made, in words.
import { seconds } from "../lib/format";
import type { Blueprint } from "./shapes";

type Manifest = NonNullable<Blueprint["manifest"]>;
const METHODS: Record<string, string> = {
  external: "MCFR, external sampling",
  outcome: "MCFR, outcome sampling",
  boards: "Public chance sampling, whole boards",
};
const RULES: Record<string, string> = {
  cfr: "CFR",
  "cfr+": "CFR+",
  lcfr: "Linear CFR",
  dcfr: "Discounted CFR",
  "dcfr+": "Discounted CFR+",
};
const count = (value: number) => value.toLocaleString("en-US");

/** Stacks in big blinds: one number where they are even. */
export function stacksOf(one: Blueprint): string {
  const different = new Set(one.stack_bb ?? []);
  return different.size > 1 ? one.stack_bb!.join("/") : String([...different][0] ?? "?");
}

/** The most that anybody can lose to another, in big blinds. */
export const depthOf = (one: Blueprint): number =>
  [...(one.stack_bb ?? [])].sort((a, b) => a - b).at(-2) ?? 0;

/** The facts that say something to a reader, each with its name. */
export function factsOf(made: Manifest): [string, string][] {
  const found: [string, string | null | undefined][] = [
    ["Training iterations", made.iterations ? count(made.iterations) : null],
    ["Training time", made.hours ? seconds(3600 * made.hours) : null],
    ["GPU", made.gpu],
    ["Cores", made.cores && !made.gpu ? String(made.cores) : null],
    ["Core hours", made.core_hours && !made.gpu ? String(+made.core_hours.toPrecision(3)) : null],
    ["Sampling", made.method ? (METHODS[made.method] ?? made.method) : null],
    ["Algorithm", made.rule ? (RULES[made.rule] ?? made.rule) : null],
    ["Strategy numbers", made.entries ? count(made.entries) : null],
    ["Situations stored", made.rows ? count(made.rows) : null],
    [
      "Situations never visited",
      typeof made.rows_never_reached === "number" ? count(made.rows_never_reached) : null,
    ],
    ["Random seed", typeof made.seed === "number" ? String(made.seed) : null],
  ];
  return found.filter((fact): fact is [string, string] => !!fact[1]);
}
