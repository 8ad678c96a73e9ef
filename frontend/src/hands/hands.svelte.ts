// What the view of hands shows: what is in the database, the imports, and the list with its filter and order.
import { ApiError, get, post, query, send } from "../lib/api";
import { UNDER_WAY } from "../lib/job.svelte";
import { link, route } from "../lib/route.svelte";
import type { Schemas } from "../lib/shapes";
import type { FilterWord, HandImport, HandRow } from "./shapes";
import { dropped, uploading, type Picked } from "./upload.svelte";

export const PAGE = 100; // rows at once
const PAUSE = 500; // ms between two looks at an import

/** Quick choices: a name, and for each value its words and the condition it stands for. */
export const CHOICES: readonly {
  key: string;
  name: string;
  any: string;
  values: readonly (readonly [string, string, string])[];
}[] = [
  {
    key: "pos",
    name: "Position",
    any: "Any position",
    values: ["BTN", "CO", "HJ", "LJ", "UTG+2", "UTG+1", "UTG", "SB", "BB"].map(
      (one) => [one, one, `pos=${one}`] as const,
    ),
  },
  {
    key: "seen",
    name: "Street reached",
    any: "Any street",
    values: [
      ["flop", "Saw the flop", "sawflop"],
      ["turn", "Saw the turn", "sawturn"],
      ["river", "Saw the river", "sawriver"],
      ["showdown", "Showdown", "showdown"],
    ],
  },
  {
    key: "pot",
    name: "Kind of pot",
    any: "Any pot",
    values: [
      ["limped", "Limped", "raises=0"],
      ["single", "Single-raised", "raises=1"],
      ["3bet", "3-bet", "raises=2"],
      ["4bet", "4-bet or more", "raises>=3"],
    ],
  },
  {
    key: "depth",
    name: "Stack depth",
    any: "Any depth",
    values: [
      ["15", "15 bb or less", "depth<=15"],
      ["40", "15 to 40 bb", "depth>15 and depth<=40"],
      ["80", "40 to 80 bb", "depth>40 and depth<=80"],
      ["120", "80 to 120 bb", "depth>80 and depth<=120"],
      ["deep", "More than 120 bb", "depth>120"],
    ],
  },
  {
    key: "format",
    name: "Format",
    any: "Any format",
    values: [
      ["cash", "Cash", "format=cash"],
      ["tournament", "Tournament", "format=tournament"],
      ["expresso", "Expresso", "format=expresso"],
    ],
  },
];

class Hands {
  summary = $state.raw<Schemas["HandSummary"] | null>(null);
  imports = $state.raw<HandImport[]>([]);
  rows = $state.raw<HandRow[] | null>(null);
  more = $state(false);
  count = $state<number | null>(null);
  words = $state.raw<FilterWord[]>([]);
  loading = $state(false);
  error = $state<unknown>(null);
  /** Imports and their reports are on show. */
  panel = $state(false);
  hashNames = $state(false);
  /** What the server has against the filter. */
  fault = $state.raw<ApiError | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: AbortController | null = null;

  // the address says what is listed
  get typed(): string {
    return route.now.query.filter ?? "";
  }
  get sort(): string {
    return route.now.query.sort ?? (this.summary?.priced ? "-loss" : "-date");
  }
  get page(): number {
    return Math.max(1, Math.floor(Number(route.now.query.page)) || 1);
  }
  choice(key: string): string {
    return route.now.query[key] ?? "";
  }
  /** The whole filter, as the terminal takes it. */
  get filter(): string {
    const parts = CHOICES.flatMap(({ key, values }) =>
      values.filter(([value]) => value === this.choice(key)).map(([, , condition]) => condition),
    );
    const typed = this.typed.trim();
    if (!typed) return parts.join(" and ");
    return [parts.length && /\bor\b/i.test(typed) ? `(${typed})` : typed, ...parts].join(" and ");
  }
  /** The address of the list, or of a hand or another tab of it, with some of it changed. */
  address(change: Record<string, string | undefined> = {}, ...place: string[]): string {
    const { filter, sort, page, ...rest } = { ...route.now.query, ...change };
    const kept = Object.fromEntries(CHOICES.map(({ key }) => [key, rest[key]]));
    return link(["hands", ...place], { filter, sort, page, ...kept });
  }

  async look(): Promise<void> {
    try {
      this.summary = await get<Schemas["HandSummary"]>("/api/hands/summary");
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }
  /** Fetch the rows of the address; how many there are in all comes when it is counted. */
  async list(): Promise<void> {
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    const asked = { filter: this.filter };
    const place = { sort: this.sort, limit: PAGE, offset: (this.page - 1) * PAGE };
    this.loading = true;
    this.count = null;
    try {
      const found = await get<Schemas["ListedHands"]>(
        `/api/hands?${query({ ...asked, ...place })}`,
        stop.signal,
      );
      [this.rows, this.more, this.fault, this.error] = [found.rows, found.more, null, null];
      this.loading = false;
      this.count = (await get<Schemas["HandCount"]>(`/api/hands/count?${query(asked)}`, stop.signal)).rows;
    } catch (error) {
      if (stop.signal.aborted) return; // another list is on its way
      this.loading = false;
      if (error instanceof ApiError && error.where === "filter") [this.fault, this.rows] = [error, []];
      else this.error = error;
    }
  }
  async help(): Promise<void> {
    if (!this.words.length) this.words = (await get<Schemas["FilterWords"]>("/api/hands/words")).words;
  }

  // imports

  get importing(): boolean {
    return this.imports.some((one) => UNDER_WAY.includes(one.status));
  }
  /** Look at the imports, again and again while one is under way; the list follows when it ends. */
  async watch(): Promise<void> {
    clearTimeout(this.#timer);
    const before = this.importing;
    try {
      this.imports = (await get<Schemas["HandImports"]>("/api/hands/imports")).imports;
      if (this.importing) this.panel = true; // and it stays: the report is what one waits for
    } catch (error) {
      this.error = error;
    }
    if (before && !this.importing) {
      await this.look();
      await this.list();
    }
    if (this.importing) this.#timer = setTimeout(() => this.watch(), PAUSE);
  }
  leave(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
  }
  async take(picked: Picked[]): Promise<void> {
    if (!picked.length || uploading.busy) return;
    this.error = null;
    this.panel = true;
    try {
      const made = await uploading.start(picked, this.hashNames);
      if (!made) return;
      this.imports = [made, ...this.imports];
      await this.watch();
    } catch (error) {
      this.error = error;
    }
  }
  async drop(transfer: DataTransfer | null): Promise<void> {
    try {
      if (transfer) await this.take(await dropped(transfer));
    } catch (error) {
      this.error = error;
    }
  }
  async #act(what: () => Promise<unknown>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.error = error;
    }
    await this.watch();
  }
  stop(id: string): Promise<void> {
    this.imports = this.imports.map((one) => (one.id === id ? { ...one, stopping: true } : one));
    return this.#act(() => post(`/api/hands/imports/${id}/cancel`));
  }
  resume(id: string): Promise<void> {
    return this.#act(() => post(`/api/hands/imports/${id}/resume`));
  }
  forget(id: string): Promise<void> {
    return this.#act(() => send("DELETE", `/api/hands/imports/${id}`));
  }
  /** Fetch all errors of an import that are kept. */
  async whole(id: string): Promise<void> {
    try {
      const found = await get<HandImport>(`/api/hands/imports/${id}`);
      this.imports = this.imports.map((one) => (one.id === id ? found : one));
    } catch (error) {
      this.error = error;
    }
  }
}

export const hands = new Hands();
