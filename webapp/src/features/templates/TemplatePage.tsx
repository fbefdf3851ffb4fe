import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import {
  beginDraft,
  draftQueryKey,
  draftsQueryKey,
  idempotencyKey,
  listNotices,
  noticesQueryKey,
  publicConfigOptions,
  sentenceOf,
  templatesOptions,
  type NoticeLine,
  type Template,
} from "@/lib/api";
import { AnswerText } from "@/parts/conversation";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";

/** A template: its purpose, its text, and a button to start a draft from it. */
export function TemplatePage() {
  const { t } = useTranslation("templates");
  const { id = "" } = useParams();
  const config = useQuery(publicConfigOptions()).data;
  const { data, error, refetch } = useQuery(templatesOptions());
  const template = data?.templates?.find((candidate) => candidate.id === id);
  usePageTitle(term(template?.title ?? ""), t("heading"), config?.product_name ?? "");
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-4 py-5 sm:px-6">
        <Link
          to="/app/templates"
          className="-ml-1 mb-3 inline-flex min-h-9 items-center gap-1 rounded text-sm text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {t("back")}
        </Link>
        {template !== undefined ? (
          <Shown key={id} template={template} />
        ) : data === undefined && error === null ? (
          <div className="space-y-4" role="status" aria-label={t("loading")}>
            <Skeleton className="h-7 w-2/3" />
            <Skeleton />
            <Skeleton />
          </div>
        ) : (
          <div className="py-10 text-center">
            <h1 className="font-serif text-2xl font-semibold">{t(data === undefined ? "failed" : "missing")}</h1>
            <p className="mt-2 text-ink-soft">
              {data === undefined ? sentenceOf(error, t("failedHint")) : t("missingHint")}
            </p>
            {data === undefined && (
              <Button look="primary" className="mt-5" onClick={() => void refetch()}>
                {t("again")}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function Shown({ template }: { template: Template }) {
  const { t } = useTranslation("templates");
  return (
    <>
      <h1 className="font-serif text-2xl leading-8 font-semibold text-balance">{term(template.title)}</h1>
      <p className="mt-1 text-ink-soft">{term(template.about)}</p>
      <p className="mt-1 text-sm text-ink-soft">
        {[term(template.category), term(template.form), term(template.section)]
          .filter((word) => word !== "")
          .join(" · ")}
      </p>
      <Begin template={template} />
      <section aria-label={t("preview")} className="mt-6 rounded-xl border border-rule bg-sheet px-5 py-6 sm:px-8">
        <AnswerText text={template.content} blanks />
      </section>
    </>
  );
}

/** Starts a draft, empty or filled in from one of the person's notices. */
function Begin({ template }: { template: Template }) {
  const { t } = useTranslation("templates");
  const id = useId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [chosen, choose] = useState("");
  const notices = useNotices();
  const answers = template.answers ?? [];
  const fitting = notices.filter(({ form }) => form !== null && answers.includes(form));
  const others = notices.filter((notice) => !fitting.includes(notice));
  const attempt = useRef<{ chosen: string; key: string } | null>(null);
  const begin = useMutation({
    mutationFn: async () => {
      // A double click, or another click after a lost answer, must not create a second draft.
      if (attempt.current?.chosen !== chosen) attempt.current = { chosen, key: idempotencyKey() };
      const { data } = await beginDraft({
        body: { template: template.id, ...(chosen === "" ? {} : { conversation: chosen }) },
        headers: { "Idempotency-Key": attempt.current.key },
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async (draft) => {
      attempt.current = null;
      queries.setQueryData(draftQueryKey(draft.id), draft);
      void queries.invalidateQueries({ queryKey: draftsQueryKey() });
      await navigate(`/app/drafts/${draft.id}`);
    },
  });
  const options = (list: NoticeLine[]) =>
    list.map((notice) => (
      <option key={notice.id} value={notice.id}>
        {[notice.title, notice.reference].filter((word) => word !== null && word !== "").join(" · ")}
      </option>
    ));
  return (
    <form
      aria-label={t("begin")}
      className="mt-5 rounded-xl border border-rule bg-margin p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!begin.isPending) begin.mutate();
      }}
    >
      {notices.length > 0 && (
        <div className="mb-4">
          <label htmlFor={id} className="font-medium">
            {t("from")}
          </label>
          <p id={`${id}-hint`} className="text-sm text-ink-soft">
            {t("fromHint")}
          </p>
          <select
            id={id}
            value={chosen}
            disabled={begin.isPending}
            aria-describedby={`${id}-hint`}
            className="mt-1.5 block min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3"
            onChange={(event) => {
              choose(event.target.value);
            }}
          >
            <option value="">{t("blank")}</option>
            {fitting.length > 0 && <optgroup label={answers.join(", ")}>{options(fitting)}</optgroup>}
            {others.length > 0 &&
              (fitting.length > 0 ? <optgroup label={t("others")}>{options(others)}</optgroup> : options(others))}
          </select>
        </div>
      )}
      {begin.error !== null && (
        <p role="alert" className="mb-3 text-[0.9375rem] text-overdue">
          {sentenceOf(begin.error, t("beginFailed"))}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" disabled={begin.isPending}>
          {begin.isPending && <Spinner />}
          {begin.isPending ? t("beginning") : t("begin")}
        </Button>
        <p className="min-w-0 flex-1 basis-56 text-sm text-ink-soft">{t("review")}</p>
      </div>
    </form>
  );
}

// As many as anyone would look through in a drop-down list; latest first.
const most = 200;

/** Returns the person's notices that have been read, for filling in a template; empty until they are loaded. */
function useNotices(): NoticeLine[] {
  const query = useQuery({
    queryKey: [...noticesQueryKey(), "template"],
    queryFn: async ({ signal }) =>
      (await listNotices({ query: { view: "all", most }, signal, throwOnError: true })).data,
  });
  return (query.data?.notices ?? []).filter(
    ({ turn_state: state, form, reference }) => state === "answered" || form !== null || reference !== null,
  );
}
