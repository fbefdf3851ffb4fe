import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { meOptions, publicConfigOptions, sentenceOf } from "@/lib/api";
import { may } from "@/lib/may";
import { Button } from "@/lib/ui/button";
import { Section } from "@/lib/ui/section";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";
import { Invitations } from "./Invitations";
import { Leave } from "./Leave";
import { Log } from "./Log";
import { MailIn } from "./MailIn";
import { Mails } from "./Mails";
import { Members } from "./Members";
import { Name } from "./Name";
import { useFirm } from "./useFirm";

/** The page of the firm: members, invitations and log. */
export function FirmPage() {
  const { t } = useTranslation("firm");
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const { data: firm, error, refetch } = useFirm();
  usePageTitle(t("title"), config?.product_name ?? "");
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
        {firm !== undefined ? (
          <>
            <Name firm={firm} change={may(me, "manage")} />
            <p className="mt-1 text-ink-soft">
              {firm.seats === null
                ? t("people", { count: firm.taken })
                : t("seats", { taken: firm.taken, count: firm.seats })}
            </p>
            <Section title={t("members.title")} className="mt-8">
              <Members firm={firm} me={me} />
            </Section>
            {may(me, "invite") && (
              <Section title={t("invitations.title")}>
                <Invitations firm={firm} role={me?.acting?.role ?? ""} />
              </Section>
            )}
            {may(me, "work") && (
              <>
                <Section title={t("mails.title")}>
                  <Mails />
                </Section>
                <Section anchor="mail-in" title={t("mailIn.title")}>
                  <MailIn manages={may(me, "manage")} />
                </Section>
              </>
            )}
            {may(me, "log") && (
              <Section title={t("log.title")}>
                <Log />
              </Section>
            )}
            <Section title={t("leave.title")}>
              <Leave firm={firm} owner={may(me, "own")} />
            </Section>
          </>
        ) : error !== null ? (
          <>
            <p role="alert" className="font-medium">
              {t("failed")}
            </p>
            <p className="mt-1 text-ink-soft">{sentenceOf(error, "")}</p>
            <Button size="small" className="mt-3" onClick={() => void refetch()}>
              {t("again")}
            </Button>
          </>
        ) : (
          <div className="space-y-4" role="status" aria-label={t("loading")}>
            <Skeleton className="w-1/2" />
            <Skeleton />
            <Skeleton className="w-4/5" />
          </div>
        )}
      </div>
    </div>
  );
}
