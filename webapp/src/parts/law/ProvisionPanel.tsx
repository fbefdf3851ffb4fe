import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { day } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { SidePanel } from "@/lib/ui/side";
import { pageOf, type Address } from "./address";
import type { NoticeDays } from "./notice";
import { Provision, ProvisionFailed, ProvisionLoading } from "./Provision";
import { useTitles } from "./title";
import { useProvision } from "./useProvision";

type Props = {
  address: Address;
  days: NoticeDays | null;
  /** The day for which it is shown first; null for today. */
  first: string | null;
  edge: "left" | "right";
  onClose: () => void;
};

/** A provision next to what cites it: as it was for the notice or, on request, on the notice's date or today. */
export default function ProvisionPanel({ address, days, first, edge, onClose }: Props) {
  const { t } = useTranslation("law");
  const { whole } = useTitles();
  const [on, setOn] = useState(first);
  const { data, error, refetch } = useProvision(address, on);
  const period = days?.period ?? null;
  const choices = [
    period === null ? null : { on: period.to, label: t("days.period", { years: period.years }) },
    days?.issued == null ? null : { on: days.issued, label: t("days.issued") },
    { on: null, label: t("days.today") },
  ].filter((choice) => choice !== null);
  return (
    <SidePanel
      title={data === undefined ? address.number : whole(data.act, data.number)}
      closeLabel={t("close")}
      edge={edge}
      onClose={onClose}
    >
      {choices.length > 1 && (
        <div role="group" aria-label={t("days.label")} className="-mx-1 mb-3 flex flex-wrap gap-1">
          {choices.map((choice) => (
            <Button
              key={choice.label}
              look="quiet"
              size="small"
              aria-pressed={on === choice.on}
              className={cn(on === choice.on && "bg-accent-soft text-accent")}
              onClick={() => {
                setOn(choice.on);
              }}
            >
              {choice.label}
              {choice.on !== null && <span className="font-normal tabular-nums">{day(choice.on)}</span>}
            </Button>
          ))}
        </div>
      )}
      {data !== undefined ? (
        <>
          <Provision provision={data} period={on === period?.to ? period : null} level={3} onDay={setOn} />
          <p className="mt-6 border-t border-rule pt-3">
            <Link
              to={pageOf(address, on)}
              className="inline-flex min-h-9 items-center gap-2 text-[0.9375rem] text-accent underline-offset-4 hover:underline"
            >
              {t("openPage")}
              <ArrowRight aria-hidden className="size-4" />
            </Link>
          </p>
        </>
      ) : error === null ? (
        <ProvisionLoading />
      ) : (
        <ProvisionFailed error={error} onAgain={() => void refetch()} />
      )}
    </SidePanel>
  );
}
