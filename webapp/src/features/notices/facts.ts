/** What the program itself read from a notice: the part of the facts that this screen shows. */
export type Facts = {
  form: string | null;
  reference: string | null;
  issueDate: string | null;
  gstin: string | null;
  gstinValid: boolean | null;
  addressee: string | null;
  officer: { name: string | null; designation: string | null; jurisdiction: string | null };
  demand: { rows: DemandRow[]; total: number | null } | null;
  replyDue: { date: string | null; source: "printed" | "computed" | "unknown"; basis: string | null; page: number | null; quote: string | null };
  hearing: { date: string | null; time: string | null } | null;
  flags: { message: string; page: number | null }[];
};

export type DemandRow = { head: string; tax: number; interest: number; penalty: number; fee: number; other: number };

/**
 * Reads the facts out of a conversation's JSON. What is missing or of another shape becomes null or
 * empty, since a fact that is not there is better than a wrong one; null when there are no facts at all.
 */
export function readFacts(json: unknown): Facts | null {
  if (!isRecord(json)) return null;
  const officer = record(json.officer);
  const due = record(json.reply_due);
  const hearing = record(json.hearing);
  const evidence = record(json.evidence);
  const source = due.source === "printed" || due.source === "computed" ? due.source : "unknown";
  return {
    form: text(json.form),
    reference: text(json.reference) ?? text(json.din),
    issueDate: text(json.issue_date),
    gstin: text(json.gstin),
    gstinValid: typeof json.gstin_valid === "boolean" ? json.gstin_valid : null,
    addressee: text(json.legal_name) ?? text(json.trade_name),
    officer: { name: text(officer.name), designation: text(officer.designation), jurisdiction: text(officer.jurisdiction) },
    demand: readDemand(json.demand),
    replyDue: { date: text(due.date), source, basis: text(due.basis), page: number(record(evidence.reply_due).page), quote: text(record(evidence.reply_due).quote) },
    hearing: text(hearing.date) === null ? null : { date: text(hearing.date), time: text(hearing.time) },
    flags: list(json.flags).flatMap((flag) => {
      const message = text(record(flag).message);
      const page = number(record(flag).page);
      return message === null ? [] : [{ message, page: page === 0 ? null : page }]; // 0: it concerns no single page
    }),
  };
}

function readDemand(json: unknown): Facts["demand"] {
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
  return rows.length === 0 && (total === null || total === 0) ? null : { rows, total };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
