import { useTranslation } from "react-i18next";
import { day } from "@/lib/format";
import { ProvisionLink, useTitles } from "@/parts/law";

type Props = {
  act: string;
  number: string;
  /** ISO days: as on which it was read, since when it has read so, and its last. */
  on: string;
  from?: string | undefined;
  until?: string | undefined;
  status?: string | undefined;
  /** Whether its official words are held here. */
  held?: boolean | undefined;
};

/** A provision that an answer stands on: opens it as on the day that was read, and says which days those words are of. */
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
