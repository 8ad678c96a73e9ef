import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { stampOf } from "./stamp";

const here = fileURLToPath(new URL(".", import.meta.url));

// The bundle goes into the Python package, so that installing it needs no Node.
export default defineConfig({
  base: "./",
  plugins: [
    svelte(),
    {
      name: "source-stamp",
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "stamp.txt", source: stampOf(here) + "\n" });
      },
    },
  ],
  build: {
    outDir: process.env.OVERBET_BUNDLE ?? "../src/overbet/interfaces/web/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy knows no data: addresses
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: true,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8765", changeOrigin: true } } },
});
