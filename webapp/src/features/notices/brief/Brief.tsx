import { CalendarPlus, Check, Flag, Library, Printer } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { toast } from "sonner";
import { noticeCalendarUrl, sentenceOf, type Provision } from "@/lib/api";
import { day } from "@/lib/format";
import { useAuthorities } from "@/parts/authorities";
import { Authorities } from "@/parts/authorities/Authorities";
import { addressOf, ProvisionLink } from "@/parts/law";
import { spoken } from "@/lib/i18n";
import { say as inWords } from "@/lib/message";
import { saidOf, term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { firmHere } from "@/lib/place";
import { useWorks } from "@/lib/works";
import { Comments } from "@/parts/comments";
import { CorrectFact } from "./CorrectFact";
import { Demand } from "./Demand";
import { Genuine } from "./Genuine";
import { Limitation } from "./Limitation";
import { Money } from "./Money";
import { Papers } from "./Papers";
import { Origin, PlaceLink, Section, ShareBrief } from "./parts";
import { Points } from "./Points";
import { PortionsDialog } from "./PortionsDialog";
import { print } from "./print";
import { ReplyBy } from "./ReplyBy";
import { Timeline } from "./Timeline";
import { ToConfirm } from "./ToConfirm";
import { ToSettle } from "./ToSettle";
import type { Facts } from "./facts";
import { readReckoning } from "./reckoning";
import { useBrief, type Said } from "./useBrief";
import { useMarkAnswered } from "./useMarkAnswered";

/** The brief: what was read and computed by the program and corrected by the person; nothing by a model. */
export function Brief({ facts, documentId }: { facts: Facts; documentId: string | null }) {
  const { t } = useTranslation("notices");
  const { t: comments } = useTranslation("practice");
  const { id = "" } = useParams();
  const { brief, failed, refetch, say, undo } = useBrief(id);
  const answer = useMarkAnswered(id);
  const works = useWorks();
  const [field, setField] = useState<string | null>(null);
  const reckoning = brief === undefined ? null : readReckoning(brief.reckoning);

  const tell = (error: unknown) => {
    toast.error(sentenceOf(error, t("correct.failed")));
  };
  const settle = (said: Said) => {
    say.mutate(said, {
      onSuccess: ({ doubt }) => {
        setField(null);
        if (doubt !== undefined) toast.warning(inWords(doubt), { duration: 12_000 });
      },
    });
  };
  const shared = {
    facts,
    documentId,
    correct:
      say.isPending || !works
        ? null
        : (wanted: string) => {
            say.reset();
            setField(wanted);
          },
    undo: (wanted: string) => {
      undo.mutate(wanted, { onError: tell });
    },
  };
  const name = facts.form === null ? null : t("facts.form", { form: facts.form });
  const unread = facts.attention.find(({ code }) => code === "amount_unread");

  return (
    <ShareBrief value={shared}>
      <div className="brief on-paper space-y-7">
        <div>
          {name !== null && (
            <p className="flex flex-wrap items-baseline gap-x-2 font-serif text-2xl leading-8 font-semibold">
              {name}
              <Origin field="form" className="font-sans font-normal" />
            </p>
          )}
          <p className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
            {facts.reference ?? t("facts.noReference")}
            <Origin field="reference" />
          </p>
          <p className="flex flex-wrap items-baseline gap-x-2 text-[0.9375rem]">
            {facts.issueDate === null ? t("facts.notIssued") : t("facts.issued", { date: day(facts.issueDate) })}
            <Origin field="issue_date" />
          </p>
          <div className="mt-2 -ml-3 flex flex-wrap print:hidden">
            <Button look="quiet" size="small" asChild>
              <a href={noticeCalendarUrl(id, spoken())} download>
                <CalendarPlus aria-hidden />
                {t("brief.calendar")}
              </a>
            </Button>
            <Button
              look="quiet"
              size="small"
              onClick={() => {
                print(t("facts.title"), facts.legalName ?? facts.tradeName, facts.form, facts.reference);
              }}
            >
              <Printer aria-hidden />
              {t("brief.print")}
            </Button>
            {brief !== undefined && works && (
              <Button
                look="quiet"
                size="small"
                aria-pressed={brief.answered_at !== null}
                onClick={() => {
                  answer.mutate(brief.answered_at === null);
                }}
              >
                <Check aria-hidden className={brief.answered_at === null ? undefined : "text-safe"} />
                {brief.answered_at === null
                  ? t("brief.markAnswered")
                  : t("brief.answered", { date: day(brief.answered_at) })}
              </Button>
            )}
          </div>
        </div>

        <ToSettle
          busy={say.isPending || !works}
          onSay={(said) => {
            say.mutate(said, { onError: tell });
          }}
        />
        <Points points={brief?.points ?? []} total={facts.demand?.total ?? null} />
        <ReplyBy reckoning={reckoning} answered={brief?.answered_at != null} />
        <ToConfirm
          busy={say.isPending}
          onConfirm={(wanted) => {
            say.mutate({ field: wanted, confirmed: true }, { onError: tell });
          }}
        />

        {facts.flags.length > 0 && (
          <Section title={t("facts.flags")} icon={<Flag aria-hidden />}>
            <ul className="space-y-2 text-[0.9375rem]">
              {facts.flags.map((flag) => (
                <li key={flag.message} className="border-l-2 border-due pl-3">
                  {flag.message} <PlaceLink page={flag.page} quote={null} />
                </li>
              ))}
            </ul>
          </Section>
        )}

        <Parties facts={facts} />
        {facts.demand !== null && <Demand demand={facts.demand} />}
        {facts.demand === null && unread !== undefined && (
          <Section title={t("facts.demand")}>
            <p className="flex flex-wrap items-baseline gap-x-2 text-due">
              {t("facts.amountUnread", { page: unread.page ?? 1 })}
              <Origin field="demand" />
            </p>
          </Section>
        )}
        <Provisions cited={brief?.provisions ?? []} />
        <Relied conversationId={id} />

        {reckoning !== null && (
          <>
            <Timeline reckoning={reckoning} />
            <Limitation years={reckoning.limitation} />
            <Money sheets={reckoning.money} />
          </>
        )}
        {brief !== undefined && <Papers papers={brief.papers ?? []} letters={brief.letters ?? []} />}
        {brief === undefined && !failed && (
          <div className="space-y-3" role="status" aria-label={t("brief.loading")}>
            <Skeleton />
            <Skeleton className="w-4/5" />
            <Skeleton />
          </div>
        )}
        {failed && (
          <div className="text-[0.9375rem]">
            <p role="alert">{t("brief.failed")}</p>
            <Button size="small" className="mt-2" onClick={() => void refetch()}>
              {t("brief.again")}
            </Button>
          </div>
        )}
        {firmHere !== null && documentId !== null && (
          <Section title={comments("comments.title")} className="print:hidden">
            <Comments kind="document" about={documentId} label={comments("comments.ofNotice")} />
          </Section>
        )}
        <Genuine />
        <p className="text-sm text-ink-soft">
          {t("facts.how")} {reckoning?.asOf != null && t("brief.lawAsOf", { date: day(reckoning.asOf) })}
          {reckoning !== null &&
            reckoning.overlaid.length > 0 &&
            ` ${t("brief.lawOverlaid", { files: reckoning.overlaid.join(", ") })}`}
        </p>
      </div>
      {field === "portions" && (
        <PortionsDialog
          busy={say.isPending}
          error={say.error === null ? null : sentenceOf(say.error, t("correct.failed"))}
          onSave={settle}
          onClose={() => {
            setField(null);
          }}
        />
      )}
      {field !== null && field !== "portions" && (
        <CorrectFact
          field={field}
          busy={say.isPending}
          error={say.error === null ? null : sentenceOf(say.error, t("correct.failed"))}
          onSave={settle}
          onClose={() => {
            setField(null);
          }}
        />
      )}
    </ShareBrief>
  );
}

function Relied({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation("conversation");
  const none = (useAuthorities(conversationId).query.data?.authorities ?? []).length === 0;
  return (
    <Section
      title={t("authorities.title")}
      icon={<Library aria-hidden />}
      className={none ? "print:hidden" : undefined}
    >
      <Authorities conversationId={conversationId} />
    </Section>
  );
}

function Parties({ facts }: { facts: Facts }) {
  const { t } = useTranslation("notices");
  const { officer } = facts;
  const from = [officer.name, officer.designation, officer.jurisdiction].filter((part) => part !== null);
  return (
    <dl className="space-y-3 text-[0.9375rem]">
      <Pair label={t("facts.to")}>
        <span className="flex flex-wrap items-baseline gap-x-2">
          {facts.legalName ?? t("facts.noName")}
          <Origin field="legal_name" />
        </span>
        {facts.tradeName !== null && (
          <span className="flex flex-wrap items-baseline gap-x-2">
            {t("facts.tradeName", { name: facts.tradeName })}
            <Origin field="trade_name" />
          </span>
        )}
        <span className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
          {facts.gstin ?? t("facts.noGstin")}
          <Origin field="gstin" />
        </span>
        {facts.gstinValid === false && <span className="block text-sm text-due">{t("facts.gstinWrong")}</span>}
      </Pair>
      {from.length > 0 && (
        <Pair label={t("facts.from")}>
          {from.map((part) => (
            <span key={part} className="flex flex-wrap items-baseline gap-x-2">
              {part}
              {part === officer.designation && <Origin field="officer" />}
            </span>
          ))}
        </Pair>
      )}
      <Pair label={t("facts.periods")}>
        <span className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
          {facts.periods.length === 0 ? t("facts.noPeriods") : facts.periods.join(", ")}
          <Origin field="periods" />
        </span>
      </Pair>
    </dl>
  );
}

/** Lists what the notice cites, and whether the law index has it. */
function Provisions({ cited }: { cited: Provision[] }) {
  const { t } = useTranslation("notices");
  const { t: mark } = useTranslation("conversation");
  if (cited.length === 0) return null;
  return (
    <Section title={t("facts.provisions")}>
      <ul className="space-y-1.5 text-[0.9375rem]">
        {cited.map(({ act, provision, heading, verdict, message, said, page, quote }) => (
          <li key={`${act} ${provision}`}>
            <Named act={act} provision={provision} readable={verdict !== "unknown"} />
            {act !== "" && <span className="text-ink-soft"> · {term(act)}</span>}
            {verdict === "exists" ? (
              <Check
                role="img"
                aria-label={mark("marks.label.exists")}
                className="ml-1 inline size-[0.9em] text-safe"
              />
            ) : (
              <span className="ml-1.5 rounded border border-rule-strong px-1 text-sm text-ink-soft">
                {mark(`marks.label.${verdict}`, { fact: term(heading) })}
              </span>
            )}{" "}
            <PlaceLink page={page === 0 ? null : page} quote={quote === "" ? null : quote} of={term(provision)} />
            {heading !== "" && <p className="font-serif text-sm text-ink-soft">{term(heading)}</p>}
            {verdict !== "exists" && message !== "" && (
              <p className="text-sm text-ink-soft">{saidOf({ said, message })}</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The name of a provision, as a link to its text at the time of the notice if there is one. */
function Named({ act, provision, readable }: { act: string; provision: string; readable: boolean }) {
  const address = readable ? addressOf(act, provision) : null;
  return address === null ? (
    <span className="inline-block first-letter:uppercase">{term(provision)}</span>
  ) : (
    <ProvisionLink address={address} quiet className="inline-block first-letter:uppercase">
      {term(provision)}
    </ProvisionLink>
  );
}

function Pair({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-sm font-medium text-ink-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
