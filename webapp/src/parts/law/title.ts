import { useTranslation } from "react-i18next";
import type { LawAct } from "@/lib/api";
import { term } from "@/lib/terms";
import { acts, numberName } from "./address";

/** Returns functions that name a provision: "Section 16(4)", and with its Act "Section 16(4), CGST Act". */
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
    /** The same if only the id of the Act is known. */
    inAct: (id: string, number: string) => whole({ id, ...(acts[id] ?? { short: id, unit: "section" }) }, number),
  };
}

/** Returns the short name of an Act; for a State's Act only the id is known, which is its name. */
export const shortOf = ({ id, short }: Pick<LawAct, "id" | "short">): string =>
  short === id
    ? id.replace(/_gst$/, " GST Act").replace(/(^|_| )[a-z]/g, (letter) => letter.replace("_", " ").toUpperCase())
    : term(short);
