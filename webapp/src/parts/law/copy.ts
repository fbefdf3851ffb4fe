import type { LawProvision } from "@/lib/api";

/** Returns a provision as text to copy: its words with the reference, the day, and the source. */
export function quotation(
  { text, digest, source, on }: LawProvision,
  say: {
    title: string;
    /** The digest, in the current language. */ digest: string;
    day: (iso: string) => string;
    asOn: (values: { title: string; day: string }) => string;
    from: (values: { source: string; day: string }) => string;
    ours: string;
  },
): string {
  const words = text?.words ?? "";
  const about = say.asOn({ title: say.title, day: say.day(on) });
  if (words !== "") {
    const origin =
      source === undefined
        ? ""
        : say.from({ source: source.publisher, day: say.day(text?.as_on ?? source.as_on ?? "") });
    return `“${words}”\n\n${[about, origin].filter((part) => part !== "").join(". ")}.`;
  }
  return digest === undefined ? `${about}.` : `${say.digest}\n\n${about}. ${say.ours}`;
}
