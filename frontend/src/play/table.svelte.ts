// The table the reader plays at, and the hands played there.
import { follow, get, post } from "../lib/api";
import { prefs } from "../lib/prefs.svelte";
import type { Scale } from "../lib/format";
import type { Schemas } from "../lib/shapes";
import { go, link } from "../lib/route.svelte";
import type { PastHand, Review, Table, Thinking } from "./shapes";

class TableSession {
  table = $state.raw<Table | null>(null);
  review = $state.raw<Review | null>(null);
  /** An earlier hand being looked at. */
  viewing = $state.raw<Review | null>(null);
  past = $state.raw<PastHand[]>([]);
  error = $state<unknown>(null);
  busy = $state(false);
  amount = $state(0);
  /** What an opponent who searches thinks, or thought last, and how the exploitability of its answer fell. */
  thinking = $state.raw<Thinking | null>(null);
  course = $state.raw<number[]>([]);
  opening = $state<number | null>(null);

  get scale(): Scale {
    return { unit: prefs.unit === "pot" ? "bb" : prefs.unit, bigBlind: this.table?.big_blind ?? 0, pot: 1 };
  }
  #take(table: Table): void {
    this.table = table;
    this.error = null;
    const legal = table.hand?.legal;
    if (legal?.raise_min) this.amount = legal.presets[0]?.to_chips ?? legal.raise_min;
    if (table.hand?.over) {
      this.#look(table.id, table.hand.number);
      for (const wait of [1000, 4000, 12000])
        setTimeout(() => this.#refresh(table.id, table.hand!.number), wait);
      this.thinking = null;
    } else this.review = null;
    this.viewing = null;
  }
  /** Listen to what the opponent thinks; returns how to stop. Meanwhile the table shows what it thinks about. */
  #streams = 0;
  #listen(table: Table | null): () => void {
    this.thinking = null;
    this.course = [];
    if (!table?.searches) return () => undefined;
    const stream = ++this.#streams;
    let [decision, iteration] = [0, 0];
    return follow<{ thinking: Thinking }>(`/api/play/tables/${table.id}/events`, {
      thinking: (now) => {
        if (this.table?.id !== table.id || (!now.busy && now.decision !== decision)) return;
        if (stream !== this.#streams || (!this.busy && this.table.hand?.over)) return;
        if (now.decision !== decision) this.course = [];
        decision = now.decision;
        this.thinking = { ...now, busy: now.busy && this.busy };
        if (now.exploitability !== null && now.iteration !== iteration)
          this.course = [...this.course, now.exploitability];
        iteration = now.iteration ?? 0;
        if (now.hand && this.busy) this.table = { ...this.table, hand: now.hand };
      },
    });
  }
  /** Open the subgame that was searched at a decision of the last hand in Study. */
  async study(number: number, place: number): Promise<void> {
    this.opening = place;
    try {
      const found = await post<Schemas["OpenedSubgame"]>(
        `/api/play/tables/${this.table!.id}/hands/${number}/searches/${place}`,
      );
      go(link(["study", found.solve, found.line]));
    } catch (error) {
      this.error = error;
    } finally {
      this.opening = null;
    }
  }
  /** The estimate without luck comes a little later than the hand. */
  async #refresh(id: string, number: number): Promise<void> {
    const here = () => this.table?.id === id && this.table.hand?.number === number && !this.busy;
    if (!here()) return;
    const found = await get<Table>(`/api/play/tables/${id}`).catch(() => null);
    if (found && here()) this.table = { ...this.table!, result: found.result };
  }
  async view(number: number): Promise<void> {
    try {
      this.viewing = await get<Review>(`/api/play/tables/${this.table!.id}/hands/${number}`);
    } catch (error) {
      this.error = error;
    }
  }
  async #look(id: string, number: number): Promise<void> {
    try {
      const review = await get<Review>(`/api/play/tables/${id}/hands/${number}`);
      const { hands } = await get<Schemas["Hands"]>(`/api/play/tables/${id}/hands`); // has the review's loss now
      this.past = hands;
      if (this.table?.id === id && this.table.hand?.number === number) this.review = review;
    } catch (error) {
      this.error = error;
    }
  }
  #asked = 0;
  async #ask(what: () => Promise<Table>): Promise<void> {
    const asked = ++this.#asked;
    const before = this.table;
    const stop = this.#listen(before);
    this.busy = true;
    try {
      const table = await what();
      if (asked === this.#asked) this.#take(table);
    } catch (error) {
      if (asked === this.#asked) {
        this.error = error;
        this.table = before;
      }
    } finally {
      setTimeout(stop, 400); // the last look comes a little later than the answer
      if (this.thinking) this.thinking = { ...this.thinking, busy: false };
      if (asked === this.#asked) this.busy = false;
    }
  }
  /** Sit down at a table; a hand is dealt where none is under way. */
  async open(id: string): Promise<void> {
    this.table = null;
    this.past = [];
    await this.#ask(() => get<Table>(`/api/play/tables/${id}`));
    const found = this.table as Table | null;
    if (found?.id !== id) return;
    if (found.result.hands)
      get<Schemas["Hands"]>(`/api/play/tables/${id}/hands`).then(
        (answer) => (this.past = answer.hands),
        () => undefined,
      );
    if (!found.hand) await this.deal();
  }
  deal = async (): Promise<void> => {
    if (!this.busy) await this.#ask(() => post<Table>(`/api/play/tables/${this.table!.id}/deal`));
  };
  /** Sit down at another Expresso against the same opponent, its prize drawn or chosen as before. */
  async again(): Promise<void> {
    const table = this.table!;
    const chosen = table.tournament?.drawn === "chosen" ? { multiplier: table.tournament.multiplier } : {};
    try {
      const found = await post<Table>("/api/play/tables", {
        kind: table.kind,
        opponent: table.opponent,
        ...chosen,
      });
      go(link(["play", "table", found.id]));
    } catch (error) {
      this.error = error;
    }
  }
  async act(action: number): Promise<void> {
    if (!this.busy) await this.#ask(() => post<Table>(`/api/play/tables/${this.table!.id}/act`, { action }));
  }
}

/** An opponent as people call it. */
export const readableName = (name: string): string =>
  name.startsWith("search-")
    ? `search (${name.slice(7).replace(/^shipped-/, "")})`
    : name.startsWith("shipped-")
      ? name.slice(8).replace(/^(.*?)( \d+)?$/, "$1 blueprint$2")
      : name.replaceAll("-", " ");
export const opponentName = (table: Table): string => readableName(table.opponent_name ?? table.opponent);

export const session = new TableSession();
