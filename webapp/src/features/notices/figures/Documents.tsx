import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { sentenceOf, type FigureEntry, type FigureSide, type FiguresShown } from "@/lib/api";
import { count, day, month } from "@/lib/format";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { useWorks } from "@/lib/works";
import { cn } from "@/lib/ui/cn";
import { Pick } from "@/lib/ui/pick";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Table } from "@/lib/ui/table";
import { useDocuments } from "./useFigures";
import { rupees, sum } from "./words";

const most = 50;

/** Lists the documents, with filters, sorting and search; the class of each can be corrected. */
export function Documents({ conversation, shown }: { conversation: string; shown: FiguresShown }) {
  const { t } = useTranslation("figures");
  const compared = shown.papers ?? [];
  const [wanted, setWanted] = useState({
    what: compared[0]?.what ?? "",
    class: "open",
    sort: "amount" as "" | "amount" | "supplier" | "date",
    skip: 0,
  });
  const [typed, setTyped] = useState("");
  const [searched, setSearched] = useState("");
  const q = useSettled(typed);
  if (q !== searched) {
    setSearched(q);
    setWanted({ ...wanted, skip: 0 });
  }
  const { query, give } = useDocuments(conversation, { ...wanted, q, most });
  const entries = query.data?.entries ?? [];
  const total = query.data?.total ?? 0;
  const papers = compared.find((one) => one.what === wanted.what) ?? compared[0];
  if (papers === undefined) return null;
  const classes = (shown.classes ?? []).filter((one) => one.what === papers.what);
  const numbers = Object.fromEntries(classes.map((one) => [one.class, Math.max(one.books, one.portal)]));
  return (
    <section className="mt-10">
      <h2 className="font-serif text-lg font-semibold">{t("documents.title")}</h2>
      <div
        className={cn(
          "mt-3 grid items-end gap-3",
          compared.length > 1 ? "sm:grid-cols-2 lg:grid-cols-4" : "sm:grid-cols-3",
        )}
      >
        {compared.length > 1 && (
          <Pick
            label={t("documents.papers")}
            value={papers.what}
            options={compared.map((one) => ({
              value: one.what,
              name: t("documents.against", { first: say(one.first), second: say(one.second) }),
            }))}
            onPick={(value) => {
              setWanted({ ...wanted, what: value, class: "open", skip: 0 });
            }}
          />
        )}
        <Pick
          label={t("documents.class")}
          value={wanted.class}
          options={[
            { value: "open", name: t("documents.open") },
            { value: "", name: t("documents.all") },
            ...classes.map((one) => ({
              value: one.class,
              name: `${say(shown.names[one.class])} (${count(numbers[one.class] ?? 0)})`,
            })),
          ]}
          onPick={(value) => {
            setWanted({ ...wanted, class: value, skip: 0 });
          }}
        />
        <Pick
          label={t("documents.sort")}
          value={wanted.sort}
          options={[
            { value: "amount", name: t("documents.byAmount") },
            { value: "", name: t("documents.byMonth") },
            { value: "supplier", name: t("documents.bySupplier") },
            { value: "date", name: t("documents.byDate") },
          ]}
          onPick={(value) => {
            setWanted({ ...wanted, sort: value as "amount", skip: 0 });
          }}
        />
        <SearchField label={t("documents.search")} value={typed} onChange={setTyped} />
      </div>
      {query.isError ? (
        <p role="alert" className="mt-3 text-overdue">
          {sentenceOf(query.error, t("documents.failed"))}
        </p>
      ) : query.isSuccess && total === 0 ? (
        <p className="mt-3 text-ink-soft">{t("documents.none")}</p>
      ) : (
        <Table
          stacked
          amounts={[2, 3]}
          label={t("documents.title")}
          head={[
            t("documents.supplier"),
            t("documents.number"),
            say(papers.first),
            say(papers.second),
            t("documents.class"),
          ]}
          rows={entries.map((entry) => ({
            key: entry.record,
            cells: [
              <Supplier key="supplier" entry={entry} />,
              <Named key="number" entry={entry} />,
              <Amount key="books" side={entry.books} />,
              <Amount key="portal" side={entry.portal} />,
              <Finding
                key="class"
                entry={entry}
                given={papers.given ?? []}
                names={shown.names}
                onGive={(name) => {
                  give.mutate(
                    { record: entry.record, class: name },
                    {
                      onError: (error) => {
                        toast.error(sentenceOf(error, t("documents.changeFailed")));
                      },
                    },
                  );
                }}
              />,
            ],
          }))}
        />
      )}
      {total > most && (
        <div className="mt-3 flex items-center justify-end gap-2 text-sm">
          <span role="status">
            {t("documents.range", {
              from: count(wanted.skip + 1),
              to: count(Math.min(wanted.skip + most, total)),
              total: count(total),
            })}
          </span>
          {(
            [
              ["before", wanted.skip - most, ChevronLeft],
              ["after", wanted.skip + most, ChevronRight],
            ] as const
          ).map(([name, skip, Icon]) => (
            <Button
              key={name}
              size="icon-small"
              title={t(`documents.${name}`)}
              aria-label={t(`documents.${name}`)}
              disabled={skip < 0 || skip >= total}
              onClick={() => {
                setWanted({ ...wanted, skip });
              }}
            >
              <Icon aria-hidden />
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function Supplier({ entry }: { entry: FigureEntry }) {
  const { books, portal } = entry;
  const first = (...values: (string | undefined)[]) => values.find((value) => value !== undefined && value !== "");
  return (
    <>
      {first(books?.name, portal?.name)}
      <span className="block text-sm font-normal text-ink-soft">{first(portal?.gstin, books?.gstin)}</span>
    </>
  );
}

function Named({ entry: { books, portal } }: { entry: FigureEntry }) {
  const shown = books ?? portal;
  return (
    <>
      <span className="block min-w-24 wrap-anywhere">{shown?.number}</span>
      {books !== null && portal !== null && books.number !== portal.number && (
        <span className="block text-sm wrap-anywhere text-ink-soft">{portal.number}</span>
      )}
      <span className="block text-sm whitespace-nowrap text-ink-soft">
        {shown !== null && shown.date !== "" && day(shown.date)}
      </span>
    </>
  );
}

function Amount({ side }: { side: FigureSide | null }) {
  if (side === null) return "–";
  return (
    <>
      {rupees(sum(side.tax))}
      <span className="block text-sm text-ink-soft">{side.period !== "" && month(side.period)}</span>
    </>
  );
}

type FindingProps = {
  entry: FigureEntry;
  given: string[];
  names: FiguresShown["names"];
  onGive: (name: string) => void;
};

/** The class of a document, with a note if a person chose it. */
function Finding({ entry, given, names, onGive }: FindingProps) {
  const { t } = useTranslation("figures");
  const works = useWorks();
  if (!entry.given || !works) return say(names[entry.class]);
  return (
    <>
      <select
        aria-label={t("documents.change", { number: entry.books?.number ?? entry.portal?.number ?? "" })}
        value={entry.class}
        className="min-h-9 max-w-52 rounded-lg border border-rule-strong/60 bg-sheet px-2 text-sm"
        onChange={(event) => {
          onGive(event.target.value);
        }}
      >
        {given.map((name) => (
          <option key={name} value={name}>
            {say(names[name])}
          </option>
        ))}
      </select>
      {entry.own && <span className="block text-sm text-accent">{t("documents.own")}</span>}
    </>
  );
}
