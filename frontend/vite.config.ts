import { svelte } from "@sveltejs/vite-plugin-svelte";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { SOURCES, STAMP, stampOf, stampOfBundle } from "./stamp.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const bundle = resolve(here, process.env.OVERBET_BUNDLE ?? "../src/overbet/interfaces/web/static");

// The bundle goes into the Python package, so that installing it needs no Node.
export default defineConfig({
  base: "./",
  plugins: [
    svelte(),
    {
      name: "source-stamp",
      apply: "build",
      closeBundle() {
        const text = `sources ${stampOf(here, SOURCES)}\nbundle ${stampOfBundle(bundle)}\n`;
        writeFileSync(join(bundle, STAMP), text);
      },
    },
  ],
  build: {
    outDir: bundle,
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy knows no data: addresses
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: true,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8765", changeOrigin: true } } },
});
