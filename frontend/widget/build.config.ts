import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { STAMP, stampOf, stampOfBundle, WIDGET_SOURCES } from "../stamp.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(here, "..");
const bundle = resolve(root, process.env.OVERBET_WIDGET ?? "../src/overbet/interfaces/notebook/static");

// One module with its styles in it: a notebook loads nothing beside it.
export default defineConfig({
  root,
  publicDir: false,
  plugins: [
    svelte({
      configFile: false,
      preprocess: vitePreprocess({ style: false }),
      compilerOptions: { css: "injected" },
    }),
    {
      name: "source-stamp",
      apply: "build",
      closeBundle() {
        const text = `sources ${stampOf(root, WIDGET_SOURCES)}\nbundle ${stampOfBundle(bundle)}\n`;
        writeFileSync(join(bundle, STAMP), text);
      },
    },
  ],
  build: {
    outDir: bundle,
    emptyOutDir: true,
    target: "es2022",
    minify: "esbuild",
    lib: { entry: resolve(here, "index.ts"), formats: ["es"], fileName: () => "grid.js" },
  },
});
