// What is being studied: a solved spot, a line in it, a player, a view. The address bar is the source of truth.
import { get, post } from "../lib/api";
import { CLASS_NAMES } from "../lib/cards";
import type { Scale } from "../lib/format";
import { UNDER_WAY } from "../lib/job.svelte";
import { fetchNode, type SpotNode } from "../lib/node";
import { actionColours } from "../lib/palette";
import { palette, prefs } from "../lib/prefs.svelte";
import { go, isAt, link, route } from "../lib/route.svelte";
import type { Guide, Player, Schemas, Solve } from "../lib/shapes";

export type Show = "strategy" | "ev" | "equity" | "realisation" | "weight";
export const SHOWS: readonly (readonly [Show, string])[] = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
  ["realisation", "EQR"],
  ["weight", "Weight"],
];
export const ROOT = "r:0";

class Study {
  solves = $state.raw<Solve[]>([]);
  solve = $state.raw<Solve | null>(null);
  node = $state.raw<SpotNode | null>(null);
  guide = $state.raw<Guide | null>(null);
  error = $state<unknown>(null);
  busy = $state(false);
  hovered = $state<number | null>(null);
  /** A filter of combos by hand kind; null: all. */
  filter = $state.raw<((combo: number) => boolean) | null>(null);
  /** Edits of the grid waiting to become a lock: class -> share of every action. */
  edits = $state<Record<number, number[]>>({});
  brush = $state<number[] | null>(null);
  /** What a lock would make of a line, before it is solved: shares of the actions, [actions, 169]. */
  preview = $state.raw<{ line: string; mix: Float32Array } | null>(null);
  /** The random number by which a mixed decision is taken, 0 to 99; null: none was drawn. */
  random = $state<number | null>(null);

  get show(): Show {
    const asked = route.now.query.show as Show;
    return SHOWS.some(([key]) => key === asked) ? asked : "strategy";
  }
  get tab(): string {
    return route.now.query.tab ?? "combos";
  }
  get player(): Player {
    const asked = route.now.query.player;
    if (asked === "oop" || asked === "ip") return asked;
    return this.node?.player ?? "oop";
  }
  get chosen(): number | null {
    const index = CLASS_NAMES.indexOf(route.now.query.hand ?? "");
    return index < 0 ? null : index;
  }
  get scale(): Scale {
    return { unit: prefs.unit, bigBlind: this.node?.big_blind ?? 0, pot: this.node?.starting_pot_chips ?? 1 };
  }
  get colours(): string[] {
    return actionColours(this.node?.actions.map((action) => action.token) ?? [], palette());
  }

  /** The address of a line of this spot; what else is chosen stays, except the player. */
  at(line: string, changes: Record<string, string | undefined> = {}): string {
    const { player: _, ...kept } = route.now.query;
    return link(["study", this.solve?.id ?? "", line], { ...kept, ...changes });
  }
  /** Change a choice without a new entry in the history. */
  set(changes: Record<string, string | undefined>): void {
    const { parts, query } = route.now;
    go(link(parts, { ...query, ...changes }), true);
  }

  async list(): Promise<void> {
    this.solves = (await get<Schemas["Solves"]>("/api/solves")).solves;
  }

  #asked = 0;
  async open(id: string | undefined, line: string): Promise<void> {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      if (!id) {
        this.guide ??= await get<Guide>("/api/guide");
        await this.list();
        const first = this.guide.solve ?? this.solves.find((solve) => solve.openable)?.id;
        const { parts } = route.now;
        if (asked !== this.#asked || parts[1] || !isAt("study")) return; // the reader went elsewhere
        if (first) go(link(["study", first, this.guide.solve ? this.guide.line : ROOT]), true);
        else this.error = null;
        return;
      }
      const other = this.solve?.id !== id;
      if (other) {
        // nothing of the spot before may be taken for the next one's, however long its file takes to read
        this.node = null;
        this.error = null;
        this.solve = this.solves.find((one) => one.id === id) ?? null;
      }
      const solve = other || !this.solve ? await get<Solve>(`/api/solves/${id}`) : this.solve;
      if (asked !== this.#asked) return;
      let shown = solve;
      if (!solve.openable && UNDER_WAY.includes(solve.status)) {
        this.solve = solve;
        shown = await post<Solve>(`/api/solves/${id}/snapshot`); // it is saved as it stands, and goes on
        if (asked !== this.#asked) return;
      }
      if (shown !== this.solve) {
        this.solve = shown;
        this.list().catch(() => undefined);
      }
      const node = await fetchNode(id, line, String(shown.saved?.iteration ?? shown.iterations));
      if (asked !== this.#asked) return;
      performance.mark("node-change");
      this.edits = {};
      this.brush = null;
      this.node = node;
      this.error = null;
    } catch (error) {
      if (asked === this.#asked) this.error = error;
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }

  /** Show another state of the same spot: a solve under way has come further. */
  async renew(solve: Solve): Promise<void> {
    if (this.solve?.id !== solve.id) return;
    this.solve = solve;
    await this.open(solve.id, route.now.parts[2] ?? ROOT);
  }

  /** Read the spot again, after it was resumed or renamed. */
  async reload(): Promise<void> {
    const { parts } = route.now;
    this.solve = null;
    await this.open(parts[1], parts[2] ?? ROOT);
  }
}

export const study = new Study();
