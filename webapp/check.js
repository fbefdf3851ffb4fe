// What `npm run lint` holds beside ESLint's rules: no module imports itself by way of others, and no text of the locale
// files is there that nothing shows.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The sources of a folder, by their paths. */
export function read(folder) {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes("/generated/"))
      .map((file) => [file, readFileSync(file, "utf8")]),
  );
}

/** Each circle of static imports, as the paths that it runs through; types alone do not count, since they are erased. */
export function circles(files, root) {
  const resolve = (from, name) => {
    const base = name.startsWith("@/") ? path.join(root, name.slice(2)) : path.resolve(path.dirname(from), name);
    return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((file) => files.has(file));
  };
  const imports = new Map(
    [...files].map(([file, text]) => [
      file,
      [...text.matchAll(/^(?:import|export)\s(?!type\b)(?:[^;"]*?\sfrom\s)?"([@.][^"]*)";/gm)]
        .map(([, name]) => resolve(file, name))
        .filter((target) => target !== undefined),
    ]),
  );
  const found = [];
  const done = new Set();
  const visit = (file, trail) => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file]);
      return;
    }
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of files.keys()) visit(file, []);
  return found;
}

/** The keys of a namespace as i18next finds them, without the endings of plurals. */
export function keysOf(texts, prefix = "") {
  const keys = Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [prefix + key.replace(/_(?:zero|one|other)$/, "")] : keysOf(value, `${prefix}${key}.`),
  );
  return [...new Set(keys)];
}

/** The keys that no source names, whole or by the beginning or the end that a template string has. */
export function unused(keys, source) {
  const templates = [...source.matchAll(/`(?:[a-z]+:)?([\w.]*)\$\{[^`}]*\}([\w.]*)`/gi)];
  const begun = templates.map(([, begin]) => begin).filter((begin) => begin !== "");
  const ended = templates
    .filter(([, begin]) => begin === "")
    .map(([, , end]) => end)
    .filter((end) => end.startsWith("."));
  const named = new Set([...source.matchAll(/["'`](?:[a-z]+:)?([\w. -]+)["'`]/gi)].map(([, key]) => key));
  return keys.filter(
    (key) =>
      !named.has(key) && !begun.some((begin) => key.startsWith(begin)) && !ended.some((end) => key.endsWith(end)),
  );
}

function check() {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const root = path.join(here, "src");
  const files = read(root);
  const problems = circles(files, root).map(
    (circle) => `imports run in a circle: ${circle.map((file) => path.relative(root, file)).join(" → ")}`,
  );
  const shown = [...files].filter(([file]) => !file.includes(".test.")).map(([, text]) => text);
  const landing = path.join(here, "landing/landing.ts");
  if (existsSync(landing) && statSync(landing).isFile()) shown.push(readFileSync(landing, "utf8"));
  const source = shown.join("\n");
  const locales = path.join(root, "locales/en");
  for (const file of readdirSync(locales)) {
    const texts = JSON.parse(readFileSync(path.join(locales, file), "utf8"));
    for (const key of unused(keysOf(texts), source)) problems.push(`locales/en/${file}: nothing shows "${key}"`);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) check();
