import { useTranslation } from "react-i18next";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { meOptions, type Triage } from "@/lib/api";
import { moment } from "@/lib/format";
import { may } from "@/lib/may";
import { Button } from "@/lib/ui/button";
import { Section } from "@/lib/ui/section";
import { Spinner } from "@/lib/ui/spinner";
import { DropZone } from "./DropZone";
import { Failed, Frame, Loading } from "./Frame";
import { TriageFiles } from "./TriageFiles";
import { TriageRow } from "./TriageRow";
import { useTriage } from "./usePractice";

/** The page where many documents are uploaded, and checked after they have been read. */
export function TriagePage() {
  const { t } = useTranslation("practice");
  const works = may(useQuery(meOptions()).data, "work");
  const { query, papers, first } = useTriage();
  const page = (
    <>
      {first === undefined ? (
        query.error === null ? (
          <Loading />
        ) : (
          <Failed error={query.error} onAgain={() => void query.refetch()} />
        )
      ) : (
        <>
          {works && first.held > 0 && (
            <p className="mt-4 text-[0.9375rem]">
              <span className="text-due">{t("triage.held", { count: first.held })}</span>{" "}
              <Link to="/app/firm#mail-in" className="text-accent underline underline-offset-4">
                {t("triage.heldLook")}
              </Link>
            </p>
          )}
          <Batches batches={first.batches ?? []} />
          <TriageFiles files={first.files ?? []} works={works} />
          <Section title={t("triage.title")} className="mt-8">
            <p role="status" className="sr-only">
              {t("triage.found", { count: first.total })}
            </p>
            {papers.length === 0 ? (
              <p className="mt-2 text-ink-soft">{t("triage.none")}</p>
            ) : (
              <ul className="mt-2 border-t border-rule">
                {papers.map((paper) => (
                  <TriageRow key={paper.id} paper={paper} works={works} />
                ))}
              </ul>
            )}
            {query.hasNextPage && (
              <Button
                size="small"
                className="mx-auto mt-3 flex"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {query.isFetchingNextPage && <Spinner />}
                {t("triage.more", { count: first.total - papers.length })}
              </Button>
            )}
          </Section>
        </>
      )}
    </>
  );
  return (
    <Frame title={t("new")}>
      <h1 className="mb-4 font-serif text-[1.75rem] leading-9 font-semibold">{t("new")}</h1>
      {works ? <DropZone>{page}</DropZone> : page}
    </Frame>
  );
}

/** The uploads of the last days, with their progress. */
function Batches({ batches }: { batches: NonNullable<Triage["batches"]> }) {
  const { t } = useTranslation("practice");
  if (batches.length === 0) return null;
  return (
    <Section title={t("batch.title")} className="mt-8">
      <ul className="mt-2 text-[0.9375rem]">
        {batches.map((batch) => (
          <li key={batch.id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1">
            <time dateTime={batch.created_at} className="tabular-nums">
              {moment(batch.created_at)}
            </time>
            <span className="text-ink-soft">{batch.by}</span>
            <span>{t("batch.files", { count: batch.files })}</span>
            {batch.reading > 0 ? (
              <span className="flex items-center gap-1.5 text-accent">
                <Spinner className="size-3.5" />
                {t("batch.reading", { count: batch.reading })}
              </span>
            ) : (
              batch.refused + batch.repeated < batch.files && <span className="text-safe">{t("batch.done")}</span>
            )}
            {batch.refused > 0 && <span className="text-overdue">{t("batch.refused", { count: batch.refused })}</span>}
            {batch.repeated > 0 && (
              <span className="text-ink-soft">{t("batch.repeated", { count: batch.repeated })}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
