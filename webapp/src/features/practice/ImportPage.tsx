import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { toast } from "sonner";
import { sentenceOf, type RegisterImport, type RegisterLine } from "@/lib/api";
import { day } from "@/lib/format";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Progress } from "@/lib/ui/progress";
import { Section } from "@/lib/ui/section";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { Failed, Frame, Loading } from "./Frame";
import { outcomes, useImport, useRegisterFile, type Outcome } from "./useImport";

/** Imports the register that a firm kept before: shows the outcome of each row, and imports the rows once confirmed. */
export function ImportPage() {
  const { t } = useTranslation("import");
  const [search, setSearch] = useSearchParams();
  const id = search.get("id") ?? "";
  const input = useRef<HTMLInputElement>(null);
  const read = useRegisterFile();
  return (
    <Frame title={t("title")}>
      <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("title")}</h1>
      <Works>
        <p className="mt-1 max-w-prose text-ink-soft">{t("intro")}</p>
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <input
            ref={input}
            type="file"
            hidden
            data-testid="register-input"
            accept=".xlsx,.xlsm,.csv,.tsv,.txt,.xls"
            aria-label={t("choose")}
            onChange={(event) => {
              const file = event.target.files?.[0];
              event.target.value = "";
              if (file === undefined) return;
              read.mutate(file, {
                onSuccess: (found) => {
                  setSearch({ id: found.id });
                },
              });
            }}
          />
          <Button
            look={id === "" ? "primary" : "outline"}
            disabled={read.isPending}
            onClick={() => input.current?.click()}
          >
            {read.isPending ? <Spinner /> : <Upload aria-hidden />}
            {read.isPending ? t("reading", { name: read.variables.name }) : t(id === "" ? "choose" : "another")}
          </Button>
          <p className="text-[0.9375rem] text-ink-soft">{t("file")}</p>
        </div>
        {read.error !== null && (
          <p role="alert" className="mt-3 text-overdue">
            {sentenceOf(read.error, t("failed"))}
          </p>
        )}
        {id !== "" && <Whole key={id} id={id} />}
      </Works>
    </Frame>
  );
}

function Whole({ id }: { id: string }) {
  const { t } = useTranslation("import");
  const [what, setWhat] = useState<Outcome | "">("");
  const [leave, setLeave] = useState<number[]>([]);
  const [at, setAt] = useState<RegisterImport | null>(null);
  const { query, choose, confirm } = useImport(id, what);
  const first = query.data?.pages[0];
  if (first === undefined) {
    return query.isError ? <Failed error={query.error} onAgain={() => void query.refetch()} /> : <Loading />;
  }
  const rows = query.data?.pages.flatMap((page) => page.rows ?? []) ?? [];
  const counts = first.counts;
  const all = outcomes.reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  const fresh = (["new_client", "new_matter", "attached", "client"] as const).reduce(
    (sum, one) => sum + (counts[one] ?? 0),
    0,
  );
  const count = first.begun ? fresh : Math.max(0, fresh - leave.length);
  return (
    <>
      <p className="mt-6 font-medium break-words">{t("read", { name: first.name })}</p>
      {first.sheet !== "" && <p className="text-sm text-ink-soft">{t("sheet", { sheet: first.sheet })}</p>}
      {(first.others ?? []).length > 0 && (
        <p className="text-sm text-due">{t("others", { sheets: (first.others ?? []).join(", ") })}</p>
      )}
      {first.done ? (
        <p role="status" className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-accent-soft p-3">
          {t("done")}
          <Link to="/app/practice/matters" className="text-accent underline underline-offset-4">
            {t("toMatters")}
          </Link>
        </p>
      ) : (
        !first.begun && (
          <Columns
            found={first}
            disabled={choose.isPending || confirm.isPending}
            onChoose={(columns) => {
              setLeave([]);
              choose.mutate(columns, {
                onError: (error) => {
                  toast.error(sentenceOf(error, t("failed")));
                },
              });
            }}
          />
        )
      )}
      <Section title={t(first.done ? "became" : "rows")} className="mt-8">
        <ul aria-label={t(first.done ? "became" : "rows")} className="mt-2 flex flex-wrap gap-2">
          {(["", ...outcomes] as const)
            .filter((one) => one === "" || (counts[one] ?? 0) > 0)
            .map((one) => (
              <li key={one}>
                <button
                  type="button"
                  aria-pressed={what === one}
                  className={cn(
                    "min-h-9 rounded-full border border-rule-strong/60 bg-sheet px-3 text-[0.9375rem] hover:text-accent",
                    what === one && "border-accent font-medium text-accent",
                  )}
                  onClick={() => {
                    setWhat(one);
                  }}
                >
                  {one === ""
                    ? t("all", { count: all })
                    : `${t(first.done ? `made.${one}` : `what.${one}`)} (${String(counts[one] ?? 0)})`}
                </button>
              </li>
            ))}
        </ul>
        <ul className={cn("mt-3 border-t border-rule", (query.isPlaceholderData || choose.isPending) && "opacity-60")}>
          {rows.map((line) => (
            <Line
              key={line.row}
              line={line}
              done={first.done}
              left={leave.includes(line.row)}
              onLeave={
                first.done || first.begun
                  ? null
                  : (out) => {
                      setLeave((was) => (out ? [...was, line.row] : was.filter((one) => one !== line.row)));
                    }
              }
            />
          ))}
        </ul>
        {query.hasNextPage && (
          <Button
            size="small"
            className="mx-auto mt-3 flex"
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchingNextPage && <Spinner />}
            {t("more")}
          </Button>
        )}
      </Section>
      {!first.done && (
        <div className="sticky bottom-0 -mx-1 mt-6 border-t border-rule bg-paper px-1 py-3">
          {confirm.isPending ? (
            <>
              <p role="status">{t("importing", { done: doneOf(at), count: all })}</p>
              <Progress value={doneOf(at)} max={Math.max(1, all)} label={t("title")} className="mt-1" />
              <p className="mt-1 text-sm text-ink-soft">{t("keep")}</p>
            </>
          ) : (
            <>
              {first.begun && <p className="mb-2">{t("begun")}</p>}
              {confirm.error !== null && (
                <p role="alert" className="mb-2 text-overdue">
                  {sentenceOf(confirm.error, t("failed"))}
                </p>
              )}
              {count === 0 && !first.begun ? (
                <p role="status">{t("nothing")}</p>
              ) : (
                <Button
                  look="primary"
                  disabled={choose.isPending}
                  onClick={() => {
                    confirm.mutate({ leave, onProgress: setAt });
                  }}
                >
                  {first.begun ? t("goOn") : t("confirm", { count })}
                </Button>
              )}
            </>
          )}
        </div>
      )}
    </>
  );
}

/** The number of rows that have been dealt with. */
const doneOf = (at: RegisterImport | null) => at?.taken ?? 0;

type ColumnsProps = { found: RegisterImport; disabled: boolean; onChoose: (columns: Record<string, number>) => void };

/** The columns with their first cells, and a select for the content of each. */
function Columns({ found, disabled, onChoose }: ColumnsProps) {
  const { t } = useTranslation("import");
  const columns = found.columns ?? [];
  return (
    <Section title={t("columns")} className="mt-6">
      <p className="text-[0.9375rem] text-ink-soft">{t("columnsHint")}</p>
      <ul className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {columns.map(({ place, heading, samples, value }) => (
          <li key={place} className="min-w-0 border-t border-rule pt-2">
            <label className="block min-w-0">
              <span className="block font-medium break-words">
                {heading === "" ? t("column", { number: place + 1 }) : heading}
              </span>
              <span className="block truncate text-sm text-ink-soft tabular-nums">
                {(samples ?? []).map((one) => (/^\d{4}-\d\d-\d\d$/.test(one) ? day(one) : one)).join(" · ")}
              </span>
              <select
                value={value}
                disabled={disabled}
                className={cn(
                  "mt-1 min-h-10 w-full max-w-full rounded-lg border border-rule-strong/60 bg-sheet px-2 text-[0.9375rem]",
                  value === "" && "text-ink-soft",
                )}
                onChange={(event) => {
                  const chosen = event.target.value;
                  const next: Record<string, number> = {};
                  for (const one of columns)
                    if (one.value !== "" && one.value !== chosen && one.place !== place) next[one.value] = one.place;
                  if (chosen !== "") next[chosen] = place;
                  onChoose(next);
                }}
              >
                <option value="">{t("unused")}</option>
                {(found.values ?? []).map((one) => (
                  <option key={one} value={one}>
                    {t(`values.${one as "client"}`)}
                  </option>
                ))}
              </select>
            </label>
          </li>
        ))}
      </ul>
    </Section>
  );
}

type LineProps = { line: RegisterLine; done: boolean; left: boolean; onLeave: ((out: boolean) => void) | null };

const tones: Partial<Record<Outcome, string>> = {
  unclear: "text-overdue",
  refused: "text-due",
  known: "text-ink-soft",
  left_out: "text-ink-soft",
};

function Line({ line, done, left, onLeave }: LineProps) {
  const { t } = useTranslation("import");
  const said = [line.form, line.reference].filter((part) => part !== "").join(" · ");
  const days = [
    line.issued !== "" && t("issuedOn", { day: day(line.issued) }),
    line.due !== "" && t("dueOn", { day: day(line.due) }),
  ].filter(Boolean);
  const makes =
    line.what === "new_client" || line.what === "new_matter" || line.what === "attached" || line.what === "client";
  return (
    <li
      className={cn(
        "grid gap-x-4 gap-y-0.5 border-b border-rule py-2.5 md:grid-cols-[4.5rem_minmax(0,1.3fr)_minmax(0,1.5fr)_7rem]",
        left && "opacity-60",
      )}
    >
      <span className="text-sm text-ink-soft tabular-nums">{t("row", { row: line.row })}</span>
      <div className="min-w-0">
        <span className={cn("block font-medium break-words", left && "line-through")}>
          {line.client === "" ? "–" : line.client}
        </span>
        {said !== "" && <span className="block text-[0.9375rem] break-words">{said}</span>}
        {days.length > 0 && <span className="block text-sm text-ink-soft tabular-nums">{days.join(" · ")}</span>}
      </div>
      <div className="min-w-0 text-[0.9375rem]">
        <span className={cn("font-medium", tones[line.what])}>
          {t(done ? `made.${line.what}` : `what.${line.what}`)}
        </span>
        {(line.why ?? []).map((why, index) => (
          <span key={index} className="block text-sm break-words text-ink-soft">
            {say(why)}
          </span>
        ))}
        {line.matter !== null && (
          <Link
            to={`/app/practice/matters/${line.matter}`}
            className="inline-flex min-h-9 items-center text-sm text-accent underline-offset-4 hover:underline"
          >
            {t("open")}
          </Link>
        )}
      </div>
      {onLeave !== null && makes && (
        <label className="flex min-h-9 items-center gap-2 self-start text-sm">
          <input
            type="checkbox"
            className="size-4"
            checked={left}
            aria-label={t("leaveNamed", { row: line.row })}
            onChange={(event) => {
              onLeave(event.target.checked);
            }}
          />
          {t("leave")}
        </label>
      )}
    </li>
  );
}
