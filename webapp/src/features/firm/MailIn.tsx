import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  addMailSender,
  mailInOptions,
  mailInQueryKey,
  removeMailSender,
  renewMailAddress,
  sentenceOf,
  settleMail,
  type QuarantinedMail,
} from "@/lib/api";
import { moment } from "@/lib/format";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { CopyText } from "@/lib/ui/copy";
import { Field, Form } from "@/lib/ui/form";
import { RemoveButton } from "@/lib/ui/remove";
import { useFirmChange } from "./useFirm";

/** Receiving papers by e-mail: the firm's secret address, the accepted senders, and the mails in quarantine. */
export function MailIn({ manages }: { manages: boolean }) {
  const { t } = useTranslation("firm");
  const queries = useQueryClient();
  const { data } = useQuery(mailInOptions());
  const [sender, setSender] = useState("");
  const [sure, setSure] = useState(false);
  const again = { onSuccess: () => queries.invalidateQueries({ queryKey: mailInQueryKey() }) };
  const renew = useFirmChange({ mutationFn: () => renewMailAddress({ throwOnError: true }), ...again });
  const add = useFirmChange({
    mutationFn: (address: string) => addMailSender({ body: { address }, throwOnError: true }),
    onSuccess: async () => {
      setSender("");
      await again.onSuccess();
    },
  });
  const remove = useFirmChange({
    mutationFn: (id: string) => removeMailSender({ path: { id }, throwOnError: true }),
    ...again,
  });
  if (data === undefined) return null;
  if (!data.on) return <p className="mt-1 text-ink-soft">{t("mailIn.off")}</p>;
  const error = renew.error ?? remove.error;
  const senders = data.senders ?? [];
  return (
    <div className="mt-1 text-[0.9375rem]">
      <p>{t("mailIn.what")}</p>
      {data.address === "" ? (
        !manages && <p className="mt-2 text-ink-soft">{t("mailIn.none")}</p>
      ) : (
        <>
          <p className="mt-3 rounded-lg border border-rule bg-paper p-3 text-sm break-all select-all">{data.address}</p>
          <div className="mt-1 pl-3">
            <CopyText
              text={data.address}
              label={t("mailIn.copy")}
              done={t("invitations.copied")}
              failed={t("invitations.copyFailed")}
            />
          </div>
        </>
      )}
      {manages && (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {sure && <span className="text-ink-soft">{t("mailIn.sure")}</span>}
          <Button
            size="small"
            disabled={renew.isPending}
            onClick={() => {
              if (data.address !== "" && !sure) {
                setSure(true);
                return;
              }
              setSure(false);
              renew.mutate(undefined);
            }}
          >
            {t(data.address === "" ? "mailIn.make" : sure ? "mailIn.renewNow" : "mailIn.renew")}
          </Button>
        </div>
      )}
      <h3 className="mt-5 font-medium">{t("mailIn.senders")}</h3>
      {senders.length === 0 && <p className="mt-1 text-ink-soft">{t("mailIn.noSenders")}</p>}
      <ul>
        {senders.map(({ id, address }) => (
          <li key={id} className="flex items-center justify-between gap-3 border-b border-rule py-1">
            <span className="min-w-0 break-all">{address}</span>
            {manages && (
              <RemoveButton
                disabled={remove.isPending}
                title={t("mailIn.remove")}
                label={t("mailIn.removeNamed", { address })}
                onRemove={() => {
                  remove.mutate(id);
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {manages && (
        <div className="max-w-md">
          <Form
            onSubmit={() => {
              add.mutate(sender.trim());
            }}
            error={add.error === null ? null : sentenceOf(add.error, t("changeFailed"))}
            pending={add.isPending}
            disabled={sender.trim() === ""}
            button={t("mailIn.add")}
          >
            <Field
              label={t("mailIn.sender")}
              type="email"
              maxLength={320}
              value={sender}
              onChange={(event) => {
                setSender(event.target.value);
              }}
            />
          </Form>
        </div>
      )}
      {error !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(error, t("changeFailed"))}
        </p>
      )}
      <h3 className="mt-5 font-medium">{t("mailIn.quarantine")}</h3>
      <Quarantine mails={data.quarantine ?? []} />
    </div>
  );
}

function Quarantine({ mails }: { mails: QuarantinedMail[] }) {
  const { t } = useTranslation("firm");
  const queries = useQueryClient();
  const settle = useFirmChange({
    mutationFn: ({ id, accept }: { id: string; accept: boolean }) =>
      settleMail({ path: { id }, body: { accept }, throwOnError: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: mailInQueryKey() }),
  });
  if (mails.length === 0) return <p className="mt-1 text-ink-soft">{t("mailIn.empty")}</p>;
  return (
    <>
      <ul className="mt-1 border-t border-rule">
        {mails.map((mail) => (
          <li key={mail.id} className="border-b border-rule py-2">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0 font-medium break-all">{mail.sender || t("mailIn.nobody")}</span>
              <time dateTime={mail.received_at} className="text-sm text-ink-soft tabular-nums">
                {moment(mail.received_at)}
              </time>
            </p>
            <p className="break-words">
              {mail.subject}{" "}
              <span className="whitespace-nowrap text-ink-soft">· {t("mailIn.files", { count: mail.files })}</span>
            </p>
            <p className="text-sm text-ink-soft">{say(mail.said)}</p>
            <div className="mt-1 flex flex-wrap gap-2">
              {mail.files > 0 && (
                <Button
                  size="small"
                  disabled={settle.isPending}
                  onClick={() => {
                    settle.mutate({ id: mail.id, accept: true });
                  }}
                >
                  {t("mailIn.accept")}
                </Button>
              )}
              <Button
                size="small"
                look="quiet"
                disabled={settle.isPending}
                onClick={() => {
                  settle.mutate({ id: mail.id, accept: false });
                }}
              >
                {t("mailIn.discard")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {settle.error !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(settle.error, t("changeFailed"))}
        </p>
      )}
    </>
  );
}
