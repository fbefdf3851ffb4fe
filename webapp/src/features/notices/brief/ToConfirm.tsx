import { ScanText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EvidenceCrop } from "@/parts/document";
import { Button } from "@/lib/ui/button";
import { PlaceLink, Section, shown, useShared } from "./parts";

/** Asks to confirm what was read by text recognition and checked by nobody: one wrong digit could lose the case. */
export function ToConfirm({ busy, onConfirm }: { busy: boolean; onConfirm: (field: string) => void }) {
  const { t } = useTranslation("notices");
  const { facts, documentId, correct } = useShared();
  if (facts.unsure.length === 0) return null;
  const values: Partial<Record<string, unknown>> = {
    reply_due: facts.replyDue.date,
    issue_date: facts.issueDate,
    gstin: facts.gstin,
    reference: facts.reference,
    din: facts.din,
  };
  return (
    <Section
      title={t("confirm.title")}
      icon={<ScanText aria-hidden />}
      className="rounded-xl border border-due/40 bg-due-soft/40 p-4 print:hidden"
    >
      <p className="text-sm text-ink-soft">{t("confirm.hint")}</p>
      <ul className="mt-2 space-y-3">
        {facts.unsure.map((field) => {
          const place = facts.evidence[field];
          const name = t(`field.${field as "form"}`);
          if (place === undefined) return null;
          return (
            <li key={field} className="text-[0.9375rem]">
              <p>
                <span className="text-sm text-ink-soft">{name}: </span>
                <strong className="font-medium tabular-nums">
                  {shown(field, values[field]) ?? t("confirm.uncounted")}
                </strong>
              </p>
              {documentId !== null && place.quote !== "" && (
                <EvidenceCrop documentId={documentId} page={place.page} quote={place.quote} />
              )}
              <p className="text-sm text-ink-soft">
                {t("confirm.quote", { quote: place.quote })}{" "}
                <PlaceLink page={place.page} quote={place.quote === "" ? null : place.quote} />
              </p>
              <p className="mt-1 flex gap-2">
                <Button
                  size="small"
                  disabled={busy}
                  aria-label={t("confirm.rightLabel", { field: name })}
                  onClick={() => {
                    onConfirm(field);
                  }}
                >
                  {t("confirm.right")}
                </Button>
                <Button
                  look="quiet"
                  size="small"
                  disabled={correct === null}
                  aria-label={t("confirm.wrongLabel", { field: name })}
                  onClick={() => {
                    correct?.(field);
                  }}
                >
                  {t("confirm.wrong")}
                </Button>
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
