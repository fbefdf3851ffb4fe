import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Manifest, Plugin } from "vite";

/** Writes a brotli and a gzip copy of each text file that becomes smaller by it, for the server to send unchanged. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        if (!entry.isFile() || !/\.(m?js|css|html|svg|wasm)$/.test(entry.name)) continue;
        const text = readFileSync(file);
        if (text.length < 1024) continue;
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
        // The decoders that few PDFs need are large, and the strongest brotli takes seconds for them.
        const quality = text.length > 600_000 ? 9 : 11;
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(text, {
            params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
          }),
        );
      }
    },
  };
}

// The limits for a first visit, gzipped: scripts and styles, without fonts and pictures.
const workspace = { most: 280_000, entries: ["index.html", "src/app/PluginTab.tsx"] };
const landing = { most: 15_000, entries: ["landing/landing.ts"] };
// Parts that are loaded only when they are used.
const later = ["src/parts/conversation/Markdown.tsx", "src/parts/document/pdf.tsx", "src/parts/draft/PartEditor.tsx"];

/** Fails the build if the first load of the workspace, or the scripts of the landing page, have become too large. */
export function weighed(): Plugin {
  return {
    name: "weighed",
    apply: "build",
    enforce: "post",
    writeBundle({ dir = "" }) {
      const list = path.join(dir, ".vite/manifest.json");
      if (!existsSync(list)) return; // written by one of Vite's own plugins, whose order we cannot choose
      const manifest = JSON.parse(readFileSync(list, "utf8")) as Manifest;
      const size = (file: string) => gzipSync(readFileSync(path.join(dir, file)), { level: 9 }).length;
      const sum = (files: Set<string>) => [...files].reduce((bytes, file) => bytes + size(file), 0);
      const first = needed(manifest, workspace.entries);
      const early = later.filter((source) => first.sources.has(source));
      if (early.length > 0)
        this.error(`the workspace's first load holds what should wait until it is used: ${early.join(", ")}`);
      const app = sum(first.files);
      const page = sum(new Set([...needed(manifest, landing.entries).files].filter((file) => file.endsWith(".js"))));
      this.info(`first load of the workspace ${kb(app)}, scripts of the landing page ${kb(page)}, gzipped`);
      if (app > workspace.most)
        this.error(
          `the workspace's first load is ${kb(app)} gzipped; it may be ${kb(workspace.most)}. Load with import() what is not seen at first.`,
        );
      if (page > landing.most)
        this.error(`the landing page's scripts are ${kb(page)} gzipped; they may be ${kb(landing.most)}`);
    },
  };
}

/** The files that the entries load at once: their own, and those that they import statically. */
function needed(manifest: Manifest, entries: string[]): { files: Set<string>; sources: Set<string> } {
  const files = new Set<string>();
  const sources = new Set<string>();
  const visit = (source: string) => {
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`the build has no ${source}`);
    if (sources.has(source)) return;
    sources.add(source);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const source of chunk.imports ?? []) visit(source);
  };
  for (const entry of entries) visit(entry);
  return { files, sources };
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
