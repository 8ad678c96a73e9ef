// One solve under way, followed by server-sent events.
import { follow, get, post } from "./api";
import type { JobEnd, Look, Solve } from "./shapes";

export const UNDER_WAY = ["queued", "running", "saving"];

export class Job {
  solve = $state.raw<Solve | null>(null);
  looks = $state.raw<Look[]>([]);
  error = $state<unknown>(null);
  #stop: (() => void) | null = null;

  get running(): boolean {
    return !!this.solve && UNDER_WAY.includes(this.solve.status);
  }

  /** Follow a solve to its end; `ended` is called once with how it ended. */
  watch(solve: Solve, ended?: (solve: Solve) => void): void {
    this.leave();
    this.solve = solve;
    this.error = null;
    this.looks = (solve.history ?? []).map(([iteration, exploitability, seconds]) => ({
      iteration: iteration ?? 0,
      exploitability,
      seconds: seconds ?? 0,
      iterations_per_second: 0,
      seconds_left: null,
    }));
    if (!this.running) return;
    this.#stop = follow<{ state: Solve; look: Look; end: JobEnd }>(
      `/api/solves/${solve.id}/events`,
      {
        state: (state) => (this.solve = { ...state }),
        look: (look) =>
          (this.looks = [...this.looks.filter((other) => other.iteration < look.iteration), look]),
        end: () => this.#finish(solve.id, ended),
      },
      () => this.#finish(solve.id, ended),
    );
  }
  async #finish(id: string, ended?: (solve: Solve) => void): Promise<void> {
    try {
      const solve = await get<Solve>(`/api/solves/${id}`);
      if (this.solve?.id !== id) return;
      this.solve = solve;
      if (!this.running) ended?.(solve);
    } catch (error) {
      this.error = error;
    }
  }
  async cancel(): Promise<void> {
    if (!this.solve) return;
    try {
      this.solve = await post<Solve>(`/api/solves/${this.solve.id}/cancel`);
    } catch (error) {
      this.error = error;
    }
  }
  leave(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
