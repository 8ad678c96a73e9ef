// A set of flops at a line: the words of textures, and the columns its table has.
import { amount, fixed, percent, unitName, type Scale } from "../lib/format";
import type { BatchReport, BatchRow, Schemas } from "../lib/shapes";

type Means = Schemas["BatchMeans"];
/** What a row of the table shows: a flop, or the flops of one texture. */
export type Line = Pick<Means, "probability" | "played" | "oop" | "ip" | "frequencies"> & {
  name: string;
  flop?: BatchRow;
  boards?: number;
};

export const TEXTURES: readonly (readonly [string, string, readonly string[]])[] = [
  ["suits", "Suits", ["rainbow", "two-tone", "monotone"]],
  ["pairing", "Pairing", ["unpaired", "paired", "trips"]],
  ["high_card", "High card", [..."AKQJT98765432"]],
  ["connectedness", "Connectedness", ["connected", "semi-connected", "disconnected"]],
];
export const MEANING: Record<string, string> = {
  connected: "a straight is possible",
  "semi-connected": "straight draws are possible",
  disconnected: "no straight draw is possible",
};
export const words = (key: string, word: string): string =>
  key === "high_card" ? `${word} high` : word.charAt(0).toUpperCase() + word.slice(1);

/** The rows of the table: flops, or groups where one texture was chosen. */
export function linesOf(report: BatchReport, by: string): Line[] {
  if (by) return report.groups.map((group) => ({ ...group, name: group.key }));
  return report.rows.map((row) => ({ ...row, name: row.board, flop: row }));
}

export interface Column {
  key: string;
  name: string;
  title?: string;
  value: (line: Line) => number;
  text: (value: number) => string;
}

const number = (value: number | null | undefined): number => value ?? NaN;

export function columnsOf(report: BatchReport, by: string, actions: string[], scale: Scale): Column[] {
  const plain = (value: number) => percent(value);
  const both: Column[] = (["oop", "ip"] as const).flatMap((player) => {
    const who = player.toUpperCase();
    return [
      {
        key: `${player}.ev`,
        name: `EV ${who}, ${unitName(scale)}`,
        title: `Expected share of the pot, ${unitName(scale)}`,
        value: (line: Line) => number(line[player].ev_chips),
        text: (value: number) => amount(value, scale),
      },
      {
        key: `${player}.eq`,
        name: `Eq ${who}`,
        title: "Equity of the range",
        value: (line: Line) => number(line[player].equity),
        text: plain,
      },
      {
        key: `${player}.eqr`,
        name: `EQR ${who}`,
        title: "Equity realised: EV as a share of equity times pot",
        value: (line: Line) => number(line[player].realisation),
        text: (value: number) => percent(value, 0),
      },
    ];
  });
  return [
    ...(by
      ? [
          {
            key: "boards",
            name: "Flops",
            value: (line: Line) => number(line.boards),
            text: (value: number) => String(value),
          },
        ]
      : []),
    {
      key: "comes",
      name: "Comes",
      title: "How often such a flop comes, given both ranges",
      value: (line) => line.probability,
      text: (value) => percent(value, 2),
    },
    ...actions.map((name, at) => ({
      key: `f${at}`,
      name,
      value: (line: Line) => number(line.frequencies[at]),
      text: plain,
    })),
    ...both,
    ...(report.steps.length
      ? [
          {
            key: "played",
            name: "Played",
            title: "How often this line is played",
            value: (line: Line) => number(line.played),
            text: plain,
          },
        ]
      : []),
    ...(by
      ? []
      : [
          {
            key: "expl",
            name: "Expl.",
            title: "How exact the solve is: exploitability in % of the pot",
            value: (line: Line) => number(line.flop?.exploitability),
            text: (value: number) => `${fixed(value, 2)}%`,
          },
        ]),
  ];
}

/** Rows in the order of a column; those without a number come last. */
export function inOrder(lines: Line[], column: Column | undefined, down: boolean): Line[] {
  if (!column) return down ? lines.toReversed() : lines;
  return lines.toSorted((a, b) => {
    const [one, two] = [column.value(a), column.value(b)];
    if (Number.isNaN(one) || Number.isNaN(two)) return Number(Number.isNaN(one)) - Number(Number.isNaN(two));
    return down ? two - one : one - two;
  });
}
