import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EvidenceCrop } from "@/parts/document";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { fieldLook, Labelled } from "@/lib/ui/labelled";
import { heads, parts, type Facts } from "./facts";
import { FormEnd } from "./FormEnd";
import { rupeesIn } from "./rupees";
import { useShared } from "./parts";
import type { Said } from "./useBrief";

type Props = { field: string; busy: boolean; error: string | null; onSave: (said: Said) => void; onClose: () => void };

const dates = ["issue_date", "served_on", "reply_due"];

/** The dialog in which a person corrects what was read. */
export function CorrectFact({ field, busy, error, onSave, onClose }: Props) {
  const { t } = useTranslation("notices");
  const { facts, documentId } = useShared();
  const name = t(`field.${field as "form"}`);
  const place = facts.evidence[field];
  const [draft, setDraft] = useState(() => begin(field, facts));
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <DialogContent
        title={t(field === "served_on" ? "correct.service" : "correct.title", { field: name })}
        closeLabel={t("correct.close")}
      >
        <form
          data-first
          className="mt-2 space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            onSave({ field, value: end(field, draft) });
          }}
        >
          {place !== undefined && place.quote !== "" && (
            <div className="space-y-1.5">
              {documentId !== null && <EvidenceCrop documentId={documentId} page={place.page} quote={place.quote} />}
              <p className="text-sm text-ink-soft">{t("correct.quote", { page: place.page, quote: place.quote })}</p>
            </div>
          )}
          {field === "served_on" && <p className="text-sm text-ink-soft">{t("correct.serviceHint")}</p>}
          {field === "demand" ? (
            <DemandFields
              demand={draft.demand}
              onChange={(demand) => {
                setDraft({ ...draft, demand });
              }}
            />
          ) : field === "hearing" ? (
            <>
              <Labelled label={t("correct.date")}>
                {(id) => (
                  <input
                    id={id}
                    type="date"
                    value={draft.text}
                    className={fieldLook}
                    onChange={(event) => {
                      setDraft({ ...draft, text: event.target.value });
                    }}
                  />
                )}
              </Labelled>
              <Labelled label={t("correct.time")}>
                {(id) => (
                  <input
                    id={id}
                    type="time"
                    value={draft.time}
                    className={fieldLook}
                    onChange={(event) => {
                      setDraft({ ...draft, time: event.target.value });
                    }}
                  />
                )}
              </Labelled>
              <Labelled label={t("correct.venue")}>
                {(id) => (
                  <input
                    id={id}
                    value={draft.venue}
                    className={fieldLook}
                    onChange={(event) => {
                      setDraft({ ...draft, venue: event.target.value });
                    }}
                  />
                )}
              </Labelled>
            </>
          ) : (
            <Labelled label={name}>
              {(id) => (
                <input
                  id={id}
                  type={dates.includes(field) ? "date" : "text"}
                  value={draft.text}
                  autoComplete="off"
                  spellCheck={false}
                  aria-describedby={`${id}-hint`}
                  className={fieldLook}
                  onChange={(event) => {
                    setDraft({ ...draft, text: event.target.value });
                  }}
                />
              )}
            </Labelled>
          )}
          <p className="text-sm text-ink-soft">{field === "periods" ? t("correct.yearsHint") : t("correct.hint")}</p>
          <FormEnd error={error} busy={busy} onCancel={onClose} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

type Amounts = Partial<Record<string, string>>;
type Draft = { text: string; time: string; venue: string; demand: { cells: Amounts; total: string } };

const cell = (head: string, part: string) => `${head} ${part}`;

function DemandFields({ demand, onChange }: { demand: Draft["demand"]; onChange: (demand: Draft["demand"]) => void }) {
  const { t } = useTranslation("notices");
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr>
            <td />
            {parts.map((part) => (
              <th key={part} scope="col" className="px-1 pb-1 text-left font-medium">
                {t(`facts.partName.${part}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heads.map((head) => (
            <tr key={head}>
              <th scope="row" className="pr-2 text-left font-medium">
                {head}
              </th>
              {parts.map((part) => (
                <td key={part} className="p-0.5">
                  <input
                    inputMode="decimal"
                    aria-label={t("correct.amount", { head, part: t(`facts.partName.${part}`) })}
                    value={demand.cells[cell(head, part)] ?? ""}
                    className="min-h-10 w-24 rounded border border-rule-strong/60 bg-sheet px-2 text-right"
                    onChange={(event) => {
                      onChange({ ...demand, cells: { ...demand.cells, [cell(head, part)]: event.target.value } });
                    }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Labelled label={t("correct.total")}>
        {(id) => (
          <input
            id={id}
            inputMode="decimal"
            value={demand.total}
            className={fieldLook}
            onChange={(event) => {
              onChange({ ...demand, total: event.target.value });
            }}
          />
        )}
      </Labelled>
    </div>
  );
}

/** Returns the initial value of a field in the dialog. */
function begin(field: string, facts: Facts): Draft {
  const values: Partial<Record<string, string | null>> = {
    form: facts.form,
    reference: facts.reference,
    din: facts.din,
    issue_date: facts.issueDate,
    served_on: facts.servedOn,
    gstin: facts.gstin,
    legal_name: facts.legalName,
    trade_name: facts.tradeName,
    officer: facts.officer.designation,
    periods: facts.periods.join(", "),
    reply_due: facts.replyDue.date,
    hearing: facts.hearing?.date ?? null,
  };
  const cells: Amounts = {};
  for (const row of facts.demand?.rows ?? []) {
    for (const part of parts) if (row[part] !== 0) cells[cell(row.head, part)] = String(row[part]);
  }
  return {
    text: values[field] ?? "",
    time: facts.hearing?.time ?? "",
    venue: facts.hearing?.venue ?? "",
    demand: { cells, total: facts.demand?.total == null ? "" : String(facts.demand.total) },
  };
}

/** Returns the value for the server: null if the notice has none. */
function end(field: string, draft: Draft): unknown {
  const text = draft.text.trim();
  if (field === "demand") return demandOf(draft.demand);
  if (text === "") return null;
  if (field === "periods")
    return text
      .split(/[,;\s]+/)
      .filter((year) => year !== "")
      .map((fy) => ({ fy }));
  if (field === "hearing")
    return {
      date: text,
      time: draft.time === "" ? null : draft.time,
      venue: draft.venue.trim() === "" ? null : draft.venue.trim(),
    };
  return text;
}

function demandOf({ cells, total }: Draft["demand"]): unknown {
  const rows = heads.flatMap((head) => {
    const written = parts
      .map((part) => [part, cells[cell(head, part)]?.trim() ?? ""] as const)
      .filter(([, text]) => text !== "");
    return written.length === 0
      ? []
      : [{ head, ...Object.fromEntries(written.map(([part, text]) => [part, rupeesIn(text) ?? text])) }];
  });
  if (rows.length === 0 && total.trim() === "") return null;
  return { rows, total: total.trim() === "" ? null : (rupeesIn(total) ?? total) };
}
