// The table one sits at.
import { get, post } from "../lib/api";
import { prefs } from "../lib/prefs.svelte";
import type { Scale } from "../lib/format";
import type { Review, Table } from "./shapes";

class Seat {
  table = $state.raw<Table | null>(null);
  review = $state.raw<Review | null>(null);
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
    if (table.hand?.over) this.#look(table.id, table.hand.number);
    else this.review = null;
  }
  async #look(id: string, number: number): Promise<void> {
    try {
      this.review = await get<Review>(`/api/play/tables/${id}/hands/${number}`);
    } catch (error) {
      this.error = error;
    }
  }
  async #ask(what: () => Promise<Table>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      this.#take(await what());
    } catch (error) {
      this.error = error;
    } finally {
      this.busy = false;
    }
  }
  open = (id: string) => this.#ask(() => get<Table>(`/api/play/tables/${id}`));
  deal = () => this.#ask(() => post<Table>(`/api/play/tables/${this.table!.id}/deal`));
  act = (action: number) => this.#ask(() => post<Table>(`/api/play/tables/${this.table!.id}/act`, { action }));
}

export const seat = new Seat();
