// A node of a solution as the grid and the tables draw it; the server has made the means of every class.
import { CLASSES } from "./cards";
import { getBinary, query, type Binary } from "./api";
import type { NodeHead, Player } from "./shapes";

export interface SpotNode extends NodeHead {
  arrays: Record<string, Float32Array>;
}

const kept = new Map<string, Promise<SpotNode>>();
const MOST_KEPT = 60;

/** Fetch a node; the last few are remembered, so that walking back and forth is at once. */
export function fetchNode(solve: string, line: string, version = ""): Promise<SpotNode> {
  const key = `${solve} ${version} ${line}`;
  let found = kept.get(key);
  if (!found) {
    found = getBinary<NodeHead>(`/api/solves/${solve}/node.bin?${query({ line })}`).then(
      ({ head, arrays }: Binary<NodeHead>) => ({ ...head, arrays }),
    );
    found.catch(() => kept.delete(key));
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(key, found);
  }
  return found;
}

/** One class of the grid, as the server has it. */
export interface ClassCell {
  /** Combos of the range, at whatever weight; 0: the class is not in the range. */
  combos: number;
  /** How much of the class gets here, 0 to 1. */
  weight: number;
  /** Share of each action, by reach. */
  mix: number[];
  value: number;
}

/** Return the classes of a player. values: [169], what the cells show, as the server sent it. */
export function classCells(node: SpotNode, player: Player, values: Float32Array | null): ClassCell[] {
  const combos = node.arrays[`${player}.class_combos`];
  const weight = node.arrays[`${player}.class_weight`];
  const { played } = node.players[player];
  const mix = node.player === player ? node.arrays.class_mix : undefined;
  return Array.from(combos, (count, index) => ({
    combos: count,
    weight: played ? weight[index] : 0,
    mix: mix && count ? node.actions.map((_, at) => mix[at * CLASSES + index]) : [],
    value: values ? values[index] : NaN,
  }));
}

/** Largest and smallest finite value of classes that are in the range. */
export function spread(cells: ClassCell[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { value, weight } of cells) {
    if (!Number.isFinite(value) || weight <= 0) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [0, 1];
}

/** Hands below this reach are as good as never here: averages hold traces of what was tried and given up. */
export function leastReach(node: SpotNode, player: Player): number {
  let most = 0;
  for (const reach of node.arrays[`${player}.reach`]) if (reach > most) most = reach;
  return 5e-4 * most;
}
