import { day } from "@/lib/format";
import { spoken } from "@/lib/i18n";

/** The day of a moment in India, as an ISO date. */
export const indianDay = (timestamp: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(new Date(timestamp));

/** The day of the next payment, such as December 22, 2026; in Hindi 22 दिसंबर 2026. */
export const paymentDay = (timestamp: string): string =>
  spoken() === "hi"
    ? day(indianDay(timestamp))
    : new Intl.DateTimeFormat("en-US", {
        timeZone: "Asia/Kolkata",
        month: "long",
        day: "numeric",
        year: "numeric",
      }).format(new Date(timestamp));
