// Content stamps: sha-256 over "path\0bytes\0" of files, in the order of their paths. The build writes those of its
// sources and of the bundle beside the bundle; `npm run verify` writes that of all it has checked. The tests compute
// them again and compare.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const STAMP = "stamp.txt";

// what goes into the bundle
export const SOURCES = [
  "index.html",
  "package-lock.json",
  "package.json",
  "public",
  "src",
  "stamp.js",
  "svelte.config.js",
  "tsconfig.json",
  "vite.config.ts",
];

// what goes into the notebook's widget: it takes parts of the page, and is a module of its own
export const WIDGET_SOURCES = [
  "package-lock.json",
  "package.json",
  "src",
  "stamp.js",
  "tsconfig.json",
  "widget",
];

// what the checks read; the versions of their tools are in the lock file
export const CHECKED = [
  ...SOURCES,
  ".npmrc",
  ".prettierignore",
  ".prettierrc.json",
  "api",
  "checked.js",
  "eslint.config.js",
  "widget",
];

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => name !== "__pycache__");
  return names.flatMap((name) => filesUnder(root, `${path}/${name}`));
}

/**
 * @param {string} root
 * @param {string[]} names files and folders under the root
 */
export function stampOf(root, names) {
  const hash = createHash("sha256");
  for (const path of names.flatMap((name) => filesUnder(root, name)).sort()) {
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * The stamp of a built bundle: all its files but the stamp itself.
 *
 * @param {string} folder
 */
export function stampOfBundle(folder) {
  const names = readdirSync(folder).filter((name) => name !== STAMP);
  return stampOf(folder, names);
}
