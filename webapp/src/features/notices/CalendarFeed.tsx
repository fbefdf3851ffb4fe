import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  calendarOptions,
  calendarQueryKey,
  meOptions,
  publicConfigOptions,
  renewCalendar,
  sentenceOf,
  wantMail,
} from "@/lib/api";
import { CopyButton } from "@/parts/conversation";
import { spoken } from "@/lib/i18n";
import { useOptimistic } from "@/lib/optimistic";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";

/** The address at which calendar programs read the dates of all open notices. */
export function CalendarFeed() {
  const { t } = useTranslation("notices");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        size="small"
        onClick={() => {
          setOpen(true);
        }}
      >
        <CalendarDays aria-hidden />
        {t("feed.open")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t("feed.title")} closeLabel={t("correct.close")}>
          <Address />
          <ByMail />
        </DialogContent>
      </Dialog>
    </>
  );
}

/** Switches mail reminders of reply dates on and off, for people with a confirmed address. */
function ByMail() {
  const { t } = useTranslation("notices");
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const { queryKey } = meOptions();
  const want = useOptimistic({
    keys: [queryKey],
    show: (queries, mail: boolean) => {
      queries.setQueryData(queryKey, (old) => old && { ...old, mail });
    },
    save: (wanted) => wantMail({ body: { wanted }, keepalive: true, throwOnError: true }),
    failed: t("feed.mailFailed"),
  });
  if (config?.mail !== true || me?.signed_in !== true) return null;
  return (
    <label className="mt-5 flex items-start gap-3 border-t border-rule pt-4 text-[0.9375rem]">
      <input
        type="checkbox"
        checked={me.mail}
        onChange={(event) => {
          want.mutate(event.target.checked);
        }}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      {t("feed.mail")}
    </label>
  );
}

function Address() {
  const { t } = useTranslation("notices");
  const queries = useQueryClient();
  const known = useQuery(calendarOptions());
  const renew = useMutation({
    mutationFn: async () => (await renewCalendar({ throwOnError: true })).data,
    onSuccess: (address) => {
      queries.setQueryData(calendarQueryKey(), address);
    },
  });
  const path = known.data?.path ?? null;
  const url = path === null ? null : `${location.origin}${path}?language=${spoken()}`;
  const error = renew.error ?? known.error;
  return (
    <div className="mt-2 space-y-3 text-[0.9375rem]">
      <p>{t("feed.hint")}</p>
      {url !== null && (
        <div>
          <label className="text-sm font-medium" htmlFor="feed">
            {t("feed.address")}
          </label>
          <input
            id="feed"
            readOnly
            value={url}
            className="mt-1 min-h-11 w-full rounded-lg border border-rule-strong/60 bg-margin px-3 text-sm"
            onFocus={(event) => {
              event.target.select();
            }}
          />
          <div className="mt-1 ml-3">
            <CopyButton text={url} label={t("feed.copy")} />
          </div>
        </div>
      )}
      <p className="text-sm text-ink-soft">{url === null ? t("feed.secret") : t("feed.renewHint")}</p>
      {error !== null && (
        <p role="alert" className="text-overdue">
          {sentenceOf(error, t("correct.failed"))}
        </p>
      )}
      <Button
        look={url === null ? "primary" : "outline"}
        disabled={renew.isPending || known.isPending}
        onClick={() => {
          renew.mutate();
        }}
      >
        {url === null ? t("feed.make") : t("feed.renew")}
      </Button>
    </div>
  );
}
