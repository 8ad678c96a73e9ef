// The spot being set up: a form on one side, the body the server takes on the other.
import { get, post, type ApiError } from "../lib/api";
import { cardsName, readCards } from "../lib/cards";
import { Job } from "../lib/job.svelte";
import type { Guide, Preview, Solve, SolveSettings, Spot, StreetMenu } from "../lib/shapes";

export const STREETS = ["flop", "turn", "river"] as const;
export type Street = (typeof STREETS)[number];
interface Sizes {
  bet: string;
  raise: string;
  donk: string;
}
interface StreetForm {
  both: Sizes;
  oop: Sizes;
  ip: Sizes;
  apart: boolean;
}

const sizes = (bet = "", raise = "", donk = ""): Sizes => ({ bet, raise, donk });
const street = (bet: string, raise: string): StreetForm => ({
  both: sizes(bet, raise),
  oop: sizes(bet, raise),
  ip: sizes(bet, raise),
  apart: false,
});

class Setup {
  name = $state("");
  board = $state<number[]>(readCards("Qs8h4d").cards);
  oop = $state("QQ-22,AJs-A2s,KTs+,QTs+,JTs,T9s,98s,87s,76s,65s,AQo-ATo,KQo,KJo");
  ip = $state("22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,76s,65s,54s,ATo+,KJo+,QJo");
  pot = $state(60);
  stackOop = $state(340);
  stackIp = $state(340);
  bigBlind = $state(10);
  menus = $state<Record<Street, StreetForm>>({
    flop: street("33%", "2.5x"),
    turn: street("75%", "a"),
    river: street("75%, a", "a"),
  });
  addAllIn = $state(0);
  forceAllIn = $state(0.15);
  merge = $state(0.1);
  rakeShare = $state(0);
  rakeCap = $state(0);
  minBet = $state(1);
  target = $state(0.5);
  iterations = $state(1000);
  seconds = $state<number | null>(null);
  precision = $state<NonNullable<SolveSettings["precision"]>>("float32");

  preview = $state.raw<Preview | null>(null);
  fault = $state.raw<ApiError | null>(null);
  guide = $state.raw<Guide | null>(null);
  job = new Job();
  starting = $state(false);
  /** The preview is of an earlier spot; a range is still being written. */
  stale = $state(true);
  behind = $state(false);

  /** The streets still to be played on this board. */
  get streets(): Street[] {
    return STREETS.slice(Math.max(0, Math.min(2, this.board.length - 3)));
  }
  get spot(): Spot {
    const level = (text: string) => (text.includes("|") ? text.split("|").map((part) => part.trim()) : text);
    const menu = (form: Sizes) => ({
      bet: form.bet,
      raise: level(form.raise),
      donk: form.donk.trim() ? form.donk : null,
    });
    const bets: Record<string, StreetMenu> = {};
    for (const name of this.streets) {
      const form = this.menus[name];
      bets[name] = form.apart
        ? { oop: menu(form.oop), ip: { ...menu(form.ip), donk: null } }
        : menu(form.both);
    }
    return {
      board: cardsName(this.board),
      pot: Math.round(this.pot),
      stacks: this.stackOop === this.stackIp ? this.stackOop : [this.stackOop, this.stackIp],
      big_blind: this.bigBlind || 0,
      ranges: { oop: this.oop, ip: this.ip },
      bets,
      thresholds: {
        add_all_in: this.addAllIn || 0,
        force_all_in: this.forceAllIn || 0,
        merge: this.merge || 0,
      },
      rake: { share: (this.rakeShare || 0) / 100, cap: this.rakeCap || 0 },
      min_bet: this.minBet || 1,
      solve: {
        target: this.target,
        iterations: this.iterations,
        seconds: this.seconds || null,
        precision: this.precision,
      },
    };
  }
  /** What the server has against a field, in words. */
  wrong(...fields: string[]): string {
    const where = this.fault?.where?.replace(/^spot\./, "") ?? "";
    return fields.some((field) => where === field || where.startsWith(`${field}.`))
      ? this.fault!.message
      : "";
  }

  fill(spot: Spot, name = ""): void {
    this.name = name;
    this.board = readCards(spot.board).cards;
    this.pot = spot.pot;
    [this.stackOop, this.stackIp] =
      typeof spot.stacks === "number" ? [spot.stacks, spot.stacks] : spot.stacks;
    this.bigBlind = spot.big_blind ?? 0;
    this.oop = spot.ranges.oop;
    this.ip = spot.ranges.ip;
    const text = (value: unknown) => (Array.isArray(value) ? value.join(" | ") : ((value as string) ?? ""));
    const read = (menu: StreetMenu | null | undefined) =>
      sizes(text(menu?.bet), text(menu?.raise), text(menu?.donk));
    for (const name of STREETS) {
      const given = spot.bets?.[name] ?? spot.bets?.every;
      const both = read(given);
      const apart = !!(given?.oop || given?.ip);
      this.menus[name] = {
        both,
        apart,
        oop: given?.oop ? read(given.oop) : { ...both },
        ip: given?.ip ? read(given.ip) : { ...both },
      };
    }
    this.addAllIn = spot.thresholds?.add_all_in ?? 0;
    this.forceAllIn = spot.thresholds?.force_all_in ?? 0;
    this.merge = spot.thresholds?.merge ?? 0;
    this.rakeShare = +(100 * (spot.rake?.share ?? 0)).toFixed(4);
    this.rakeCap = spot.rake?.cap ?? 0;
    this.minBet = spot.min_bet ?? 1;
    this.target = spot.solve?.target ?? 0.5;
    this.iterations = spot.solve?.iterations ?? 1000;
    this.seconds = spot.solve?.seconds ?? null;
    this.precision = spot.solve?.precision ?? "float32";
  }

  #asked = 0;
  async look(): Promise<void> {
    const asked = ++this.#asked;
    this.stale = true;
    try {
      const preview = await post<Preview>("/api/spots/preview", this.spot);
      if (asked === this.#asked) this.#show(preview, null);
    } catch (error) {
      if (asked === this.#asked) this.#show(null, error as ApiError);
    }
  }
  #show(preview: Preview | null, fault: ApiError | null): void {
    this.preview = preview;
    this.fault = fault;
    this.stale = false;
  }
  async start(ended: (solve: Solve) => void): Promise<void> {
    this.starting = true;
    try {
      const solve = await post<Solve>("/api/solves", {
        name: this.name.trim() || undefined,
        spot: this.spot,
      });
      this.fault = null;
      this.job.watch(solve, ended);
    } catch (error) {
      this.fault = error as ApiError;
    } finally {
      this.starting = false;
    }
  }
  async examples(): Promise<Guide> {
    return (this.guide ??= await get<Guide>("/api/guide"));
  }
}

export const setup = new Setup();
