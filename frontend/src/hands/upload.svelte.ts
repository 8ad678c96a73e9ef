// Files on their way to the server of this machine: chosen or dropped, sent in pieces, then imported as a job.
import { post, query, send, upload } from "../lib/api";
import type { Schemas } from "../lib/shapes";

/** A file and its name within what was dropped. */
export interface Picked {
  file: File;
  path: string;
}

const ENDINGS = /\.(txt|phhs?|tar|tgz|tar\.(gz|xz|bz2)|zip|gz)$/i;
const FIRST = 4096; // bytes that show whether a file of another ending holds hands
const AT_ONCE = 3;

export const chosen = (files: FileList): Picked[] =>
  Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name }));

/** Everything in a drop, folders with all that is in them. The entries must be asked for at once. */
export async function dropped(transfer: DataTransfer): Promise<Picked[]> {
  const found: Picked[] = [];
  const entries: FileSystemEntry[] = [];
  for (const item of transfer.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = entry ? null : item.getAsFile();
    if (entry) entries.push(entry);
    else if (file) found.push({ file, path: file.name });
  }
  for (const entry of entries) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: Picked[]): Promise<void> {
  if (entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return; // a reader gives a hundred at a time
    for (const inner of some) await walk(inner, found);
  }
}

const hidden = (path: string) => path.split("/").some((part) => part.startsWith("."));

/** Whether a file of a folder may hold hands: by its ending, or because a site's header stands in it. */
async function holdsHands({ file, path }: Picked): Promise<boolean> {
  if (!path.includes("/") || ENDINGS.test(path)) return true;
  const head = new TextDecoder("latin1").decode(await file.slice(0, FIRST).arrayBuffer());
  return /(?:hand|game|handid:) ?#/i.test(head.replaceAll("\0", ""));
}

class Uploading {
  busy = $state(false);
  sent = $state(0);
  bytes = $state(0);
  files = $state(0);
  #stop: AbortController | null = null;

  get share(): number {
    return this.bytes ? this.sent / this.bytes : 0;
  }

  /** Copy files to the server and start their import; nothing where it was cancelled. */
  async start(picked: Picked[], hashNames: boolean): Promise<Schemas["HandImport"] | null> {
    const stop = (this.#stop = new AbortController());
    [this.busy, this.sent, this.bytes, this.files] = [true, 0, 0, 0];
    let id = "";
    try {
      const visible = picked.filter(({ path }) => !hidden(path));
      const wanted: Picked[] = [];
      for (const one of visible) if (await holdsHands(one)) wanted.push(one);
      if (!wanted.length) throw new Error("There is no file of hands among these; see the endings below.");
      this.bytes = wanted.reduce((sum, { file }) => sum + file.size, 0);
      this.files = wanted.length;
      const place = await post<Schemas["UploadShown"]>("/api/hands/uploads");
      id = place.id;
      const over = "import them in a terminal with: overbet hands import FOLDER";
      if (this.bytes > place.bytes)
        throw new Error(`These files have more than ${+(place.bytes / 1e9).toFixed(1)} GB; ${over}`);
      if (this.files > place.files)
        throw new Error(`These are more than ${place.files.toLocaleString("en-US")} files; ${over}`);
      const waiting = wanted.map((one, number) => ({ ...one, number }));
      const worker = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift())
          await this.#send(place, next.number, next, stop.signal);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      const body = { upload: id, hash_names: hashNames, passed_over: visible.length - wanted.length };
      return await post<Schemas["HandImport"]>("/api/hands/imports", body);
    } catch (error) {
      stop.abort(); // the other files need not be sent
      if (id) send("DELETE", `/api/hands/uploads/${id}`).catch(() => undefined);
      if (error instanceof DOMException && error.name === "AbortError") return null;
      throw error;
    } finally {
      this.busy = false;
    }
  }
  cancel(): void {
    this.#stop?.abort();
  }
  async #send(
    place: Schemas["UploadShown"],
    number: number,
    { file, path }: Picked,
    signal: AbortSignal,
  ): Promise<void> {
    let offset = 0;
    do {
      const piece = file.slice(offset, offset + place.piece_bytes);
      const where = query({ file: number, name: path, offset });
      await upload(`/api/hands/uploads/${place.id}/pieces?${where}`, piece, signal);
      this.sent += piece.size;
      offset += place.piece_bytes;
    } while (offset < file.size);
  }
}

export const uploading = new Uploading();
