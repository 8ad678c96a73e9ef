// What is run from this page: the orders under way and done, and the form for the next one.
import { type ApiError, follow, get, isGone, post, send } from "../lib/api";
import { perHundred } from "../lib/format";
import { UNDER_WAY } from "../lib/job.svelte";
import type { Schemas } from "../lib/shapes";

export type Work = Schemas["Work"];
export type WorkPoint = Schemas["WorkPoint"];
export type WorkKind = Work["kind"];
export const KINDS: readonly (readonly [WorkKind, string])[] = [
  ["train", "Training"],
  ["match", "Match"],
  ["lbr", "LBR"],
  ["scorecard", "Scorecard"],
];
const KEY = "overbet-runs";

/** The forms, as the browser keeps them. Numbers are what was typed; empty: the usual. */
const EMPTY = {
  kind: "match" as WorkKind,
  train: { preset: "push-fold", name: "", iterations: "", seed: "", settings: "" },
  match: { agents: ["blueprint:shipped-heads-up", "tag"], hands: "20000", seed: "1", seats: "", stack: "" },
  lbr: { agent: "blueprint:shipped-heads-up", bets: "fcpa", streets: "all", hands: "2000", seed: "1" },
  scorecard: { agent: "blueprint:shipped-heads-up", hands: "10000", lbrHands: "1000", seed: "1" },
};
type Forms = typeof EMPTY;

function stored(): Forms {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const forms = structuredClone(EMPTY);
    for (const [key] of KINDS) Object.assign(forms[key], kept[key] ?? {});
    if (KINDS.some(([key]) => key === kept.kind)) forms.kind = kept.kind;
    if (!Array.isArray(forms.match.agents)) forms.match.agents = [...EMPTY.match.agents];
    return forms;
  } catch {
    return structuredClone(EMPTY); // a damaged entry or no storage
  }
}

/** A number that was typed: none where nothing is, the text itself where it is no number. */
const typed = (text: string): number | string | undefined => {
  const plain = String(text).replaceAll(/[\s,_]/g, "");
  if (!plain) return undefined;
  return /^-?\d+(\.\d+)?(e\d+)?$/i.test(plain) ? Number(plain) : plain;
};

export const bbPer100 = (mbb: number | null | undefined): number | null =>
  mbb === null || mbb === undefined ? null : perHundred(mbb);

class Runs {
  forms = $state<Forms>(stored());
  choices = $state.raw<Schemas["WorkChoices"] | null>(null);
  work = $state.raw<Work[] | null>(null);
  /** The curves of jobs that were opened or run. */
  curves = $state<Record<string, WorkPoint[]>>({});
  error = $state<unknown>(null);
  /** Counts up when something has ended: its results are in the ledger. */
  ended = $state(0);
  fault = $state.raw<ApiError | null>(null);
  command = $state("");
  starting = $state(false);
  #follow: { id: string; stop: () => void } | null = null;
  #asked = 0;
  /** What was under way when the list was read last. */
  #busy: string[] = [];

  get order(): Record<string, unknown> {
    const { kind, train, match, lbr, scorecard } = this.forms;
    if (kind === "train")
      return {
        kind,
        preset: train.preset,
        name: train.name,
        iterations: typed(train.iterations),
        seed: typed(train.seed),
        settings: train.settings.split("\n").filter((line) => line.trim()),
      };
    if (kind === "match")
      return {
        kind,
        agents: match.agents,
        hands: typed(match.hands),
        seed: typed(match.seed),
        seats: typed(match.seats),
        stack_bb: typed(match.stack),
      };
    if (kind === "lbr")
      return {
        kind,
        agent: lbr.agent,
        bets: lbr.bets,
        streets: lbr.streets,
        hands: typed(lbr.hands),
        seed: typed(lbr.seed),
      };
    return {
      kind,
      agent: scorecard.agent,
      hands: typed(scorecard.hands),
      lbr_hands: typed(scorecard.lbrHands),
      seed: typed(scorecard.seed),
    };
  }
  keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.forms));
    } catch {
      // private windows may refuse storage
    }
  }
  /** What the server has against a field, in words. */
  wrong(field: string): string {
    return this.fault?.where === field ? this.fault.message : "";
  }
  /** What belongs to no field of the form. */
  get rest(): ApiError | null {
    return this.fault && !this.fault.where ? this.fault : null;
  }

  async check(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const found = await post<Schemas["OrderShown"]>("/api/work/check", this.order);
      if (asked === this.#asked) [this.command, this.fault] = [found.command, null];
    } catch (error) {
      if (asked === this.#asked) [this.command, this.fault] = ["", error as ApiError];
    }
  }
  async start(): Promise<void> {
    this.starting = true;
    try {
      const made = await post<Work>("/api/work", this.order);
      this.fault = null;
      if (this.forms.kind === "train") this.forms.train.name = "";
      this.work = [made, ...(this.work ?? [])];
      this.#busy = [...this.#busy, made.id];
      await this.list();
    } catch (error) {
      this.fault = error as ApiError;
    } finally {
      this.starting = false;
    }
  }
  /** Put what a job was ordered with into the form again. */
  fill(work: Work): void {
    const asked = work.asked as Record<string, never>;
    const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
    this.forms.kind = work.kind;
    if (work.kind === "train")
      this.forms.train = {
        preset: text(asked.preset),
        name: "",
        iterations: text(asked.iterations),
        seed: text(asked.seed),
        settings: ((asked.settings ?? []) as string[]).join("\n"),
      };
    else if (work.kind === "match")
      this.forms.match = {
        agents: [...((asked.agents ?? []) as string[])],
        hands: text(asked.hands),
        seed: text(asked.seed),
        seats: text(asked.seats),
        stack: text(asked.stack_bb),
      };
    else if (work.kind === "lbr")
      this.forms.lbr = {
        agent: text(asked.agent),
        bets: text(asked.bets),
        streets: text(asked.streets),
        hands: text(asked.hands),
        seed: text(asked.seed),
      };
    else
      this.forms.scorecard = {
        agent: text(asked.agent),
        hands: text(asked.hands),
        lbrHands: text(asked.lbr_hands),
        seed: text(asked.seed),
      };
  }

  async load(): Promise<void> {
    this.choices ??= await get<Schemas["WorkChoices"]>("/api/work/choices").catch(
      (error) => ((this.error = error), null),
    );
    await this.list();
  }
  async list(): Promise<void> {
    try {
      const found = (await get<Schemas["AllWork"]>("/api/work")).work;
      const busy = found.filter((one) => UNDER_WAY.includes(one.status)).map((one) => one.id);
      const over = this.#busy.some((id) => !busy.includes(id));
      this.#busy = busy;
      if (over) {
        this.ended++;
        this.choices = await get<Schemas["WorkChoices"]>("/api/work/choices"); // a run may be a strategy now
      }
      this.work = found;
      this.error = null;
      const running = found.find((one) => one.status === "running" || one.status === "saving");
      if (running) this.watch(running.id);
    } catch (error) {
      this.error = error;
    }
  }
  get busy(): boolean {
    return (this.work ?? []).some((one) => UNDER_WAY.includes(one.status));
  }
  get gone(): boolean {
    return isGone(this.error);
  }
  /** Follow the job under way: its figures and its curve come by themselves. */
  watch(id: string): void {
    if (this.#follow?.id === id) return;
    this.leave();
    const points: WorkPoint[] = [];
    const put = (change: Partial<Work>) =>
      (this.work = (this.work ?? []).map((one) => (one.id === id ? { ...one, ...change } : one)));
    const over = () => {
      this.leave();
      this.list();
    };
    const stop = follow<{ state: Work; look: WorkPoint; beat: WorkPoint; end: object }>(
      `/api/work/${id}/events`,
      {
        state: (state) => put(state),
        look: (look) => {
          points.push(look);
          this.curves[id] = [...points];
        },
        beat: (beat) => put({ now: beat }),
        end: over,
      },
      over,
    );
    this.#follow = { id, stop };
  }
  leave(): void {
    this.#follow?.stop();
    this.#follow = null;
  }
  /** Fetch the curve of a job that is over. */
  async open(id: string): Promise<void> {
    if (this.curves[id]?.length) return;
    try {
      this.curves[id] = (await get<Work>(`/api/work/${id}`)).curve ?? [];
    } catch (error) {
      this.error = error;
    }
  }
  async #act(what: () => Promise<unknown>): Promise<void> {
    try {
      await what();
      await this.list();
    } catch (error) {
      this.error = error;
    }
  }
  cancel(id: string): Promise<void> {
    this.work = (this.work ?? []).map((one) => (one.id === id ? { ...one, stopping: true } : one));
    return this.#act(() => post(`/api/work/${id}/cancel`));
  }
  resume(id: string): Promise<void> {
    delete this.curves[id];
    return this.#act(() => post(`/api/work/${id}/resume`));
  }
  remove(id: string): Promise<void> {
    return this.#act(() => send("DELETE", `/api/work/${id}`));
  }
}

export const runs = new Runs();
