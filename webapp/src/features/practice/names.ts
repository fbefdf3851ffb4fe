import type { TFunction } from "i18next";
import type { MatterLine } from "@/lib/api";

/** Returns the name of a matter: the title that somebody gave it, or else its forms and years. */
export function matterName(
  matter: Pick<MatterLine, "title" | "forms" | "stage" | "first_year" | "last_year">,
  t: TFunction<"practice">,
): string {
  if (matter.title !== "") return matter.title;
  const forms = (matter.forms ?? []).filter((form, i, all) => form !== all[i - 1]);
  const years = yearsOf(matter, t);
  const parts = [forms.length === 0 ? t(`stages.${matter.stage}`) : forms.join(" → "), years];
  return parts.filter((part) => part !== null).join(" · ");
}

/** Returns the financial years of a matter or notice; null if none was read. */
export function yearsOf(
  { first_year: first, last_year: last }: Pick<MatterLine, "first_year" | "last_year">,
  t: TFunction<"practice">,
): string | null {
  return first === last ? first : t("years", { first, last });
}
