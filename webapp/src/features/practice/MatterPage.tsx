import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { toast } from "sonner";
import { matterOptions, meOptions, sentenceOf, type Matter } from "@/lib/api";
import { useAnswersIn } from "@/lib/i18n";
import { day, moment, money } from "@/lib/format";
import { may } from "@/lib/may";
import { Field, Form } from "@/lib/ui/form";
import { Pick } from "@/lib/ui/pick";
import { Section } from "@/lib/ui/section";
import { Comments } from "@/parts/comments";
import { DaysLeft } from "@/parts/deadline";
import { Filed } from "./Filed";
import { Failed, Frame, Loading } from "./Frame";
import { Missing } from "./Missing";
import { matterName } from "./names";
import { Tasks } from "./Tasks";
import { states, useChangeMatter } from "./usePractice";

/** A matter: what is due next, its notices and orders, its drafts, and its log. */
export function MatterPage() {
  const { t } = useTranslation("practice");
  const { id = "" } = useParams();
  const { data: matter, error, refetch } = useQuery(matterOptions(id, useAnswersIn().language));
  return (
    <Frame title={matter === undefined ? t("matters") : `${matter.client.name} · ${matterName(matter, t)}`}>
      {matter !== undefined ? (
        <Whole key={matter.id} matter={matter} />
      ) : error === null ? (
        <Loading />
      ) : (
        <Failed error={error} onAgain={() => void refetch()} />
      )}
    </Frame>
  );
}

function Whole({ matter }: { matter: Matter }) {
  const { t } = useTranslation("practice");
  const me = useQuery(meOptions()).data;
  const works = may(me, "work");
  return (
    <>
      <p className="text-ink-soft">
        <Link to={`/app/practice/clients/${matter.client.id}`} className="text-accent underline underline-offset-4">
          {matter.client.name}
        </Link>
        {matter.gstin !== null && matter.gstin !== matter.client.name && (
          <span className="tabular-nums"> · {matter.gstin}</span>
        )}
      </p>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold break-words">{matterName(matter, t)}</h1>
      <p className="mt-1 flex flex-wrap gap-x-3 text-[0.9375rem] text-ink-soft">
        <span>{t(`stages.${matter.stage}`)}</span>
        {matter.demand_paise !== null && matter.demand_paise > 0 && (
          <span className="tabular-nums">{money(matter.demand_paise / 100)}</span>
        )}
        {matter.officer !== null && <span>{matter.officer}</span>}
      </p>
      {works ? <Answers matter={matter} approves={may(me, "approve")} /> : <Said matter={matter} />}
      <Section title={t("matter.next")} className="mt-8">
        <Days matter={matter} />
      </Section>
      <Section title={t("tasks.title")} className="mt-8">
        <Tasks matter={matter.id} />
      </Section>
      <Section title={t("comments.title")} className="mt-8">
        <Comments kind="matter" about={matter.id} label={t("comments.ofMatter")} />
      </Section>
      <Section title={t("matter.papers")} className="mt-8">
        <Papers matter={matter} />
      </Section>
      <Missing listed={matter.listed ?? []} />
      <Lines title={t("matter.drafts")}>
        {(matter.drafts ?? []).map((draft) => (
          <Line
            key={draft.id}
            to={`/app/drafts/${draft.id}`}
            name={draft.title}
            beside={[draft.state === "" ? "" : t(`matter.reviews.${draft.state}`), moment(draft.updated_at)]
              .filter((one) => one !== "")
              .join(" · ")}
          />
        ))}
      </Lines>
      <Lines title={t("matter.documents")}>
        {(matter.handed_in ?? []).map((document) => (
          <Line
            key={document.id}
            to={`/app/notices/${document.paper}`}
            name={document.name}
            beside={moment(document.created_at)}
          />
        ))}
      </Lines>
      <Lines title={t("matter.authorities")}>
        {(matter.authorities ?? []).map((authority) => (
          <Line
            key={`${authority.paper} ${authority.citation}`}
            to={`/app/notices/${authority.paper}`}
            name={authority.citation}
            beside=""
          />
        ))}
      </Lines>
      {works && <Notes matter={matter} />}
      <Lines title={t("matter.log")}>
        {(matter.log ?? []).map((entry) => (
          <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 border-b border-rule py-2">
            <span>
              <span className="font-medium">{entry.who === "" ? t("matter.munshi") : entry.who}</span>{" "}
              <Event name={entry.event} detail={entry.detail} />
            </span>
            <time dateTime={entry.at} className="text-sm text-ink-soft tabular-nums">
              {moment(entry.at)}
            </time>
          </li>
        ))}
      </Lines>
    </>
  );
}

/** The assignee, reviewer and state of a matter, with selects to change them. */
function Answers({ matter, approves }: { matter: Matter; approves: boolean }) {
  const { t } = useTranslation("practice");
  const change = useChangeMatter(matter.id);
  const set = (body: Parameters<typeof change.mutate>[0]) => {
    change.mutate(body, {
      onError: (error) => {
        toast.error(sentenceOf(error, t("changeFailed")));
      },
    });
  };
  const people = [{ value: "", name: t("matter.nobody") }].concat(
    (matter.staff ?? []).map(({ id, name }) => ({ value: id, name })),
  );
  // Only those who may approve can approve, close or reopen a matter.
  const shown = states.filter(
    (state) =>
      approves || state === matter.state || (matter.state !== "closed" && state !== "approved" && state !== "closed"),
  );
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-3">
      <Pick
        label={t("matter.state")}
        value={matter.state}
        options={shown.map((state) => ({ value: state, name: t(`states.${state}`) }))}
        onPick={(state) => {
          set({ state: state as Matter["state"] });
        }}
      />
      <Pick
        label={t("matter.assignee")}
        value={matter.assignee?.id ?? ""}
        options={people}
        onPick={(assignee) => {
          set({ assignee });
        }}
      />
      <Pick
        label={t("matter.reviewer")}
        value={matter.reviewer?.id ?? ""}
        options={people}
        onPick={(reviewer) => {
          set({ reviewer });
        }}
      />
    </div>
  );
}

/** The same without selects, for members who may not change anything. */
function Said({ matter }: { matter: Matter }) {
  const { t } = useTranslation("practice");
  const line = (label: string, value: string) => (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <dl className="mt-4 grid gap-4 sm:grid-cols-3">
      {line(t("matter.state"), t(`states.${matter.state}`))}
      {line(t("matter.assignee"), matter.assignee?.name ?? t("matter.nobody"))}
      {line(t("matter.reviewer"), matter.reviewer?.name ?? t("matter.nobody"))}
    </dl>
  );
}

function Days({ matter }: { matter: Matter }) {
  const { t } = useTranslation("practice");
  const days = matter.days ?? [];
  if (days.length === 0) return <p className="mt-2 text-ink-soft">{t("matter.noDays")}</p>;
  return (
    <ul className="mt-2 border-t border-rule">
      {days.map((one) => (
        <li key={`${one.paper} ${one.what} ${one.date} ${one.time}`} className="border-b border-rule py-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className="tabular-nums">
              {day(one.date)}
              {one.time !== "" && `, ${one.time}`}
            </span>
            <DaysLeft date={one.date} />
            <Link to={`/app/notices/${one.paper}`} className="text-accent underline-offset-4 hover:underline">
              {one.what}
            </Link>
          </p>
          {one.note !== "" && <p className="text-sm whitespace-pre-line text-ink-soft">{one.note}</p>}
        </li>
      ))}
    </ul>
  );
}

function Papers({ matter }: { matter: Matter }) {
  const { t } = useTranslation("practice");
  return (
    <ol className="mt-2 border-t border-rule">
      {(matter.papers ?? []).map((paper) => (
        <li
          key={paper.id}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-rule py-2"
        >
          <span className="min-w-0 break-words">
            <Link
              to={`/app/notices/${paper.id}`}
              className="font-medium text-accent underline-offset-4 hover:underline"
            >
              {paper.form ?? (paper.title || t("untitled"))}
            </Link>
            {paper.issued !== null && <span> {t("matter.issued", { day: day(paper.issued) })}</span>}
            {paper.reference !== null && (
              <span className="block text-sm text-ink-soft tabular-nums">{paper.reference}</span>
            )}
          </span>
          <span className="flex flex-wrap items-baseline gap-x-3 text-[0.9375rem] tabular-nums">
            {paper.demand_paise !== null && paper.demand_paise > 0 && <span>{money(paper.demand_paise / 100)}</span>}
            <span className="text-ink-soft">
              {paper.passed
                ? t("matter.passed")
                : paper.answered_at !== null
                  ? t("matter.answered")
                  : paper.reply_by !== null
                    ? t("matter.replyBy", { day: day(paper.reply_by) })
                    : paper.open_date && <span className="text-due">{t("matter.undated")}</span>}
            </span>
          </span>
          <Filed paper={paper} />
        </li>
      ))}
    </ol>
  );
}

/** A list on the page; nothing if it is empty. */
function Lines({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Section title={title} className="mt-8">
      <ul className="mt-2 border-t border-rule text-[0.9375rem]">{children}</ul>
    </Section>
  );
}

function Line({ to, name, beside }: { to: string; name: string; beside: string }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-b border-rule py-2">
      <Link to={to} className="min-w-0 break-words text-accent underline-offset-4 hover:underline">
        {name}
      </Link>
      <span className="text-sm text-ink-soft tabular-nums">{beside}</span>
    </li>
  );
}

function Event({ name, detail }: { name: string; detail: Record<string, unknown> }) {
  const { t, i18n } = useTranslation("practice");
  if (!i18n.exists(`practice:matter.events.${name}`)) return <>{name}</>;
  const state = states.find((one) => one === detail.state);
  return (
    <>
      {t(`matter.events.${name}` as "matter.events.state", { state: state === undefined ? "" : t(`states.${state}`) })}
      {typeof detail.reason === "string" && <q className="ml-1 break-words">{detail.reason}</q>}
    </>
  );
}

/** The title and the notes, which are saved together. */
function Notes({ matter }: { matter: Matter }) {
  const { t } = useTranslation("practice");
  const [title, setTitle] = useState(matter.title);
  const [note, setNote] = useState(matter.note);
  const change = useChangeMatter(matter.id);
  return (
    <Section title={t("matter.details")} className="mt-8">
      <div className="max-w-prose">
        <Form
          onSubmit={() => {
            change.mutate({ title, note });
          }}
          error={change.error === null ? null : sentenceOf(change.error, t("changeFailed"))}
          pending={change.isPending}
          disabled={title === matter.title && note === matter.note}
          button={t("matter.save")}
        >
          <Field
            label={t("matter.rename")}
            hint={t("matter.titleHint")}
            required={false}
            maxLength={300}
            value={title}
            onChange={(event) => {
              setTitle(event.target.value);
            }}
          />
          <label className="block">
            <span className="font-medium">{t("matter.note")}</span>
            <textarea
              value={note}
              rows={4}
              maxLength={20000}
              aria-describedby="note-hint"
              className="mt-1.5 block w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2"
              onChange={(event) => {
                setNote(event.target.value);
              }}
            />
            <span id="note-hint" className="mt-1 block text-sm text-ink-soft">
              {t("matter.noteHint")}
            </span>
          </label>
        </Form>
      </div>
    </Section>
  );
}
