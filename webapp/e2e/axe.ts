import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * Reads the serious and critical violations that axe finds on a screen, and where they are. A second theme is
 * checked for colours only.
 */
export async function grave(
  page: Page,
  { colours = false } = {},
): Promise<{ id: string; help: string; where: string[] }[]> {
  // Something half faded in has no contrast yet; endless animations are not waited for.
  const still = () =>
    document
      .getAnimations()
      .every((a) => a.playState !== "running" || a.effect?.getComputedTiming().endTime === Infinity);
  await page.waitForFunction(still, undefined, { timeout: 1500 }).catch(() => undefined);
  // The transparent letters over a paper's picture are only for selecting: there are hundreds, which take seconds
  // each time. Legacy mode skips frames, of which there are none, and needs no second page to combine results.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .exclude(".textLayer span");
  const { violations } = await (colours ? axe.withRules(["color-contrast", "link-in-text-block"]) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ target }) => target.join(" ")) }));
}

/**
 * Finds words and controls that a person cannot reach by scrolling: they lie beside the screen, or are cut off in an
 * element that does not scroll. The page itself never scrolls sideways; a table may, in a frame of its own.
 */
export async function lost(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found = new Set<string>();
    const { innerWidth: width, innerHeight: height } = window;
    if (document.documentElement.scrollWidth > width)
      found.add(`the page is ${String(document.documentElement.scrollWidth)} wide`);
    const words = (element: Element) => (element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 60);
    const own = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== "");
    const dots = (element: Element) =>
      getComputedStyle(element).textOverflow === "ellipsis" || getComputedStyle(element).webkitLineClamp !== "none";
    // A frame that scrolls down also scrolls sideways unless its style forbids it: content that would need that is
    // out of sight.
    const meantSideways = (frame: Element) =>
      frame.matches("pre, .table-scroll") || /\boverflow-(x-)?auto\b/.test(frame.className);
    for (const element of document.body.querySelectorAll("*")) {
      if (
        !(element instanceof HTMLElement) ||
        !(own(element) || element.matches("a, button, input, select, textarea, [tabindex='0']"))
      )
        continue;
      if (
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        element.closest("[inert], [aria-hidden=true], .textLayer") !== null
      )
        continue;
      const box = element.getBoundingClientRect();
      // for screen readers only, or shown when it has the focus
      if (box.width <= 1 || box.height <= 1 || box.bottom <= 0) continue;
      // Clips to the part that the frames around it show, or show after scrolling.
      let [left, right, top, bottom] = [-Infinity, Infinity, -Infinity, Infinity];
      let [sideways, down, shortened] = [false, false, dots(element)];
      for (let frame = element.parentElement; frame !== null; frame = frame.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(frame);
        const edge = frame.getBoundingClientRect();
        shortened ||= dots(frame) || edge.width <= 1;
        if (meantSideways(frame)) sideways = true;
        else if (overflowX !== "visible" && !sideways)
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        if (overflowY === "auto" || overflowY === "scroll") down = true;
        else if (overflowY !== "visible" && !down)
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        if (position === "fixed") break;
      }
      if (!sideways) [left, right] = [Math.max(left, 0), Math.min(right, width)];
      const fixed = element.closest("[role=dialog]") !== null;
      if (fixed && !down) [top, bottom] = [Math.max(top, 0), Math.min(bottom, height)];
      if (shortened) continue; // which shows that there is more, or is for screen readers only
      if (box.left < left - 1 || box.right > right + 1) found.add(`beside: ${words(element)}`);
      else if (box.top < top - 1 || box.bottom > bottom + 1) found.add(`cut off: ${words(element)}`);
      else if (getComputedStyle(element).overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1)
        found.add(`cut short: ${words(element)}`);
    }
    return [...found];
  });
}
