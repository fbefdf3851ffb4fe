import type { TFunction } from "i18next";
import { Check, CloudOff } from "lucide-react";
import { memo, useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { sentenceOf, type ReplyPoint } from "@/lib/api";
import { EvidenceLink } from "@/parts/document";
import { Conflict } from "@/parts/draft";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Spinner } from "@/lib/ui/spinner";
import { Chosen } from "./Chosen";
import { useSaying, type Said } from "./useSaying";

const stances = ["", "deny", "explain", "admit"] as const;
// The server's limit is in bytes, and a Hindi letter takes three.
const mostFacts = 2_700;

type PointRowProps = {
  conversation: string;
  point: ReplyPoint;
  /** The requested papers, and the citations that the person supplied. */
  papers: string[];
  authorities: string[];
};

/** A row of the table: an allegation, and the answer to it. */
export const PointRow = memo(function PointRow({ conversation, point, papers, authorities }: PointRowProps) {
  const { t } = useTranslation("reply");
  const { shown, state, error, conflict, say, type, leave, again } = useSaying(conversation, point);
  const name = nameOf(point, t);
  const facts = useId();
  const proposesFacts = point.facts_proposed && shown.facts === point.facts;
  return (
    <tr
      id={`point-${point.key}`}
      className={cn(
        "grid scroll-mt-4 gap-x-4 gap-y-3 border-t border-rule py-4 @min-[38rem]:grid-cols-[minmax(0,4fr)_minmax(0,5fr)] @min-[38rem]:grid-rows-[auto_auto_1fr_auto] @min-[60rem]:table-row [&>*]:block @min-[60rem]:[&>*]:table-cell @min-[60rem]:[&>*]:px-2 @min-[60rem]:[&>*]:py-3 @min-[60rem]:[&>*]:align-top",
        "@min-[60rem]:border-t-0 @min-[60rem]:[&>*]:border-t @min-[60rem]:[&>*]:border-rule",
      )}
    >
      <th scope="row" className="text-left font-normal @min-[38rem]:col-span-2 @min-[60rem]:pl-0!">
        <span className="font-medium">{name}</span> <Place point={point} />
      </th>
      <Cell
        label={t("column.alleged")}
        className="@min-[38rem]:col-start-1 @min-[38rem]:row-span-2 @min-[38rem]:row-start-2"
      >
        <Alleged text={point.alleged} name={name} />
      </Cell>
      <Cell label={t("column.stance")} className="@min-[38rem]:col-start-2 @min-[38rem]:row-start-2">
        <fieldset className="min-w-0">
          <legend className="sr-only">{t("stanceOf", { name })}</legend>
          <div className="flex flex-wrap gap-1">
            {stances.map((stance) => (
              <label
                key={stance}
                className={cn(
                  "flex min-h-10 flex-[1_0_7rem] cursor-pointer items-center gap-1.5 rounded-lg border px-2 text-sm whitespace-nowrap has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent",
                  shown.stance === stance
                    ? stance === ""
                      ? "border-due text-due"
                      : "border-accent bg-accent-soft text-accent"
                    : "border-rule text-ink-soft hover:border-rule-strong hover:text-ink",
                )}
              >
                <input
                  type="radio"
                  name={`stance-${facts}`}
                  value={stance}
                  checked={shown.stance === stance}
                  className="size-4 shrink-0 accent-accent outline-none"
                  onChange={() => {
                    say({ stance });
                  }}
                />
                {t(`stance.${stance === "" ? "none" : stance}`)}
              </label>
            ))}
          </div>
          {shown.stance === "admit" && <p className="mt-1 text-sm text-due">{t("youAdmit")}</p>}
          {shown.stance === "" && shown.proposed !== "" && (
            <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
              {t(`proposed.${shown.proposed}`)}
              <Button
                look="link"
                size="bare"
                className="text-sm"
                aria-label={t("acceptOf", { name, stance: t(`stance.${shown.proposed}`) })}
                onClick={() => {
                  say({ stance: shown.proposed });
                }}
              >
                {t("accept")}
              </Button>
            </p>
          )}
        </fieldset>
      </Cell>
      <Cell
        label={t("column.facts")}
        className="@min-[38rem]:col-start-2 @min-[38rem]:row-span-2 @min-[38rem]:row-start-3"
      >
        {conflict !== null ? (
          <Conflict
            mine={wordsOf(conflict.mine, t)}
            theirs={wordsOf(conflict.theirs, t)}
            saving={state === "saving"}
            onMine={conflict.keepMine}
            onTheirs={conflict.takeTheirs}
          />
        ) : (
          <textarea
            id={facts}
            aria-label={t("factsOf", { name })}
            value={shown.facts}
            rows={3}
            maxLength={mostFacts}
            placeholder={t("factsHint")}
            className={cn(
              "field-sizing-content max-h-72 min-h-20 w-full resize-y rounded-lg border bg-sheet px-3 py-2 text-[0.9375rem] placeholder:text-ink-soft",
              proposesFacts ? "border-dashed border-rule-strong text-ink-soft" : "border-rule-strong/60",
            )}
            onChange={(event) => {
              type(event.target.value);
            }}
            onBlur={leave}
          />
        )}
        <span className="flex min-h-6 flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          {proposesFacts && (
            <>
              {t("factsProposed")}
              <Button
                look="link"
                size="bare"
                className="text-sm"
                aria-label={t("keepFactsOf", { name })}
                onClick={() => {
                  say({ facts: shown.facts });
                }}
              >
                {t("keepFacts")}
              </Button>
            </>
          )}
          <Saved state={state} error={error} onAgain={again} />
        </span>
      </Cell>
      <Cell label={t("column.support")} className="@min-[38rem]:col-start-1 @min-[38rem]:row-start-4">
        <div className="space-y-2">
          <Chosen
            label={t("documentsOf", { name })}
            chosen={shown.documents ?? []}
            offered={[...new Set([...(point.suggested ?? []), ...papers])]}
            free
            addLabel={t("addDocument")}
            empty=""
            onChange={(documents) => {
              say({ documents });
            }}
          />
          {(authorities.length > 0 || (shown.authorities ?? []).length > 0) && (
            <Chosen
              label={t("authoritiesOf", { name })}
              chosen={shown.authorities ?? []}
              offered={authorities}
              free={false}
              addLabel={t("addAuthority")}
              empty=""
              onChange={(chosen) => {
                say({ authorities: chosen });
              }}
            />
          )}
        </div>
      </Cell>
    </tr>
  );
});

/** Returns the answer to an allegation as a text for comparison, one paragraph for each part. */
function wordsOf({ stance, facts, documents, authorities }: Said, t: TFunction<"reply">): string {
  const names = (list: string[]) => (list.length === 0 ? t("conflict.none") : list.join("; "));
  return [
    stance === undefined ? "" : t(`stance.${stance === "" ? "none" : stance}`),
    facts === "" ? t("conflict.noFacts") : (facts ?? ""),
    documents === undefined ? "" : t("conflict.documents", { names: names(documents) }),
    authorities === undefined ? "" : t("conflict.authorities", { names: names(authorities) }),
  ]
    .filter((line) => line !== "")
    .join("\n\n");
}

/** A cell, with its heading inside where the table shows no headings. */
function Cell({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <td className={cn("min-w-0", className)}>
      <span aria-hidden className="mb-1 block text-sm text-ink-soft @min-[60rem]:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}

/** The place of an allegation in the notice. */
export function Place({ point }: { point: ReplyPoint }) {
  const { t } = useTranslation("reply");
  if (point.page === 0) return null;
  return (
    <span className="text-sm whitespace-nowrap">
      <EvidenceLink
        evidence={{ page: point.page, quote: beginning(point.alleged), loose: true }}
        label={t("pageOf", { page: point.page, name: nameOf(point, t) })}
      >
        {t("page", { page: point.page })}
      </EvidenceLink>
    </span>
  );
}

// Enough to mark the place, without a following table or footer.
const marked = 160;

/** Returns the first words of an allegation, with which its place is found. */
export function beginning(alleged: string): string | null {
  const first = /^.*?[.:;](?=\s)/u.exec(alleged)?.[0] ?? alleged;
  const words = first.length >= 24 ? first : alleged;
  const cut = words.length <= marked ? words : words.slice(0, words.lastIndexOf(" ", marked));
  return cut.trim() === "" ? null : cut.trim();
}

// A longer text is folded at first.
const long = 260;

function Alleged({ text, name }: { text: string; name: string }) {
  const { t } = useTranslation("reply");
  const [whole, setWhole] = useState(false);
  if (text === "") return <p className="text-ink-soft">{t("noWords")}</p>;
  return (
    <>
      <p className={cn("font-serif text-[0.9375rem]", !whole && text.length > long && "line-clamp-6")}>{text}</p>
      {text.length > long && (
        <Button
          look="link"
          size="bare"
          className="text-sm"
          aria-expanded={whole}
          aria-label={t(whole ? "lessOf" : "moreOf", { name })}
          onClick={() => {
            setWhole(!whole);
          }}
        >
          {t(whole ? "less" : "more")}
        </Button>
      )}
    </>
  );
}

function Saved({
  state,
  error,
  onAgain,
}: {
  state: ReturnType<typeof useSaying>["state"];
  error: unknown;
  onAgain: () => void;
}) {
  const { t } = useTranslation("reply");
  return (
    <span role="status" className="flex items-center gap-1.5">
      {state === "saving" && (
        <>
          <Spinner className="size-3.5" />
          {t("saving")}
        </>
      )}
      {state === "saved" && (
        <>
          <Check aria-hidden className="size-4 text-safe" />
          {t("saved")}
        </>
      )}
      {state === "failed" && (
        <>
          <CloudOff aria-hidden className="size-4 shrink-0 text-overdue" />
          <span className="text-overdue">{sentenceOf(error, t("saveFailed"))}</span>
          <Button look="link" size="bare" className="text-sm" onClick={onAgain}>
            {t("again")}
          </Button>
        </>
      )}
    </span>
  );
}

/** Returns the name of an allegation. */
export function nameOf(
  { number, key }: ReplyPoint,
  t: (key: "paragraph" | "allegation" | "whole", words?: { number: string }) => string,
): string {
  if (number !== "") return t("paragraph", { number: number.replace(/[.)\s]+$/u, "") });
  return t(key === "whole" ? "whole" : "allegation");
}
