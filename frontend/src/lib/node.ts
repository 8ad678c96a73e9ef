// A node of a solution as the grid and the tables draw it: sums over the combos of every class.
import { CLASSES, CLASS_OF, COMBOS } from "./cards";
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

/** One class of the grid. `weight` and `reach` are sums over its combos, `live` counts those in the range. */
export interface ClassCell {
  live: number;
  reach: number;
  weight: number;
  mix: Float64Array;
  value: number;
}

/** Sum a player's combos by class. values: [1326], averaged by weight (plainly where nothing gets here). */
export function byClass(node: SpotNode, player: Player, values: Float32Array | null): ClassCell[] {
  const { arrays } = node;
  const reach = arrays[`${player}.reach`];
  const weight = arrays[`${player}.weight`];
  const strategy = node.player === player ? arrays.strategy : undefined;
  const actions = strategy ? node.actions.length : 0;
  const equity = arrays[`${player}.equity`];
  const cells: ClassCell[] = Array.from({ length: CLASSES }, () => ({
    live: 0,
    reach: 0,
    weight: 0,
    mix: new Float64Array(actions),
    value: NaN,
  }));
  const share = new Float64Array(CLASSES); // weight of hands that have a mix
  const sum = new Float64Array(CLASSES);
  const known = new Float64Array(CLASSES);
  for (let combo = 0; combo < COMBOS; combo++) {
    const held =
      reach[combo] > 0 ||
      weight[combo] > 0 ||
      (strategy ? !Number.isNaN(strategy[combo]) : !Number.isNaN(equity[combo]));
    if (!held) continue;
    const index = CLASS_OF[combo];
    const cell = cells[index];
    cell.live++;
    cell.reach += reach[combo];
    cell.weight += weight[combo];
    const own = weight[combo] + 1e-9; // hands that never get here count a little, so that their mix is seen
    if (strategy && !Number.isNaN(strategy[combo])) {
      for (let action = 0; action < actions; action++)
        cell.mix[action] += own * strategy[action * COMBOS + combo];
      share[index] += own;
    }
    if (values && !Number.isNaN(values[combo])) {
      sum[index] += own * values[combo];
      known[index] += own;
    }
  }
  for (let index = 0; index < CLASSES; index++) {
    const cell = cells[index];
    if (share[index] > 0) for (let action = 0; action < actions; action++) cell.mix[action] /= share[index];
    if (known[index] > 0) cell.value = sum[index] / known[index];
  }
  return cells;
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
