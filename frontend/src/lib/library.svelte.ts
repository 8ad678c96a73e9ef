// Folders, tags and notes of what is kept: solved spots, sets of flops, training runs.
import { get, post, send } from "./api";
import type { Schemas } from "./shapes";

export type Marks = Schemas["Marks"];
export type MarkedKind = Marks["kind"];
export interface NewMarks {
  folder?: string;
  tags?: string[];
  note?: string;
}

class MarkedThings {
  marks = $state.raw<Record<string, Marks>>({});
  /** Folders that hold something, with those above them. */
  folders = $state.raw<string[]>([]);
  tags = $state.raw<string[]>([]);

  constructor(readonly kind: MarkedKind) {}

  of(id: string): Marks {
    return this.marks[id] ?? { kind: this.kind, id, folder: "", tags: [], note: "" };
  }
  async load(): Promise<void> {
    const found = await get<Schemas["Library"]>(`/api/library/${this.kind}`);
    this.marks = Object.fromEntries(found.marks.map((marks) => [marks.id, marks]));
    const whole = found.folders.flatMap((folder) =>
      folder.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/")),
    );
    this.folders = [...new Set(whole)].sort((a, b) => a.localeCompare(b));
    this.tags = found.tags;
  }
  async put(id: string, change: NewMarks): Promise<void> {
    await send("PUT", `/api/library/${this.kind}/${encodeURIComponent(id)}`, change);
    await this.load();
  }
  /** Rename a folder; an empty name takes it away and leaves what lies in it. */
  async moveFolder(folder: string, to: string): Promise<void> {
    await post(`/api/library/${this.kind}/folders`, { folder, to });
    await this.load();
  }
}

export const library: Record<MarkedKind, MarkedThings> = {
  solve: new MarkedThings("solve"),
  batch: new MarkedThings("batch"),
  run: new MarkedThings("run"),
};

export const NO_FOLDER = "/";
/** What a person looks for; a word may stand in the name, the board, the folder, a tag or the note. */
export class LibraryFilter {
  words = $state("");
  /** Empty: all folders; `NO_FOLDER`: what lies in none. */
  folder = $state("");
  tag = $state("");

  get active(): boolean {
    return !!(this.words.trim() || this.folder || this.tag);
  }
  shows(marks: Marks, ...texts: string[]): boolean {
    const inFolder =
      !this.folder ||
      (this.folder === NO_FOLDER
        ? !marks.folder
        : marks.folder === this.folder || marks.folder.startsWith(`${this.folder}/`));
    if (!inFolder || (this.tag && !marks.tags.includes(this.tag))) return false;
    const all = [...texts, marks.folder, ...marks.tags, marks.note].join("\n").toLowerCase();
    return this.words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => all.includes(word));
  }
  clear(): void {
    this.words = this.folder = this.tag = "";
  }
}
