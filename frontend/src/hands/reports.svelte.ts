// Leaks and opponents: the last report of each kind, computed by the server as a job.
import { get, post } from "../lib/api";
import { UNDER_WAY } from "../lib/job.svelte";
import type { Schemas } from "../lib/shapes";

export type HandReport = Schemas["HandReport"];
export type ReportKind = HandReport["kind"];
const PAUSE = 600; // ms between two looks

class Reports {
  found = $state.raw<Schemas["HandReports"] | null>(null);
  error = $state<unknown>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  get busy(): boolean {
    return [this.found?.leaks, this.found?.opponents].some((one) => one && UNDER_WAY.includes(one.status));
  }
  async watch(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.found = await get<Schemas["HandReports"]>("/api/hands/reports");
    } catch (error) {
      this.error = error;
    }
    if (this.busy) this.#timer = setTimeout(() => this.watch(), PAUSE);
  }
  leave(): void {
    clearTimeout(this.#timer);
  }
  async #act(what: () => Promise<unknown>): Promise<void> {
    this.error = null;
    try {
      await what();
    } catch (error) {
      this.error = error;
    }
    await this.watch();
  }
  start(kind: ReportKind, filter: string): Promise<void> {
    return this.#act(() => post("/api/hands/reports", { kind, filter }));
  }
  stop(id: string): Promise<void> {
    return this.#act(() => post(`/api/hands/reports/${id}/cancel`));
  }
}

export const reports = new Reports();
