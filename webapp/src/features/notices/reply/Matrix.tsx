import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { authoritiesOptions, type ReplyPoint, type RequiredDocument } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { nameOf, Place, PointRow } from "./PointRow";

type MatrixProps = {
  conversation: string;
  points: ReplyPoint[];
  required: RequiredDocument[];
  /**
   * The paragraphs that were undecided when the person asked for only those; null shows all. The selection stays until
   * they ask again.
   */
  only: ReadonlySet<string> | null;
  onOnly: (undecided: boolean) => void;
};

/** The allegations of a notice with the answer to each: a table, or cards on a narrow screen. */
export function Matrix({ conversation, points, required, only, onOnly }: MatrixProps) {
  const { t } = useTranslation("reply");
  const supplied = useQuery(authoritiesOptions(conversation)).data?.authorities;
  const authorities = useMemo(() => (supplied ?? []).map(({ citation }) => citation), [supplied]);
  const papers = useMemo(() => required.map(({ type }) => type), [required]);
  const allegations = points.filter(({ allegation }) => allegation);
  const others = points.filter(({ allegation }) => !allegation);
  const undecided = allegations.filter(({ stance }) => stance === "").length;
  const shown = only === null ? allegations : allegations.filter(({ key }) => only.has(key));
  return (
    <section aria-labelledby="matrix" className="@container">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id="matrix" className="font-serif text-lg font-semibold">
          {t("matrix")}
        </h2>
        <div role="group" aria-label={t("which")} className="-mr-3 flex">
          {([false, true] as const).map((one) => (
            <Button
              key={String(one)}
              look="quiet"
              size="small"
              aria-pressed={(only !== null) === one}
              className={cn((only !== null) === one && "bg-accent-soft text-accent")}
              onClick={() => {
                onOnly(one);
              }}
            >
              {one ? t("undecided", { count: undecided }) : t("all", { count: allegations.length })}
            </Button>
          ))}
        </div>
      </div>
      <p className="text-sm text-ink-soft">{t("matrixHint")}</p>
      {shown.length === 0 ? (
        <p className="mt-3 border-t border-rule py-5 text-ink-soft">
          {t(allegations.length === 0 ? "noPoints" : "allDecided")}
        </p>
      ) : (
        <table className="mt-3 block w-full @min-[60rem]:table">
          <thead className="sr-only @min-[60rem]:not-sr-only @min-[60rem]:table-header-group">
            <tr className="text-left text-sm text-ink-soft [&>th]:px-2 [&>th]:pb-1 [&>th]:font-medium">
              <th scope="col" className="w-[12%] pl-0!">
                {t("column.paragraph")}
              </th>
              <th scope="col" className="w-[26%]">
                {t("column.alleged")}
              </th>
              <th scope="col" className="w-[18%]">
                {t("column.stance")}
              </th>
              <th scope="col" className="w-[26%]">
                {t("column.facts")}
              </th>
              <th scope="col" className="w-[18%]">
                {t("column.support")}
              </th>
            </tr>
          </thead>
          <tbody className="block @min-[60rem]:table-row-group">
            {shown.map((point) => (
              <PointRow
                key={point.key}
                conversation={conversation}
                point={point}
                papers={papers}
                authorities={authorities}
              />
            ))}
          </tbody>
        </table>
      )}
      {others.length > 0 && (
        <details className="border-t border-rule">
          <summary className="cursor-pointer rounded py-2.5 text-[0.9375rem] text-ink-soft">
            {t("others", { count: others.length })}
          </summary>
          <ul className="space-y-2 pb-3 pl-4 text-[0.9375rem]">
            {others.map((point) => (
              <li key={point.key}>
                <span className="font-medium">{nameOf(point, t)}</span> <Place point={point} />
                <p className="font-serif text-ink-soft">{point.alleged}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
