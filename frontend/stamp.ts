// The content stamp of the sources: sha-256 over "path\0bytes\0" of every file that goes into the bundle, in the
// order of their paths. The build writes it beside the bundle; a test computes it again and compares.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOTS = [
  "index.html",
  "package-lock.json",
  "package.json",
  "public",
  "src",
  "stamp.ts",
  "svelte.config.js",
  "tsconfig.json",
  "vite.config.ts",
];

function filesUnder(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(root, `${path}/${name}`));
}

export function stampOf(root: string): string {
  const hash = createHash("sha256");
  for (const path of ROOTS.flatMap((name) => filesUnder(root, name)).sort()) {
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}
