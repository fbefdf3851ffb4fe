import { useState } from "react";
import { useTranslation } from "react-i18next";
import { documentUrl, sentenceOf, type MatterPaper } from "@/lib/api";
import { day, today } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Field, Form } from "@/lib/ui/form";
import { Works } from "@/lib/works";
import { useFiled } from "./usePractice";

/** What was filed in answer to a notice, or a button to record it. */
export function Filed({ paper }: { paper: MatterPaper }) {
  const { t } = useTranslation("practice");
  const [open, setOpen] = useState(false);
  const { filed } = paper;
  if (filed === null && paper.passed) return null;
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 text-[0.9375rem]">
      {filed !== null && (
        <>
          <span>
            {t("filed.on", { day: day(filed.day) })} <span className="tabular-nums">{filed.arn}</span>
          </span>
          {filed.acknowledgement !== null && (
            <a
              href={documentUrl(filed.acknowledgement)}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-9 items-center text-accent underline-offset-4 hover:underline"
            >
              {t("filed.acknowledgement")}
            </a>
          )}
        </>
      )}
      <Works>
        <Button
          look="link"
          size="bare"
          className="min-h-9"
          onClick={() => {
            setOpen(true);
          }}
        >
          {t(filed === null ? "filed.note" : "filed.change")}
        </Button>
      </Works>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t("filed.title")} closeLabel={t("close")} holds className="max-w-md">
          <Note
            paper={paper}
            onDone={() => {
              setOpen(false);
            }}
          />
        </DialogContent>
      </Dialog>
    </div>
  );
}

function Note({ paper: { id, filed }, onDone }: { paper: MatterPaper; onDone: () => void }) {
  const { t } = useTranslation("practice");
  const { note, undo } = useFiled(id);
  const [arn, setArn] = useState(filed?.arn ?? "");
  const [on, setOn] = useState(filed?.day ?? today());
  const error = note.error ?? undo.error;
  const [file, setFile] = useState<File | null>(null);
  return (
    <div data-first>
      <Form
        onSubmit={() => {
          note.mutate({ arn, day: on, file }, { onSuccess: onDone });
        }}
        error={error === null ? null : sentenceOf(error, t("changeFailed"))}
        pending={note.isPending || undo.isPending}
        button={t("filed.save")}
      >
        <Field
          label={t("filed.arn")}
          hint={t("filed.arnHint")}
          autoComplete="off"
          maxLength={100}
          value={arn}
          onChange={(event) => {
            setArn(event.target.value);
          }}
        />
        <Field
          label={t("filed.day")}
          type="date"
          max={today()}
          value={on}
          onChange={(event) => {
            setOn(event.target.value);
          }}
        />
        <Field
          label={t("filed.file")}
          hint={t("filed.fileHint")}
          type="file"
          accept="application/pdf,image/*"
          required={false}
          className="mt-1.5 block w-full text-sm"
          onChange={(event) => {
            setFile(event.target.files?.[0] ?? null);
          }}
        />
      </Form>
      {filed !== null && (
        <Button
          look="quiet"
          className="mt-2 w-full"
          disabled={note.isPending || undo.isPending}
          onClick={() => {
            undo.mutate(undefined, { onSuccess: onDone });
          }}
        >
          {t("filed.undo")}
        </Button>
      )}
    </div>
  );
}
