import { useTranslation } from "react-i18next";
import { day } from "@/lib/format";
import type { Check } from "@/lib/api";
import { addressOf, ProvisionLink, useTitles } from "@/parts/law";

type Props = {
  act: string;
  number: string;
  /** ISO days: for which it was looked up, since when it has its wording, and the last day of that. */
  on: string;
  from?: string | undefined;
  until?: string | undefined;
  status?: string | undefined;
  /** True if the server has its official text. */
  held?: boolean | undefined;
};

/** A provision on which an answer relies, with the dates of its wording; opens it as it was on that day. */
export function Source({ act, number, on, from = "", until = "", status = "", held = false }: Props) {
  const { t } = useTranslation("conversation");
  const { inAct } = useTitles();
  const said = [
    t("source.on", { day: day(on) }),
    from !== "" &&
      (until === ""
        ? t("source.since", { day: day(from) })
        : t("source.between", { from: day(from), until: day(until) })),
    status === "omitted" && t("source.omitted"),
    status === "not_commenced" && t("source.notCommenced"),
    held ? t("source.words") : t("source.digest"),
  ].filter((words) => words !== false);
  return (
    <>
      <ProvisionLink address={{ act, number }} on={on}>
        {inAct(act, number)}
      </ProvisionLink>{" "}
      <span className="text-ink-soft">{said.join(" · ")}</span>
    </>
  );
}

/** Any more are folded. */
const most = 6;

/**
 * The provisions that an answer cites, each with the dates of the wording that was checked; they open next to the
 * answer.
 */
export function Sources({ checks }: { checks: Check[] }) {
  const { t } = useTranslation("conversation");
  const all = new Map<string, Props>();
  for (const { code, act, provision, on, ...days } of checks) {
    const address = code === "provision" ? addressOf(act, provision) : null;
    if (address === null || on === undefined) continue;
    all.set(`${address.act} ${address.number}`, { ...address, on, ...days });
  }
  if (all.size === 0) return null;
  return (
    <details open={all.size <= most} className="mt-4 max-w-2xl text-[0.9375rem]">
      <summary className="w-fit cursor-pointer rounded py-1">{t("source.title")}</summary>
      <ul className="mt-1 space-y-1">
        {[...all].map(([key, source]) => (
          <li key={key}>
            <Source {...source} />
          </li>
        ))}
      </ul>
    </details>
  );
}
