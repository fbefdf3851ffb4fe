import { useTranslation } from "react-i18next";
import type { LawAct } from "@/lib/api";
import { term } from "@/lib/terms";
import { acts, numberName } from "./address";

/** Gives what a provision is called: "Section 16(4)", and with its Act "Section 16(4), CGST Act". */
export function useTitles() {
  const { t } = useTranslation("law");
  const title = (unit: string, number: string) =>
    number.startsWith("Schedule")
      ? numberName(number)
      : t(unit === "rule" ? "rule" : "section", { number: numberName(number) });
  const whole = ({ id, short, unit }: Pick<LawAct, "id" | "short" | "unit">, number: string) =>
    t("of", { title: title(unit, number), act: shortOf({ id, short }) });
  return {
    title,
    whole,
    /** The same of an Act of which the id alone is at hand. */
    inAct: (id: string, number: string) => whole({ id, ...(acts[id] ?? { short: id, unit: "section" }) }, number),
  };
}

/** The short name of an Act; of a State's the id alone is known, which names it. */
export const shortOf = ({ id, short }: Pick<LawAct, "id" | "short">): string =>
  short === id
    ? id.replace(/_gst$/, " GST Act").replace(/(^|_| )[a-z]/g, (letter) => letter.replace("_", " ").toUpperCase())
    : term(short);
