import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { sentenceOf, type DraftLine } from "@/lib/api";
import { ago, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { More } from "@/lib/ui/more";
import { RemoveButton } from "@/lib/ui/remove";
import { Skeleton } from "@/lib/ui/skeleton";
import { Works } from "@/lib/works";
import { useDraftRemoval, useDrafts } from "./useDrafts";

/**
 * The person's drafts that contain the words of a search ("" for all), latest first, each with buttons to open and
 * delete it.
 */
export function DraftList({ search }: { search: string }) {
  const { t } = useTranslation("drafts");
  const { query, drafts } = useDrafts(search);
  return (
    <>
      {query.isPending ? (
        <div className="mt-6 space-y-4" role="status" aria-label={t("loading")}>
          <Skeleton />
          <Skeleton />
          <Skeleton className="w-4/5" />
        </div>
      ) : query.isError && drafts.length === 0 ? (
        <div className="mt-8 text-center">
          <p role="alert" className="font-medium">
            {t("failed")}
          </p>
          <p className="mt-1 text-ink-soft">{sentenceOf(query.error, t("failedHint"))}</p>
          <Button size="small" className="mt-3" onClick={() => void query.refetch()}>
            {t("again")}
          </Button>
        </div>
      ) : drafts.length === 0 ? (
        <p className="mt-6 border-t border-rule py-6 text-ink-soft">{t(search === "" ? "none" : "noneFits")}</p>
      ) : (
        <ul className={cn("mt-5 border-t border-rule transition-opacity", query.isPlaceholderData && "opacity-60")}>
          {drafts.map((draft) => (
            <Row key={draft.id} draft={draft} />
          ))}
        </ul>
      )}
      <More query={query}>{t("more")}</More>
    </>
  );
}

function Row({ draft }: { draft: DraftLine }) {
  const { t } = useTranslation("drafts");
  const { remove, restore } = useDraftRemoval();
  const failed = (error: unknown) => {
    toast.error(sentenceOf(error, t("actFailed")));
  };
  // By then the row is unmounted and gets no result from a mutation of its own.
  const erase = () => {
    remove.mutateAsync(draft).then(() => {
      toast(t("deleted", { title: draft.title }), {
        duration: 30_000,
        action: {
          label: t("undo"),
          onClick: () => {
            restore.mutateAsync(draft).catch(failed);
          },
        },
      });
    }, failed);
  };
  return (
    <li className="group relative flex items-start gap-3 border-b border-rule py-3">
      <div className="min-w-0 flex-1">
        <Link
          to={`/app/drafts/${draft.id}`}
          className="line-clamp-2 rounded font-medium after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {draft.title}
        </Link>
        <p className="line-clamp-2 text-[0.9375rem] text-ink-soft">{plain(draft.beginning)}</p>
        <p className="text-sm text-ink-soft">
          <time dateTime={draft.updated_at} title={moment(draft.updated_at)}>
            {ago(draft.updated_at)}
          </time>
          {draft.state !== "" && <> · {t(`states.${draft.state}`)}</>}
        </p>
      </div>
      <Works>
        <RemoveButton
          className="relative z-10 -my-1"
          disabled={remove.isPending}
          title={t("delete")}
          label={t("deleteLabel", { title: draft.title })}
          onRemove={erase}
        />
      </Works>
    </li>
  );
}

/** Returns the beginning of a text without Markdown marks. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^\s*\|?[\s:|-]+\|?\s*$/gm, "")
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+\.)\s+/gm, "")
    .replace(/[*`~|]|\\(?=[^\w\s])/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
