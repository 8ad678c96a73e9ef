// The spot being set up: a form on one side, the body the server takes on the other.
import { tick } from "svelte";
import { get, post, type ApiError } from "../lib/api";
import { cardsName, readCards } from "../lib/cards";
import { Job } from "../lib/job.svelte";
import type { Scale } from "../lib/format";
import { scaleOf, typingScale } from "../lib/units.svelte";
import type { Guide, Player, Preview, Schemas, Solve, SolveSettings, Spot, StreetMenu } from "../lib/shapes";
import { fieldName, fieldOf, isWithin } from "./faults";
import { keptForm } from "./form_store";
import { scaledSizes, wholeFactor } from "./inner_chips";

export const STREETS = ["flop", "turn", "river"] as const;
export type Street = (typeof STREETS)[number];
export type AmountName = "pot" | "stackOop" | "stackIp" | "bigBlind" | "rakeCap" | "minBet";
const AMOUNTS: AmountName[] = ["pot", "stackOop", "stackIp", "bigBlind", "rakeCap", "minBet"];
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

const PRECISIONS: readonly NonNullable<SolveSettings["precision"]>[] = ["float32", "int16"];
const kept = keptForm({
  name: "",
  boardText: "Qs8h4d",
  oop: "QQ-22,AJs-A2s,KTs+,QTs+,JTs,T9s,98s,87s,76s,65s,AQo-ATo,KQo,KJo",
  ip: "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,76s,65s,54s,ATo+,KJo+,QJo",
  pot: 60,
  stackOop: 340,
  stackIp: 340,
  bigBlind: 10,
  menus: {
    flop: street("33%", "2.5x"),
    turn: street("75%", "a"),
    river: street("75%, a", "a"),
  } as Record<Street, StreetForm>,
  addAllIn: 0,
  forceAllIn: 0.15,
  merge: 0.1,
  rakeShare: 0,
  rakeCap: 0,
  minBet: 1,
  target: 0.5,
  iterations: 1000,
  seconds: 0, // 0: no limit
  precision: "float32",
});

class Setup {
  name = $state(kept.name);
  boardText = $state(kept.boardText);
  oop = $state(kept.oop);
  ip = $state(kept.ip);
  pot = $state(kept.pot);
  stackOop = $state(kept.stackOop);
  stackIp = $state(kept.stackIp);
  bigBlind = $state(kept.bigBlind);
  menus = $state(kept.menus);
  addAllIn = $state(kept.addAllIn);
  forceAllIn = $state(kept.forceAllIn);
  merge = $state(kept.merge);
  rakeShare = $state(kept.rakeShare);
  rakeCap = $state(kept.rakeCap);
  minBet = $state(kept.minBet);
  target = $state(kept.target);
  iterations = $state(kept.iterations);
  seconds = $state(kept.seconds);
  precision = $state(PRECISIONS.find((one) => one === kept.precision) ?? "float32");

  preview = $state.raw<Preview | null>(null);
  fault = $state.raw<ApiError | null>(null);
  guide = $state.raw<Guide | null>(null);
  job = new Job();
  starting = $state(false);
  /** The preview is of an earlier spot. */
  stale = $state(true);
  /** A range is being read, or the text does not say yet what was painted. */
  reading = $state<Record<Player, boolean>>({ oop: false, ip: false });
  /** What cannot be read in the text of a range. */
  rangeFaults = $state<Record<Player, string>>({ oop: "", ip: "" });
  /** The ranges on show, and whether the rarer settings of the pot are. */
  who = $state<Player | "both">("both");
  more = $state(false);

  #cards = $derived(readCards(this.boardText));
  /** The board as far as its text can be read. */
  get board(): number[] {
    return this.#cards.cards.slice(0, 5);
  }
  set board(cards: number[]) {
    this.boardText = cardsName(cards);
  }
  get boardFault(): string {
    return this.#cards.fault || (this.#cards.cards.length > 5 ? "a board has at most five cards" : "");
  }
  get boardUnfinished(): boolean {
    return this.#cards.unfinished;
  }
  /** Something typed has not been looked at yet: a press of Solve waits for it. */
  get pending(): boolean {
    return this.stale || this.reading.oop || this.reading.ip;
  }
  /** The fields that stand in the way of a solve, on show or not; empty text stands for any other reason. */
  get blocked(): string[] {
    const found: string[] = [];
    if (this.boardFault || this.board.length < 3) found.push("board");
    for (const player of ["oop", "ip"] as const) if (this.rangeFaults[player]) found.push(`ranges.${player}`);
    if (this.fault && this.fault.status !== 0) {
      const where = fieldOf(this.#where)?.[0] ?? "";
      if (!found.includes(where)) found.push(where);
    }
    if (this.preview && !this.preview.fits) found.push("");
    return found;
  }
  /** All that was typed, for the browser to keep. */
  get form(): typeof kept {
    const { name, boardText, oop, ip, pot, stackOop, stackIp, bigBlind, menus, addAllIn, forceAllIn } = this;
    const { merge, rakeShare, rakeCap, minBet, target, iterations, seconds, precision } = this;
    return {
      ...{ name, boardText, oop, ip, pot, stackOop, stackIp, bigBlind, menus, addAllIn, forceAllIn },
      ...{ merge, rakeShare, rakeCap, minBet, target, iterations, seconds, precision },
    };
  }

  /** How the amounts of the form are read. */
  get scale(): Scale {
    return scaleOf({ pot: this.pot, big_blind: this.bigBlind });
  }
  /** Take an amount as typed. In big blinds hundredths are kept: where they are no whole chips, a big blind
   * becomes more chips, and with it every other amount. */
  type(name: AmountName, value: number): void {
    if (typingScale(this.scale).unit === "chips" || !Number.isFinite(value)) {
      this[name] = value;
      return;
    }
    const hundredths = Math.round(100 * value);
    const factor = wholeFactor(hundredths, this.bigBlind);
    if (factor !== 1) {
      for (const other of AMOUNTS) this[other] = Math.round(this[other] * factor);
      for (const street of STREETS)
        for (const who of ["both", "oop", "ip"] as const) {
          const { bet, raise, donk } = this.menus[street][who];
          this.menus[street][who] = sizes(
            ...([bet, raise, donk].map((text) => scaledSizes(text, factor)) as [string, string, string]),
          );
        }
    }
    this[name] = Math.round((hundredths * this.bigBlind) / 100);
  }

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
      pot: this.pot,
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
  get #where(): string {
    return this.fault?.where?.replace(/^spot\./, "") ?? "";
  }
  /** What the server has against a field, in words. */
  wrong(...fields: string[]): string {
    return fields.some((field) => isWithin(this.#where, field)) ? this.fault!.message : "";
  }
  /** The same with the name of the field in front, where several stand above one message. */
  named(...fields: string[]): string {
    if (!this.wrong(...fields)) return "";
    const words = this.#where === "rake.share" ? "write percents from 0 to 99" : this.fault!.message;
    return `${fieldName(this.#where)}: ${words}`;
  }

  fill(spot: Spot, name = ""): void {
    this.name = name;
    this.boardText = spot.board;
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
    this.seconds = spot.solve?.seconds ?? 0;
    this.precision = spot.solve?.precision ?? "float32";
  }

  /** Take over a spot that a blueprint's line leads to; sizes, accuracy and the rest stay as they are. */
  carry(found: Schemas["BlueprintSpotShown"], name: string): void {
    this.name = name.slice(0, 80);
    this.boardText = found.board;
    this.pot = found.pot_chips;
    [this.stackOop, this.stackIp] = found.stacks_chips;
    this.bigBlind = found.big_blind;
    this.minBet = found.least_bet_chips;
    this.rakeShare = +(100 * found.rake_share).toFixed(4);
    this.rakeCap = found.rake_cap_chips;
    this.oop = found.ranges.oop;
    this.ip = found.ranges.ip;
  }

  #started = $state("");
  /** This very spot is being solved: a second press is one too many. */
  get solvingThis(): boolean {
    return this.job.running && !this.job.gone && this.#started === JSON.stringify(this.spot);
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
  /** There is nothing to look at: the board is not whole. */
  leaveOff(): void {
    this.#asked++;
    this.#show(null, null);
  }
  #show(preview: Preview | null, fault: ApiError | null): void {
    this.preview = preview;
    this.fault = fault;
    this.stale = false;
  }
  async start(ended: (solve: Solve) => void): Promise<void> {
    this.starting = true;
    try {
      await tick();
      while (this.reading.oop || this.reading.ip) await new Promise((wait) => setTimeout(wait, 20));
      if (this.boardFault || this.rangeFaults.oop || this.rangeFaults.ip) return; // said at the button
      const solve = await post<Solve>("/api/solves", {
        name: this.name.trim() || undefined,
        spot: this.spot,
      });
      this.fault = null;
      this.#started = JSON.stringify(this.spot);
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
