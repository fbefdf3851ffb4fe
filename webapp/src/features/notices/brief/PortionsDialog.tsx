import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { focusNeighbour } from "@/lib/ui/neighbour";
import { fieldLook, Labelled } from "@/lib/ui/labelled";
import { heads, portionKinds, type Facts, type Portion, type PortionKind } from "./facts";
import { FormEnd } from "./FormEnd";
import { rupeesIn } from "./rupees";
import { useShared } from "./parts";
import type { Said } from "./useBrief";

type Props = { busy: boolean; error: string | null; onSave: (said: Said) => void; onClose: () => void };

/** A portion while it is edited; the key is only for the list. */
type Draft = Omit<Portion, "paise"> & { key: number; rupees: string };

/** The dialog in which a person says since when which part of the tax has been unpaid, since interest starts then. */
export function PortionsDialog({ busy, error, onSave, onClose }: Props) {
  const { t } = useTranslation("notices");
  const { facts } = useShared();
  const [drafts, setDrafts] = useState(() => begin(facts));
  const change = (key: number, over: Partial<Draft>) => {
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...over } : draft)));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <DialogContent title={t("portions.title")} closeLabel={t("correct.close")} className="max-w-2xl">
        <form
          className="mt-2 space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            onSave({ field: "portions", value: drafts.map(portion) });
          }}
        >
          <p className="text-sm text-ink-soft">{t("portions.hint")}</p>
          <div className="max-h-[50vh] space-y-4 overflow-y-auto">
            {drafts.map((draft, index) => (
              <fieldset key={draft.key} className="rounded-lg border border-rule p-3">
                <legend className="px-1 text-sm font-medium">{t("portions.part", { number: index + 1 })}</legend>
                <div className="grid grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1.5fr]">
                  <Labelled
                    label={t("portions.label")}
                    hint={t("portions.labelHint")}
                    className="col-span-2 sm:col-span-1"
                  >
                    {(id) => (
                      <input
                        id={id}
                        value={draft.label}
                        autoComplete="off"
                        className={fieldLook}
                        onChange={(event) => {
                          change(draft.key, { label: event.target.value });
                        }}
                      />
                    )}
                  </Labelled>
                  <Labelled label={t("portions.head")}>
                    {(id) => (
                      <select
                        id={id}
                        value={draft.head}
                        className={fieldLook}
                        onChange={(event) => {
                          change(draft.key, { head: event.target.value });
                        }}
                      >
                        {heads.map((head) => (
                          <option key={head}>{head}</option>
                        ))}
                      </select>
                    )}
                  </Labelled>
                  <Labelled label={t("portions.amount")}>
                    {(id) => (
                      <input
                        id={id}
                        inputMode="decimal"
                        value={draft.rupees}
                        autoComplete="off"
                        className={fieldLook}
                        onChange={(event) => {
                          change(draft.key, { rupees: event.target.value });
                        }}
                      />
                    )}
                  </Labelled>
                  <Labelled label={t("portions.kind")} className="col-span-2 sm:col-span-1">
                    {(id) => (
                      <select
                        id={id}
                        value={draft.kind}
                        className={fieldLook}
                        onChange={(event) => {
                          change(draft.key, { kind: event.target.value as PortionKind });
                        }}
                      >
                        {portionKinds.map((kind) => (
                          <option key={kind} value={kind}>
                            {t(`portions.kinds.${kind}`)}
                          </option>
                        ))}
                      </select>
                    )}
                  </Labelled>
                  <Labelled label={t(draft.kind === "credit" ? "portions.fromCredit" : "portions.from")}>
                    {(id) => (
                      <input
                        id={id}
                        type="date"
                        value={draft.from}
                        className={fieldLook}
                        onChange={(event) => {
                          change(draft.key, { from: event.target.value });
                        }}
                      />
                    )}
                  </Labelled>
                  <Labelled label={t("portions.to")}>
                    {(id) => (
                      <input
                        id={id}
                        type="date"
                        value={draft.to}
                        className={fieldLook}
                        onChange={(event) => {
                          change(draft.key, { to: event.target.value });
                        }}
                      />
                    )}
                  </Labelled>
                </div>
                <Button
                  look="quiet"
                  size="small"
                  className="mt-1 -ml-3"
                  aria-label={t("portions.remove", { number: index + 1 })}
                  onClick={(event) => {
                    focusNeighbour(event.currentTarget);
                    setDrafts(drafts.filter(({ key }) => key !== draft.key));
                  }}
                >
                  <Trash2 aria-hidden />
                  {t("portions.removeShort")}
                </Button>
              </fieldset>
            ))}
          </div>
          <Button
            size="small"
            onClick={() => {
              setDrafts([...drafts, blank(drafts)]);
            }}
          >
            <Plus aria-hidden />
            {t("portions.add")}
          </Button>
          <FormEnd error={error} busy={busy} onCancel={onClose} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** Returns the portions given before, or else the tax of the notice by head. */
function begin(facts: Facts): Draft[] {
  if (facts.portions.length > 0)
    return facts.portions.map(({ paise, ...part }, key) => ({ ...part, key, rupees: String(paise / 100) }));
  const claimed = (facts.demand?.rows ?? []).filter(({ head, tax }) => tax > 0 && heads.some((one) => one === head));
  const drafts = claimed.map(({ head, tax }, key): Draft => ({
    key,
    label: "",
    head,
    rupees: String(tax),
    kind: "short_paid",
    from: "",
    to: "",
  }));
  return drafts.length > 0 ? drafts : [blank([])];
}

/** Returns a new portion, similar to the last one. */
function blank(drafts: Draft[]): Draft {
  const last = drafts.at(-1);
  return {
    key: Math.max(-1, ...drafts.map(({ key }) => key)) + 1,
    label: "",
    head: last?.head ?? heads[0],
    rupees: "",
    kind: last?.kind ?? "short_paid",
    from: "",
    to: "",
  };
}

/** Converts a portion for the server. An invalid amount becomes 0, which the server refuses. */
function portion({ label, head, rupees, kind, from, to }: Draft): Portion {
  return { label: label.trim(), head, kind, from, to, paise: Math.round((rupeesIn(rupees) ?? 0) * 100) };
}
