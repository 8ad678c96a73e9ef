// The table the reader plays at, and the hands played there.
import { get, post } from "../lib/api";
import { prefs } from "../lib/prefs.svelte";
import type { Scale } from "../lib/format";
import type { Schemas } from "../lib/shapes";
import type { PastHand, Review, Table } from "./shapes";

class TableSession {
  table = $state.raw<Table | null>(null);
  review = $state.raw<Review | null>(null);
  /** An earlier hand being looked at. */
  viewing = $state.raw<Review | null>(null);
  past = $state.raw<PastHand[]>([]);
  error = $state<unknown>(null);
  busy = $state(false);
  amount = $state(0);

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
    } else this.review = null;
    this.viewing = null;
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
    this.busy = true;
    try {
      const table = await what();
      if (asked === this.#asked) this.#take(table);
    } catch (error) {
      if (asked === this.#asked) this.error = error;
    } finally {
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
  async act(action: number): Promise<void> {
    if (!this.busy) await this.#ask(() => post<Table>(`/api/play/tables/${this.table!.id}/act`, { action }));
  }
}

/** An opponent as people call it. */
export const readableName = (name: string): string =>
  name.startsWith("shipped-") ? `${name.slice(8)} blueprint` : name.replaceAll("-", " ");
export const opponentName = (table: Table): string => readableName(table.opponent_name ?? table.opponent);

export const session = new TableSession();
