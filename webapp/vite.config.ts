import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin, ProxyOptions } from "vite";
import { defineConfig } from "vitest/config";
import { compressed, weighed } from "./build.ts";

const server = process.env.MUNSHI_SERVER_ADDRESS ?? "127.0.0.1:8080";

const pdfjs = path.resolve(import.meta.dirname, "node_modules/pdfjs-dist");
const { version } = JSON.parse(readFileSync(path.join(pdfjs, "package.json"), "utf8")) as { version: string };
// With its version in the name the file never changes, as the server promises for everything in assets.
const pdfFolder = `assets/pdfjs-${version}`;

/** Requests that `npm run dev` forwards to the product; if none is running, it says how to start one. */
const toProduct: ProxyOptions = {
  target: `http://${server}`,
  changeOrigin: false,
  configure: (proxy) => {
    proxy.on("error", (_error, _request, answer) => {
      if (!("headersSent" in answer) || answer.headersSent) return;
      answer.writeHead(502, { "Content-Type": "text/plain; charset=utf-8" });
      answer.end(
        `No product answers at http://${server}. Start it with "make run", or set MUNSHI_SERVER_ADDRESS to where it is.\n`,
      );
    });
  },
};

/**
 * Copies the files that pdf.js fetches by name when a document needs them: decoders of pictures, colours, the
 * standard fonts.
 */
function pdfParts(): Plugin {
  return {
    name: "pdf-parts",
    generateBundle() {
      for (const folder of ["wasm", "iccs", "standard_fonts"]) {
        for (const file of readdirSync(path.join(pdfjs, folder))) {
          if (file.startsWith("quickjs")) continue; // runs the scripts of PDFs, which we never do
          this.emitFile({
            type: "asset",
            fileName: `${pdfFolder}/${folder}/${file}`,
            source: readFileSync(path.join(pdfjs, folder, file)),
          });
        }
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), pdfParts(), compressed(), weighed()],
  define: { __PDF_PARTS__: JSON.stringify(pdfFolder) },
  resolve: {
    alias: {
      "@test": path.resolve(import.meta.dirname, "test"),
      "@messages": path.resolve(import.meta.dirname, "../orchestrator/message"),
      "@": path.resolve(import.meta.dirname, "src"),
    },
  },
  // The landing page is rendered by the server, with the assets that were built for it.
  server: {
    proxy: Object.fromEntries(["/api", "^/(\\?.*)?$", "/assets/"].map((path) => [path, toProduct])),
    fs: { allow: [".", "../orchestrator/message"] },
  },
  build: {
    target: "es2022",
    // A data: URI would need an exception in the Content-Security-Policy's font-src.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true, // in which the server's landing page finds its assets
    rolldownOptions: { input: ["index.html", "landing/landing.ts"] },
  },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://munshi.test/" } },
    setupFiles: ["./test/setup.ts"],
    testTimeout: 90_000,
    maxWorkers: "100%", // by default one core stays idle
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    // A page and its modules for each worker: half the time; a test that leaves something behind is faulty.
    isolate: false,
  },
});
