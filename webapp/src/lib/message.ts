import i18next from "i18next";
import { day, money, month } from "./format";
import { spoken } from "./i18n";

/**
 * A message from the server to a person: a code in its catalogue (orchestrator/message), the values of its
 * placeholders, and the English text. A text that is data has a Hindi text instead of a code.
 */
export type Message = { code: string; params: Record<string, unknown>; en: string; hi: string };

/**
 * Reads a message from JSON. A plain string, as in older answers, becomes a message without a code. Null if there is
 * none.
 */
export function readMessage(json: unknown): Message | null {
  if (typeof json === "string") return json === "" ? null : { code: "", params: {}, en: json, hi: "" };
  if (!isRecord(json)) return null;
  const { code, params, en, hi } = json;
  const message = {
    code: typeof code === "string" ? code : "",
    params: isRecord(params) ? params : {},
    en: typeof en === "string" ? en : "",
    hi: typeof hi === "string" ? hi : "",
  };
  return message.code === "" && message.en === "" ? null : message;
}

/** Returns the text of a server message in the current language; in English if it has no translation, "" for none. */
export function say(json: unknown): string {
  const message = readMessage(json);
  if (message === null) return "";
  if (spoken() === "en") return message.en;
  return sayIn(message) ?? (message.hi !== "" ? message.hi : message.en);
}

/** Returns a value of a server message in the current language; undefined if the message has no such value. */
export function valueOf(json: unknown, name: string): string | undefined {
  const value = readMessage(json)?.params[name];
  return value === undefined ? undefined : String(sayValue(value));
}

/**
 * Returns the name of a provision, such as "CGST Act s.73(2)", with its words ("section", "Act") in the current
 * language.
 */
export function citation(name: string): string {
  const words = bundle("citations");
  return name.replace(namesOf(words), (_, before: string, found: string) => before + (words[found] ?? found));
}

function sayIn({ code, params }: Message): string | undefined {
  const options = { ns: "messages", lng: spoken(), fallbackLng: [], ...params } as const;
  if (code === "" || !has(code, options)) return undefined;
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, sayValue(value)]));
  return translate(code, { ...options, ...values }).trim();
}

// The codes come from the server, so their types are not known here.
type Options = Record<string, unknown>;
const translate = (code: string, options: Options) =>
  (i18next.t as (code: string, options: Options) => string).call(i18next, code, options);
const has = (code: string, options: Options) =>
  (i18next.exists as (code: string, options: Options) => boolean).call(i18next, code, options);

function sayValue(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (typeof value.date === "string") return day(value.date);
  if (typeof value.month === "string") return month(value.month);
  if (typeof value.paise === "number") return money(value.paise / 100);
  if (typeof value.cite === "string") return citation(value.cite);
  if (Array.isArray(value.list)) return together(value.list.map(sayValue), String(value.by));
  return say(value);
}

function together(said: unknown[], by: string): string {
  if (by !== "and" || said.length < 2) return said.join(by);
  return `${said.slice(0, -1).join(", ")} ${translate("and", { ns: "messages" })} ${String(said.at(-1))}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const bundle = (group: string): Record<string, string> =>
  ((i18next.getResourceBundle(spoken(), "messages") as Record<string, unknown> | undefined)?.[group] ?? {}) as Record<
    string,
    string
  >;

const found = new WeakMap<object, RegExp>();

/** Matches the words in names of provisions, longest first. */
function namesOf(words: Record<string, string>): RegExp {
  let names = found.get(words);
  if (names === undefined) {
    const keys = Object.keys(words).sort((a, b) => b.length - a.length);
    const literal = (key: string) => key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const alternatives = keys.map((key) => literal(key) + (/[A-Za-z]$/.test(key) ? "(?![A-Za-z])" : ""));
    names = keys.length === 0 ? /(?!)/ : new RegExp(`(^|[^A-Za-z])(${alternatives.join("|")})`, "g");
    found.set(words, names);
  }
  return names;
}
