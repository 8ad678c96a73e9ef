// One solve under way, followed by server-sent events.
import { follow, get, isGone, post } from "./api";
import type { JobBeat, JobEnd, Look, Solve } from "./shapes";

export const UNDER_WAY = ["queued", "running", "saving"];

export class Job {
  solve = $state.raw<Solve | null>(null);
  looks = $state.raw<Look[]>([]);
  /** How far it is between two looks. */
  beat = $state.raw<JobBeat | null>(null);
  error = $state<unknown>(null);
  /** The server does not answer: what is known of the solve may be over. */
  gone = $state(false);
  #stop: (() => void) | null = null;
  /** Cancel was clicked: what the server said before it heard of that changes nothing. */
  #cancelling = false;

  get running(): boolean {
    return !!this.solve && UNDER_WAY.includes(this.solve.status);
  }

  /** Follow a solve to its end; `ended` is called once with how it ended. */
  watch(solve: Solve, ended?: (solve: Solve) => void): void {
    this.leave();
    this.solve = solve;
    this.#cancelling = false;
    this.error = null;
    this.gone = false;
    this.beat = null;
    this.looks = (solve.history ?? []).map(([iteration, exploitability, seconds]) => ({
      iteration: iteration ?? 0,
      exploitability,
      seconds: seconds ?? 0,
      iterations_per_second: 0,
      seconds_left: null,
    }));
    if (!this.running) return;
    this.#stop = follow<{ state: Solve; look: Look; beat: JobBeat; end: JobEnd }>(
      `/api/solves/${solve.id}/events`,
      {
        state: (state) => {
          this.solve = { ...state, stopping: state.stopping || this.#cancelling };
          this.gone = false;
        },
        look: (look) =>
          (this.looks = [...this.looks.filter((other) => other.iteration < look.iteration), look]),
        beat: (beat) => (this.beat = beat),
        end: () => this.#finish(solve.id, ended),
      },
      () => this.#finish(solve.id, ended),
      () => this.#ask(solve.id, ended),
    );
  }
  /** The stream broke off: see whether the server is still there, and what it says of the solve. */
  async #ask(id: string, ended?: (solve: Solve) => void): Promise<void> {
    await this.#finish(id, ended);
    if (this.solve?.id === id && !this.running) this.leave();
  }
  async #finish(id: string, ended?: (solve: Solve) => void): Promise<void> {
    try {
      const solve = await get<Solve>(`/api/solves/${id}`);
      if (this.solve?.id !== id) return;
      this.solve = solve;
      this.gone = false;
      this.error = null;
      if (!this.running) ended?.(solve);
    } catch (error) {
      if (this.solve?.id !== id) return;
      this.gone = isGone(error);
      this.error = error;
    }
  }
  async cancel(): Promise<void> {
    if (!this.solve || this.solve.stopping) return;
    this.#cancelling = true;
    this.solve = { ...this.solve, stopping: true }; // at once: a second click has nothing to ask for
    try {
      this.solve = await post<Solve>(`/api/solves/${this.solve.id}/cancel`);
    } catch (error) {
      this.#cancelling = false;
      this.solve = { ...this.solve, stopping: false };
      this.error = error;
    }
  }
  leave(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
