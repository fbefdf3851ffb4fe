import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { grave, lost } from "./axe";

// `make gallery` (PICTURES=gallery): each of these states is kept on a desktop and on a phone, light and dark, and in
// Hindi, as the tests reach it, and bound into one page to flip through. Each of them is also checked for
// accessibility. Letters are drawn a little differently on every machine, so the pictures are for people and are not
// compared byte by byte; they stay out of git.

/** The states that are kept, by the names that the tests give them, in the order of the page. */
const states: Record<string, string> = {
  landing: "The landing page",
  "landing-hindi": "The landing page in Hindi",
  lawyer: "AI Lawyer, before the first question",
  "lawyer-conversation": "AI Lawyer, a conversation",
  empty: "Notice Analysis, empty",
  upload: "The upload dialog",
  refused: "The upload dialog, refusing what is no PDF",
  list: "The list of notices",
  answered: "A notice, analysed",
  evidence: "A fact's place in the notice",
  proposed: "What a model proposed for what was not read",
  "required-document": "Uploading a required document",
  failed: "A turn that failed",
  checks: "An answer with what could not be verified",
  "checks-opened": "What was found of a provision",
  "how-written": "How an answer was written, for operators",
  reply: "The reply, paragraph by paragraph",
  "reply-drafted": "The reply, drafted",
  "reply-editing": "The reply, a part being edited",
  "reply-versions": "The reply, what changed between its versions",
  "reply-out": "The reply, before it goes out",
  "drafting-empty": "AI Drafting, the form",
  "drafting-result": "AI Drafting, the draft",
  drafts: "Draft History",
  templates: "Templates",
  template: "A template",
  law: "The law, by Act and chapter",
  "law-search": "The law, searched",
  "law-provision": "A provision as on a day",
  "law-beside": "A provision beside the notice that cites it",
  "law-text": "A provision with its official text",
  "summary-home": "Document Summarizer, refusing what is no PDF",
  summary: "Document Summarizer, a summary",
  "summary-dates": "Document Summarizer, dates for the calendar",
  "plugin-form": "A plugin of files alone, its form",
  help: "The keys that work",
  limit: "Free Trial Limit Reached",
  "sign-in": "Signing in",
  "sign-up": "Signing up",
  password: "Changing the password",
  subscribe: "The subscribe dialog",
  sandbox: "The test payment, failed",
  activating: "A payment that is not confirmed yet",
  welcome: "Welcome to Premium",
  billing: "Billing & Usage",
  receipt: "A receipt",
  invoice: "A tax invoice",
  privacy: "Privacy & Data",
  "privacy-erase": "Erasing everything",
  "privacy-erased": "What was erased",
  training: "The Model Training Dashboard",
  "training-operator": "The cases of a run, held against another, for operators",
  "gate-broken": "What a changed prompt would break",
  "gate-held": "The operators' page while changed prompts are held",
  "gate-history": "Accuracy over time",
  "operator-link": "Becoming an operator",
  operators: "The operators' page",
  "operators-mistake": "A mistake in a prompt",
};

const places = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
// Where nothing may be cut off: the smallest phone, and the desktop's window at 200 % zoom.
const narrow = { "320 px": { width: 320, height: 640 }, "200 % zoom": { width: 720, height: 450 } };
const themes = ["light", "dark"] as const;

/**
 * The pictures of a state: English in both themes, Hindi in the light one. The Hindi landing page is a state of its
 * own.
 */
const looks = Object.keys(places).flatMap((place) => [
  ...themes.map((theme) => ({ language: "en", place, theme })),
  { language: "hi", place, theme: "light" },
]);
const isLanding = (name: string) => name.startsWith("landing");
const looksOf = (name: string) => looks.filter(({ language }) => language === "en" || !isLanding(name));

export const keeping = process.env.PICTURES === "gallery";
const folder = path.resolve(import.meta.dirname, "../screenshots/gallery");
const fileOf = (name: string, { language, place, theme }: (typeof looks)[number]) =>
  `${[name, place, theme, ...(language === "en" ? [] : [language])].join("-")}.png`;

/** Keeps a state's pictures, and restores the screen. It fails if something cannot be read or reached. */
export async function keep(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  if (!keeping || before === null || states[name] === undefined) return;
  const worn = await page.locator("html").getAttribute("data-theme");
  const [chosen, spoken] = await page.evaluate(
    () => [localStorage.getItem("munshi.language"), document.documentElement.lang] as const,
  );
  mkdirSync(folder, { recursive: true });
  for (const [place, size] of Object.entries(places)) {
    await page.setViewportSize(size);
    for (const language of isLanding(name) ? [spoken] : ["en", "hi"]) {
      if (!isLanding(name)) await speak(page, language, language);
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme });
        await wear(page, theme);
        const look = looksOf(name).find(
          (one) => one.place === place && one.theme === theme && (isLanding(name) || one.language === language),
        );
        if (look !== undefined)
          await page.screenshot({ path: path.join(folder, fileOf(name, look)), animations: "disabled" });
        if (place === "desk")
          expect
            .soft(await grave(page, { colours: theme === "dark" }), `${name} in ${language}, ${theme}: what axe finds`)
            .toEqual([]);
      }
      for (const [zoom, size] of place === "desk" ? [] : Object.entries(narrow)) {
        await page.setViewportSize(size);
        await wear(page, "light");
        expect.soft(await lost(page), `${name} in ${language} at ${zoom}: what is lost`).toEqual([]);
      }
      await page.setViewportSize(size);
    }
  }
  if (!isLanding(name)) await speak(page, chosen, spoken);
  await page.emulateMedia({ colorScheme: null });
  await wear(page, worn ?? "light");
  await page.setViewportSize(before);
}

/** Changes the language of the interface without a reload, as another tab does through the browser's storage. */
async function speak(page: Page, kept: string | null, language: string): Promise<void> {
  await page.evaluate((kept) => {
    const key = "munshi.language";
    if (kept === null) localStorage.removeItem(key);
    else localStorage.setItem(key, kept);
    dispatchEvent(new StorageEvent("storage", { key }));
  }, kept);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
}

/** Switches to a theme, also if the test chose another one; pages of documents are drawn again meanwhile. */
async function wear(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (theme) => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    document.documentElement.dataset.theme = theme;
    // A screen that may never ask for it.
    const pictures = [...document.images].filter((image) => image.loading !== "lazy");
    await Promise.all(pictures.map((image) => image.decode().catch(() => undefined)));
  }, theme);
}

/** Binds the pictures into one page; fails if a state was never reached. */
export function bind(): void {
  const missing = Object.keys(states).filter((name) =>
    looksOf(name).some((look) => !existsSync(path.join(folder, fileOf(name, look)))),
  );
  const sheets = Object.entries(states).filter(([name]) => !missing.includes(name));
  const figure = (name: string, look: (typeof looks)[number]) =>
    `<img class="${look.place}" src="${fileOf(name, look)}" alt="${look.place}, ${look.theme}${look.language === "hi" ? ", in Hindi" : ""}" loading="lazy">`;
  const sections = sheets.map(
    ([name, title]) =>
      `<section id="${name}"><h2>${title.replaceAll("&", "&amp;")}</h2><div>${looksOf(name)
        .map((look) => figure(name, look))
        .join("")}</div></section>`,
  );
  mkdirSync(folder, { recursive: true });
  const index = path.join(folder, "index.html");
  writeFileSync(
    index,
    `${head}<nav>${sheets.map(([name, title]) => `<a href="#${name}">${title.replaceAll("&", "&amp;")}</a>`).join("")}</nav><main>${sections.join("")}</main>${turn}`,
  );
  process.stdout.write(`\nThe gallery of ${String(sheets.length)} states: ${index}\n`);
  if (missing.length > 0) throw new Error(`no test came by these states: ${missing.join(", ")}`);
}

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Munshi, screen by screen</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 17rem 1fr; background: light-dark(#efe9dc, #111215); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem 0; box-sizing: border-box; }
nav a { display: block; padding: 0.25rem 1.25rem; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { background: light-dark(#23406e, #a8c0ec); color: light-dark(#fff, #14213a); }
section { min-height: 100vh; padding: 1rem 2rem 3rem 1rem; box-sizing: border-box; }
h2 { font: 600 1.5rem/1.3 Georgia, serif; margin: 0 0 1rem; }
div { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 1.25rem; align-items: start; justify-items: start; }
img { max-width: 100%; border-radius: 6px; box-shadow: 0 1px 12px rgb(0 0 0 / 0.25); }
img.phone { max-height: 80vh; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } div { grid-template-columns: 1fr; } }
</style><body>`;

// The arrow keys turn the pages.
const turn = `<script>
const sections = [...document.querySelectorAll("section")], links = [...document.querySelectorAll("nav a")];
let at = Math.max(0, sections.findIndex((one) => "#" + one.id === location.hash));
const go = (to) => { at = Math.min(Math.max(to, 0), sections.length - 1); sections[at].scrollIntoView(); };
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    at = sections.indexOf(target);
    links.forEach((link, i) => { link.ariaCurrent = i === at ? "true" : null; });
  }
}, { rootMargin: "-40% 0px -60% 0px" });
for (const one of sections) watch.observe(one);
addEventListener("keydown", (event) => { const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]; if (step) { event.preventDefault(); go(at + step); } });
</script>`;
