// How a blueprint was made, in words.
import type { Blueprint } from "./shapes";

type Manifest = NonNullable<Blueprint["manifest"]>;
const METHODS: Record<string, string> = {
  external: "MCFR, external sampling (all actions of one player, one of everybody else's)",
  outcome: "MCFR, outcome sampling (one hand played out at a time)",
};
const RULES: Record<string, string> = {
  cfr: "CFR",
  "cfr+": "CFR+",
  lcfr: "Linear CFR (later iterations count more)",
  linear: "Linear CFR (later iterations count more)",
  dcfr: "Discounted CFR (early iterations fade)",
};
const MODES: Record<string, string> = {
  deterministic: "repeatable: the same result on every machine",
  shared: "all cores on one table: faster, not repeatable to the bit",
};
const count = (value: number) => value.toLocaleString("en-US");

/** The facts that say something to a reader, each with its name. */
export function factsOf(made: Manifest): [string, string][] {
  const found: [string, string | null | undefined][] = [
    ["Training iterations", made.iterations ? count(made.iterations) : null],
    ["Training time", made.hours ? `${+made.hours.toPrecision(3)} h` : null],
    ["Cores", made.cores ? String(made.cores) : null],
    ["Core hours", made.core_hours ? String(+made.core_hours.toPrecision(3)) : null],
    ["Training method", made.method ? (METHODS[made.method] ?? made.method) : null],
    ["Weighting", made.rule ? (RULES[made.rule] ?? made.rule) : null],
    ["Way of computing", made.mode ? (MODES[made.mode] ?? made.mode) : null],
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
