import { readMessage, say } from "@/lib/message";
import { list, number, record, text, texts } from "./facts";

/** What follows from a notice's facts today, in the language of the screen: dates, limitation and money. */
export type Reckoning = {
  asOf: string | null;
  overlaid: string[];
  deadlines: Deadline[];
  limitation: Limitation[];
  money: Sheet[];
};

export type Certainty = "sourced" | "knowledge" | "to be confirmed";

export type Deadline = {
  code: string;
  what: string;
  date: string | null;
  source: string;
  basis: string;
  provision: string;
  certainty: Certainty;
  uncertain: string[];
  followsService: boolean;
  holiday: { name: string; open: string; note: string } | null;
  paise: number | null;
  ifMissed: string;
  page: number | null;
};

export type Limitation = {
  fy: string;
  section: string;
  what: string;
  verdict: "in_time" | "in_time_by_extension" | "late" | "not_known";
  lastDay: string | null;
  extended: string | null;
  by: string;
  litigated: boolean;
  orderBy: string | null;
  basis: string;
  provision: string;
  uncertain: string[];
};

export type Sheet = {
  code: string;
  title: string;
  rows: SheetRow[];
  paise: number | null;
  rounding: string;
  uncertain: string[];
};

export type SheetRow = {
  /** The code of the label; empty for a person's own label, and for one from the law tables. */
  code: string;
  label: string;
  head: string;
  base: number | null;
  rate: string;
  from: string | null;
  to: string | null;
  days: number | null;
  paise: number | null;
  provision: string;
  note: string;
  missing: string[];
};

const certainties: readonly string[] = ["sourced", "knowledge", "to be confirmed"] satisfies Certainty[];
const verdicts: readonly string[] = [
  "in_time",
  "in_time_by_extension",
  "late",
  "not_known",
] satisfies Limitation["verdict"][];

/** Reads the brief's reckoning. Malformed rows are left out, since no date is better than a wrong one. */
export function readReckoning(json: unknown): Reckoning {
  const all = record(json);
  const law = record(all.law);
  return {
    asOf: text(law.as_of),
    overlaid: texts(law.overlaid),
    deadlines: list(all.deadlines).flatMap((row) => readDeadline(record(row)) ?? []),
    limitation: list(all.limitation).flatMap((row) => readLimitation(record(row)) ?? []),
    money: list(all.money).flatMap((row) => readSheet(record(row)) ?? []),
  };
}

function readDeadline(row: Record<string, unknown>): Deadline | null {
  const what = say(row.what);
  if (what === "") return null;
  const holiday = record(row.holiday);
  const name = say(holiday.name);
  const page = number(row.page);
  return {
    code: text(row.code) ?? "",
    what,
    date: text(row.date),
    source: text(row.source) ?? "unknown",
    basis: say(row.basis),
    provision: text(row.provision) ?? "",
    certainty: certainties.includes(String(row.certainty)) ? (row.certainty as Certainty) : "to be confirmed",
    uncertain: list(row.uncertain).map(say),
    followsService: row.follows_service === true,
    holiday: name === "" ? null : { name, open: text(holiday.open) ?? "", note: say(holiday.note) },
    paise: number(row.paise),
    ifMissed: say(row.if_missed),
    page: page === 0 ? null : page,
  };
}

function readLimitation(row: Record<string, unknown>): Limitation | null {
  const fy = text(row.fy);
  if (fy === null) return null;
  return {
    fy,
    section: text(row.section) ?? "",
    what: text(row.what) ?? "",
    verdict: verdicts.includes(String(row.verdict)) ? (row.verdict as Limitation["verdict"]) : "not_known",
    lastDay: text(row.last_day),
    extended: text(row.extended),
    by: text(row.extended_by) ?? "",
    litigated: row.litigated === true,
    orderBy: text(row.order_by),
    basis: say(row.basis),
    provision: text(row.provision) ?? "",
    uncertain: list(row.uncertain).map(say),
  };
}

function readSheet(row: Record<string, unknown>): Sheet | null {
  const title = say(row.title);
  if (title === "") return null;
  return {
    code: text(row.code) ?? "",
    title,
    paise: number(row.paise),
    rounding: say(row.rounding),
    uncertain: list(row.uncertain).map(say),
    rows: list(row.rows).map((item) => {
      const line = record(item);
      return {
        code: readMessage(line.label)?.code ?? "",
        label: say(line.label),
        head: text(line.head) ?? "",
        base: number(line.base),
        rate: say(line.rate),
        from: text(line.from),
        to: text(line.to),
        days: number(line.days),
        paise: number(line.paise),
        provision: text(line.provision) ?? "",
        note: say(line.note),
        missing: list(line.missing).map(say),
      };
    }),
  };
}
