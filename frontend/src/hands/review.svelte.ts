// The review of hands: every decision priced, as a job of the server that goes on when the page is left.
import { get, post } from "../lib/api";
import { UNDER_WAY } from "../lib/job.svelte";
import type { Schemas } from "../lib/shapes";

const PAUSE = 700; // ms between two looks

class HandReview {
  work = $state.raw<Schemas["ReviewShown"] | null>(null);
  error = $state<unknown>(null);
  /** Counts up with what was priced: lists and hands on show look again. */
  changed = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  get busy(): boolean {
    return !!this.work && UNDER_WAY.includes(this.work.status);
  }
  async watch(): Promise<void> {
    clearTimeout(this.#timer);
    const before = this.busy;
    try {
      this.work = (await get<Schemas["LastReview"]>("/api/hands/review")).review;
    } catch (error) {
      this.error = error;
    }
    if (before && !this.busy) this.changed++;
    if (this.busy) this.#timer = setTimeout(() => this.watch(), PAUSE);
  }
  leave(): void {
    clearTimeout(this.#timer);
  }
  async #act(what: () => Promise<Schemas["ReviewShown"]>): Promise<void> {
    this.error = null;
    try {
      this.work = await what();
    } catch (error) {
      this.error = error;
    }
    await this.watch();
  }
  start(filter: string, limit?: number): Promise<void> {
    return this.#act(() => post("/api/hands/review", { filter, limit: limit ?? null }));
  }
  stop(): Promise<void> {
    return this.#act(() => post(`/api/hands/review/${this.work!.id}/cancel`));
  }
}

export const review = new HandReview();
