import { spoken } from "@/lib/i18n";

/** A section or rule, or a part of one: the Act's id in the API, and the number, such as 16(2)(aa). */
export type Address = { act: string; number: string };

/** The Acts and Rules that can be opened, by id: their names in the server's checks, and the unit of their parts. */
export const acts: Partial<Record<string, { short: string; unit: "section" | "rule" }>> = {
  cgst: { short: "CGST Act", unit: "section" },
  igst: { short: "IGST Act", unit: "section" },
  utgst: { short: "UTGST Act", unit: "section" },
  cess: { short: "Compensation Cess Act", unit: "section" },
  cgst_rules: { short: "CGST Rules", unit: "rule" },
  igst_rules: { short: "IGST Rules", unit: "rule" },
};

const ids = new Map(Object.entries(acts).map(([id, act]) => [act?.short, id]));

const number = String.raw`\d{1,3}[A-Z]{0,3}(?:\([0-9A-Za-z]{1,6}\))*`;
const named = new RegExp(`^(?:section|rule) (${number})$`);

/**
 * Returns the address of a provision as the server names it ("CGST Act", "section 16(2)(aa)"); null if it cannot be
 * opened.
 */
export function addressOf(act: string | undefined, provision: string | undefined): Address | null {
  const id = ids.get(act ?? "");
  const found = named.exec(provision ?? "")?.[1];
  return id === undefined || found === undefined ? null : { act: id, number: found };
}

const actName = [...ids.keys()].join("|");
const cited = new RegExp(`(?:(${actName}) )?\\b([sr])\\.(${number})|(?:, | and )((?:\\([0-9A-Za-z]{1,6}\\))+)`, "g");

/**
 * Finds the provisions named in the basis of a rule, in order, with the words for each: "s.74(5), (6)" names 74(5) and
 * 74(6). Sections belong to the CGST Act and rules to the CGST Rules unless another is named.
 */
export function addressesIn(basis: string): { address: Address; words: string }[] {
  const found: { address: Address; words: string }[] = [];
  let end = -1;
  for (const match of basis.matchAll(cited)) {
    const [whole, act, unit, full, part] = match;
    const last = found.at(-1);
    // A preceding name of another Act, as in "Finance Act 2025 s.129", excludes it.
    const foreign =
      act === undefined && /\b(?:Act|Rules|Act,? \d{4}|Rules,? \d{4}) $/.test(basis.slice(0, match.index));
    if (full !== undefined && !foreign) {
      found.push({
        address: { act: ids.get(act ?? "") ?? (unit === "r" ? "cgst_rules" : "cgst"), number: full },
        words: full,
      });
      end = match.index + whole.length;
    } else if (part !== undefined && last !== undefined && end === match.index) {
      const [root = ""] = last.address.number.split("(");
      found.push({ address: { ...last.address, number: root + part }, words: part });
      end += whole.length;
    }
  }
  return found;
}

/**
 * Splits a text at the words of the provisions that it names; it works in every language, since the numbers are the
 * same.
 */
export function cutAt(shown: string, found: { address: Address; words: string }[]): (string | Cut)[] {
  const pieces: (string | Cut)[] = [];
  let at = 0;
  for (const { address, words } of found) {
    const from = shown.indexOf(words, at);
    if (from < 0) continue;
    const unit = /(?:s\.|r\.|धारा |नियम )$/.exec(shown.slice(at, from))?.[0].length ?? 0;
    if (from - unit > at) pieces.push(shown.slice(at, from - unit));
    at = from + words.length;
    pieces.push({ address, text: shown.slice(from - unit, at) });
  }
  if (at < shown.length) pieces.push(shown.slice(at));
  return pieces;
}

export type Cut = { address: Address; text: string };

/** Formats a number for people: the digest's 15(Expl) becomes "15, Explanation". */
export function numberName(written: string): string {
  const explanation = spoken() === "hi" ? "स्पष्टीकरण" : "Explanation";
  return written.replace(/ ?\(Expl\)| Explanation/, `, ${explanation}`);
}

/** Returns the path of a provision's page, as on a day or today. */
export function pageOf({ act, number }: Address, on: string | null = null): string {
  const path = `/app/law/${encodeURIComponent(act)}/${encodeURIComponent(number)}`;
  return on === null ? path : `${path}?on=${on}`;
}
