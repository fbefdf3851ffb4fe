import { useQuery } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { meOptions } from "@/lib/api";
import { dayOf } from "@/lib/format";
import { may } from "@/lib/may";
import { Button } from "@/lib/ui/button";
import { Subscribe } from "./Subscribe";

/** Announces the end of Premium some days before. */
export function RenewBanner() {
  const { t } = useTranslation("billing");
  const me = useQuery(meOptions()).data;
  const [open, setOpen] = useState(false);
  if (me?.ends_soon !== true || me.period_end === null || !may(me, "own")) return null;
  return (
    <aside
      aria-label={t("next")}
      className="flex items-center gap-3 border-b border-rule bg-due-soft/60 px-4 py-1.5 text-[0.9375rem] lg:px-6 print:hidden"
    >
      <BellRing aria-hidden className="size-4 shrink-0 text-due" />
      <span className="min-w-0 flex-1">{t("banner", { date: dayOf(me.period_end) })}</span>
      <Button
        size="small"
        onClick={() => {
          setOpen(true);
        }}
      >
        {t("renew")}
      </Button>
      {open && (
        <Subscribe
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </aside>
  );
}
