import { say } from "@/lib/message";

/** The facts of a notice that this screen shows, with the person's corrections. */
export type Facts = {
  form: string | null;
  reference: string | null;
  din: string | null;
  issueDate: string | null;
  servedOn: string | null;
  /** The portions of the tax with their dates, as the person gave them. */
  portions: Portion[];
  gstin: string | null;
  gstinValid: boolean | null;
  legalName: string | null;
  tradeName: string | null;
  officer: { name: string | null; designation: string | null; jurisdiction: string | null };
  periods: string[];
  demand: Demand | null;
  replyDue: { date: string | null; source: "printed" | "computed" | "unknown"; basis: string | null };
  hearing: { date: string; time: string | null; venue: string | null } | null;
  flags: { code: string; message: string; page: number | null }[];
  evidence: Partial<Record<string, Place>>;
  /** Fields on pages read by text recognition that nobody has confirmed or corrected. */
  unsure: string[];
  /** What was originally read, for corrected fields. */
  corrected: Partial<Record<string, unknown>>;
  confirmed: string[];
  /** True if the paper is a notice at all; null if this was not asked. */
  isNotice: "yes" | "no" | "doubtful" | null;
  /** Possible values of fields that are open, best first, preceded by what a model proposed and the program found. */
  candidates: Partial<Record<string, Candidate[]>>;
  /** What a person must settle. */
  attention: Need[];
  /** The date for reminders; null if there is none. */
  watch: { date: string; what: "reply" | "hearing"; settled: boolean } | null;
};

export type Candidate = { value: string; page: number; quote: string; proposed?: true };
export type Need = { code: string; page: number | null };

/** A portion of tax or credit: its name, its amount in paise, and from when to when it was unpaid. */
export type Portion = { label: string; head: string; paise: number; kind: PortionKind; from: string; to: string };
export const portionKinds = ["short_paid", "late_return", "credit"] as const;
export type PortionKind = (typeof portionKinds)[number];

/** The heads of tax, as in notices. */
export const heads = ["IGST", "CGST", "SGST", "UTGST", "CESS"] as const;

export type Place = { page: number; quote: string; repaired: boolean };
export type DemandRow = { head: string; tax: number; interest: number; penalty: number; fee: number; other: number };
/** leftOpen lists the kinds of amount that are claimed without a sum. */
export type Demand = { rows: DemandRow[]; total: number | null; leftOpen?: (typeof parts)[number][] };

/** The kinds of amount in a row of the demand, in the order in which they are shown. */
export const parts = ["tax", "interest", "penalty", "fee", "other"] as const satisfies (keyof DemandRow)[];

export const sumOf = (row: DemandRow): number => parts.reduce((sum, part) => sum + row[part], 0);

// One wrong letter in these can lose a case, so a person checks them if they were read by text recognition.
const checked = ["reply_due", "issue_date", "gstin", "reference", "din"];

/**
 * Reads the facts from a conversation's JSON. Missing or malformed values become null or empty, since a missing fact is
 * better than a wrong one. Returns null if there are no facts at all.
 */
export function readFacts(json: unknown): Facts | null {
  if (!isRecord(json)) return null;
  const officer = record(json.officer);
  const due = record(json.reply_due);
  const hearing = record(json.hearing);
  const hearingDate = text(hearing.date);
  const evidence = readEvidence(json.evidence);
  const recognised = new Set(list(json.ocr_pages));
  const corrected = record(json.corrected);
  const confirmed = texts(json.confirmed);
  const source = due.source === "printed" || due.source === "computed" ? due.source : "unknown";
  return {
    form: text(json.form),
    reference: text(json.reference),
    din: text(json.din),
    issueDate: text(json.issue_date),
    servedOn: text(json.served_on),
    portions: list(json.portions).flatMap(readPortion),
    gstin: text(json.gstin),
    gstinValid: typeof json.gstin_valid === "boolean" ? json.gstin_valid : null,
    legalName: text(json.legal_name),
    tradeName: text(json.trade_name),
    officer: {
      name: text(officer.name),
      designation: text(officer.designation),
      jurisdiction: text(officer.jurisdiction),
    },
    periods: list(json.periods).flatMap((period) => text(record(period).fy) ?? []),
    demand: readDemand(json.demand),
    replyDue: { date: text(due.date), source, basis: say(due.said) || text(due.basis) },
    hearing: hearingDate === null ? null : { date: hearingDate, time: text(hearing.time), venue: text(hearing.venue) },
    flags: list(json.flags).flatMap((flag) => {
      const message = say(record(flag).said) || text(record(flag).message);
      const page = number(record(flag).page);
      // 0: no single page
      return message === null ? [] : [{ code: text(record(flag).code) ?? "", message, page: page === 0 ? null : page }];
    }),
    evidence,
    unsure: checked.filter((field) => {
      const place = evidence[field];
      return place !== undefined && recognised.has(place.page) && !(field in corrected) && !confirmed.includes(field);
    }),
    corrected,
    confirmed,
    isNotice: (["yes", "no", "doubtful"] as const).find((one) => one === record(json.is_notice).answer) ?? null,
    candidates: readCandidates(
      json.candidates,
      json.proposed,
      (field) => field in corrected || confirmed.includes(field),
    ),
    attention: list(json.attention).flatMap((need) => {
      const code = text(record(need).code);
      const page = number(record(need).page);
      return code === null ? [] : [{ code, page: page === 0 ? null : page }];
    }),
    watch: readWatch(json.watch),
  };
}

function readCandidates(candidates: unknown, proposed: unknown, settled: (field: string) => boolean) {
  const read: Facts["candidates"] = Object.fromEntries(
    Object.entries(record(candidates)).map(([field, open]) => [field, list(open).flatMap(readCandidate)]),
  );
  for (const [field, json] of Object.entries(record(proposed))) {
    const [proposal] = readCandidate(json);
    if (proposal === undefined || settled(field)) continue;
    const others = (read[field] ?? []).filter(({ value }) => value !== proposal.value);
    read[field] = [{ ...proposal, proposed: true }, ...others];
  }
  return read;
}

function readCandidate(json: unknown): Candidate[] {
  const value = text(record(json).value);
  const page = number(record(json).page);
  return value === null || page === null ? [] : [{ value, page, quote: text(record(json).quote) ?? "" }];
}

function readWatch(json: unknown): Facts["watch"] {
  const watch = record(json);
  const date = text(watch.date);
  if (date === null) return null;
  return { date, what: watch.what === "hearing" ? "hearing" : "reply", settled: watch.settled === true };
}

function readPortion(json: unknown): Portion[] {
  const part = record(json);
  const head = text(part.head);
  const paise = number(part.paise);
  const kind = portionKinds.find((one) => one === part.kind);
  if (head === null || paise === null || kind === undefined) return [];
  return [{ label: text(part.label) ?? "", head, paise, kind, from: text(part.from) ?? "", to: text(part.to) ?? "" }];
}

function readEvidence(json: unknown): Facts["evidence"] {
  const places: Facts["evidence"] = {};
  for (const [field, value] of Object.entries(record(json))) {
    const place = record(value);
    const page = number(place.page);
    if (page !== null && page > 0)
      places[field] = { page, quote: text(place.quote) ?? "", repaired: place.repaired === true };
  }
  return places;
}

/** Reads a demand; null if the notice has none. */
export function readDemand(json: unknown): Demand | null {
  if (!isRecord(json)) return null;
  const rows = list(json.rows).flatMap((row): DemandRow[] => {
    const fields = record(row);
    const head = text(fields.head);
    if (head === null) return [];
    const amount = (key: string) => number(fields[key]) ?? 0;
    return [
      {
        head,
        tax: amount("tax"),
        interest: amount("interest"),
        penalty: amount("penalty"),
        fee: amount("fee"),
        other: amount("other"),
      },
    ];
  });
  const total = number(json.total);
  const open = list(json.left_open);
  const leftOpen = parts.filter((part) => open.includes(part));
  return rows.length === 0 && (total === null || total === 0)
    ? null
    : { rows, total, ...(leftOpen.length > 0 && { leftOpen }) };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

export function texts(value: unknown): string[] {
  return list(value).flatMap((item) => text(item) ?? []);
}

export function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
