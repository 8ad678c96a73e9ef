// A picture of a table that was dropped on the page: sent, read, corrected, carried into Solve.
import { get, post, upload } from "../lib/api";
import { go } from "../lib/route.svelte";
import type { Schemas, Spot } from "../lib/shapes";
import { setup } from "../solve/setup.svelte";

export type Vision = Schemas["VisionShown"];
export type Reading = Schemas["ReadingShown"];
export type Field = Schemas["FieldShown"];
type Picture = Schemas["PictureShown"];
export type Clicks = Schemas["Clicks"];

class Pictures {
  vision = $state.raw<Vision | null>(null);
  profile = $state("");
  picture = $state.raw<Picture | null>(null);
  address = $state("");
  reading = $state.raw<Reading | null>(null);
  /** What stands in each field now, and which of them a person has looked at. */
  values = $state<Record<string, string>>({});
  touched = $state<Record<string, boolean>>({});
  bigBlind = $state<number | null>(null);
  busy = $state(false);
  calibrating = $state(false);
  error = $state.raw<unknown>(null);
  /** The line from the spot's root to the decision in the picture, once it was carried into Solve. */
  line = $state("");

  async look(): Promise<void> {
    try {
      this.vision = await get<Vision>("/api/vision");
      if (!this.vision.profiles.some((one) => one.name === this.profile))
        this.profile = this.vision.profiles[0]?.name ?? "";
    } catch (fault) {
      this.error = fault;
    }
  }
  async take(file: File): Promise<void> {
    await this.#doing(async () => {
      if (this.vision && file.size > this.vision.bytes)
        throw new Error(`the picture has more than ${this.vision.bytes >> 20} MiB; save it smaller`);
      const picture = await upload<Picture>("/api/vision/pictures", file);
      if (this.address) URL.revokeObjectURL(this.address);
      this.address = URL.createObjectURL(file);
      this.picture = picture;
      this.reading = null;
      if (this.profile && !this.calibrating) await this.#read();
    });
  }
  async read(): Promise<void> {
    await this.#doing(() => this.#read());
  }
  async #read(): Promise<void> {
    this.reading = null;
    const found = await post<Reading>("/api/vision/readings", {
      picture: this.picture!.id,
      profile: this.profile,
    });
    this.values = Object.fromEntries(found.fields.map((one) => [one.name, one.value]));
    this.touched = {};
    this.reading = found;
  }
  /** Fields that are neither sure nor looked at. */
  get open(): Field[] {
    return this.reading?.fields.filter((one) => !one.sure && !this.touched[one.name]) ?? [];
  }
  async solve(): Promise<void> {
    await this.#doing(async () => {
      const found = await post<Schemas["ReadSpotShown"]>("/api/vision/spots", {
        profile: this.reading!.profile,
        unit: this.reading!.unit,
        fields: $state.snapshot(this.values),
        oop: setup.oop,
        ip: setup.ip,
        big_blind: this.bigBlind,
      });
      this.line = found.line;
      const hero = found.hero ? `, hero ${found.hero.toUpperCase()} ${found.hero_cards}` : "";
      setup.fill(found.spot as Spot, `from a picture${hero}, at ${found.line}`.slice(0, 80));
      go("#/solve");
    });
  }
  async calibrated(name: string, clicks: Clicks): Promise<void> {
    await this.#doing(async () => {
      await post("/api/vision/profiles", { name, picture: this.picture!.id, clicks });
      await this.look();
      this.profile = name;
      this.calibrating = false;
      await this.#read();
    });
  }
  async #doing(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.error = null;
    try {
      await work();
    } catch (fault) {
      this.error = fault;
    }
    this.busy = false;
  }
}

export const pictures = new Pictures();
