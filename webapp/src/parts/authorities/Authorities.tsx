import { Paperclip, Plus } from "lucide-react";
import { useId, useRef, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { documentUrl, sentenceOf, type Authority, type NewAuthority } from "@/lib/api";
import { EvidenceLink, useOpenEvidence } from "@/parts/document";
import { day } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { fieldLook, Labelled } from "@/lib/ui/labelled";
import { RemoveButton } from "@/lib/ui/remove";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { useAuthorities } from "./useAuthorities";

/** The judgments and other authorities that the person supplied: answers may cite no others. */
export function Authorities({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation("authorities");
  const { query, add, attach, remove, restore } = useAuthorities(conversationId);
  const [adding, setAdding] = useState(false);
  const list = query.data?.authorities ?? [];

  const tell = (error: unknown) => {
    toast.error(sentenceOf(error, t("failed")));
  };
  const keep = (authority: NewAuthority, file: File | null) => {
    add.mutate(authority, {
      onSuccess: (added) => {
        setAdding(false);
        if (file === null) return;
        attach.mutate(
          { authority: added.id, file },
          {
            onError: (error) =>
              toast.error(t("pdfFailed", { sentence: sentenceOf(error, t("failed")) }), {
                duration: 12_000,
              }),
          },
        );
      },
    });
  };
  const take = ({ id, citation }: Authority) => {
    remove.mutate(id, {
      onSuccess: () => {
        toast(t("removed", { citation }), {
          duration: 30_000,
          action: {
            label: t("undo"),
            onClick: () => {
              restore.mutate(id, { onError: tell });
            },
          },
        });
      },
      onError: tell,
    });
  };

  return (
    <>
      <p className="text-sm text-ink-soft">
        {list.length === 0 && `${t("none")} `}
        {t("whole")}
      </p>
      {query.isError && (
        <p role="alert" className="mt-1 text-[0.9375rem]">
          {t("loadFailed")}
        </p>
      )}
      {list.length > 0 && (
        <ul className="mt-1 text-[0.9375rem]">
          {list.map((authority) => (
            <Item
              key={authority.id}
              authority={authority}
              busy={attach.isPending}
              onAttach={(file) => {
                attach.mutate({ authority: authority.id, file }, { onError: tell });
              }}
              onRemove={() => {
                take(authority);
              }}
            />
          ))}
        </ul>
      )}
      <Works>
        <Button
          look="quiet"
          size="small"
          className="mt-1 -ml-3 print:hidden"
          onClick={() => {
            add.reset();
            setAdding(true);
          }}
        >
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </Works>
      {adding && (
        <AddAuthority
          busy={add.isPending}
          error={add.error === null ? null : sentenceOf(add.error, t("failed"))}
          onAdd={keep}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </>
  );
}

type ItemProps = { authority: Authority; busy: boolean; onAttach: (file: File) => void; onRemove: () => void };

function Item({ authority, busy, onAttach, onRemove }: ItemProps) {
  const { t } = useTranslation("authorities");
  const { citation, court, date, proposition, document_id: documentId, reading } = authority;
  const from = [court, date === "" ? "" : day(date)].filter((part) => part !== "");
  return (
    <li className="flex items-start gap-2.5 border-b border-rule py-2">
      <span className="min-w-0 flex-1">
        {citation}
        {from.length > 0 && <span className="block text-sm text-ink-soft">{from.join(", ")}</span>}
        {proposition !== "" && <span className="block font-serif text-sm text-ink-soft">{proposition}</span>}
        <span className="block text-sm print:hidden">
          {documentId === null ? (
            <Works>
              <PickPdf label={t("attach", { citation })} busy={busy} onPick={onAttach} />
            </Works>
          ) : (
            <OpenPdf documentId={documentId} citation={citation} />
          )}
          {reading && <span className="ml-2 text-ink-soft">{t("reading")}</span>}
        </span>
      </span>
      <Works>
        <RemoveButton
          className="-my-1 print:hidden"
          title={t("remove", { citation })}
          label={t("remove", { citation })}
          onRemove={onRemove}
        />
      </Works>
    </li>
  );
}

/** Opens the PDF next to the conversation if documents are shown there, else in a new tab. */
function OpenPdf({ documentId, citation }: { documentId: string; citation: string }) {
  const { t } = useTranslation("authorities");
  const beside = useOpenEvidence() !== null;
  const label = t("open", { citation });
  if (beside) {
    return (
      <EvidenceLink evidence={{ documentId, page: 1, quote: null }} label={label}>
        {t("openShort")}
      </EvidenceLink>
    );
  }
  return (
    <a
      href={documentUrl(documentId)}
      aria-label={label}
      target="_blank"
      rel="noopener"
      className="text-accent underline underline-offset-2"
    >
      {t("openShort")}
    </a>
  );
}

function PickPdf({ label, busy, onPick }: { label: string; busy: boolean; onPick: (file: File) => void }) {
  const { t } = useTranslation("authorities");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/pdf"
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file !== undefined) onPick(file);
        }}
      />
      <Button
        look="link"
        size="bare"
        className="text-sm"
        disabled={busy}
        aria-label={label}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden className="size-3.5!" />
        {t("attachShort")}
      </Button>
    </>
  );
}

type AddProps = {
  busy: boolean;
  error: string | null;
  onAdd: (authority: NewAuthority, file: File | null) => void;
  onClose: () => void;
};

function AddAuthority({ busy, error, onAdd, onClose }: AddProps) {
  const { t } = useTranslation(["authorities", "conversation"]);
  const hint = useId();
  const [draft, setDraft] = useState({ citation: "", court: "", date: "", proposition: "" });
  const [file, setFile] = useState<File | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAdd(draft, file);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <DialogContent title={t("add")} closeLabel={t("conversation:authorities.close")}>
        <form data-first className="mt-2 space-y-4" onSubmit={submit}>
          <Labelled label={t("citation")} hint={t("citationHint")}>
            {(id) => (
              <input
                id={id}
                value={draft.citation}
                maxLength={600}
                autoComplete="off"
                className={fieldLook}
                onChange={(event) => {
                  setDraft({ ...draft, citation: event.target.value });
                }}
              />
            )}
          </Labelled>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-[3fr_2fr]">
            <Labelled label={t("court")}>
              {(id) => (
                <input
                  id={id}
                  value={draft.court}
                  maxLength={200}
                  autoComplete="off"
                  className={fieldLook}
                  onChange={(event) => {
                    setDraft({ ...draft, court: event.target.value });
                  }}
                />
              )}
            </Labelled>
            <Labelled label={t("date")}>
              {(id) => (
                <input
                  id={id}
                  type="date"
                  value={draft.date}
                  className={fieldLook}
                  onChange={(event) => {
                    setDraft({ ...draft, date: event.target.value });
                  }}
                />
              )}
            </Labelled>
          </div>
          <Labelled label={t("proposition")}>
            {(id) => (
              <textarea
                id={id}
                rows={3}
                value={draft.proposition}
                maxLength={3000}
                className={`${fieldLook} resize-y py-2`}
                onChange={(event) => {
                  setDraft({ ...draft, proposition: event.target.value });
                }}
              />
            )}
          </Labelled>
          <Labelled label={t("pdf")}>
            {(id) => (
              <input
                id={id}
                type="file"
                accept="application/pdf"
                aria-describedby={hint}
                className="mt-1 block w-full text-sm file:mr-3 file:min-h-9 file:rounded-lg file:border file:border-rule-strong/60 file:bg-sheet file:px-3"
                onChange={({ target }) => {
                  setFile(target.files?.[0] ?? null);
                }}
              />
            )}
          </Labelled>
          <p id={hint} className="text-sm text-ink-soft">
            {t("pdfHint")}
          </p>
          {error !== null && (
            <p role="alert" className="text-[0.9375rem] text-overdue">
              {error}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{t("cancel")}</Button>
            <Button type="submit" look="primary" disabled={busy}>
              {busy && <Spinner />}
              {t("save")}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
