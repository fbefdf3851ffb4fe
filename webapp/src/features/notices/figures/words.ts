import type { TFunction } from "i18next";
import { money, month } from "@/lib/format";

/** Formats paise as rupees. */
export const rupees = (paise: number): string => money(paise / 100);

/** Formats paise as people say it: in lakh and crore with one decimal, or in whole rupees. */
export function said(paise: number, t: TFunction<"figures">): string {
  const amount = Math.abs(paise) / 100;
  const rounded = (value: number) => String(Math.round(value * 10) / 10);
  const sign = paise < 0 ? "−" : "";
  if (amount >= 1e7) return sign + t("crore", { amount: rounded(amount / 1e7) });
  if (amount >= 1e5) return sign + t("lakh", { amount: rounded(amount / 1e5) });
  return sign + money(Math.round(amount));
}

/** Adds up the heads. */
export const sum = (tax: number[] | null): number => (tax ?? []).reduce((all, paise) => all + paise, 0);

/** Formats months as April 2023 – March 2024. */
export const span = (from: string, to: string): string =>
  from === "" ? "" : from === to ? month(from) : `${month(from)} – ${month(to)}`;
