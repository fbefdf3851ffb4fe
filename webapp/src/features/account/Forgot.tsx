import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { forgotPassword, publicConfigOptions, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import type { Show } from "./dialogs";
import { Field, Form } from "@/lib/ui/form";

/** Requests a link to choose a new password. */
export function Forgot({ show }: { show: Show }) {
  const { t } = useTranslation("account");
  const mails = useQuery(publicConfigOptions()).data?.mail;
  const [email, setEmail] = useState("");
  const send = useMutation({
    mutationFn: () => forgotPassword({ body: { email }, throwOnError: true }),
    onSuccess: () => {
      show({ what: "sent", email, purpose: "reset" });
    },
  });
  return (
    <>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{mails === false ? t("forgot.noMail") : t("forgot.hint")}</p>
      {mails !== false && (
        <Form
          onSubmit={() => {
            send.mutate();
          }}
          error={send.error === null ? null : sentenceOf(send.error, t("failed"))}
          pending={send.isPending}
          button={t("forgot.button")}
        >
          <Field
            label={t("email")}
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
            }}
          />
        </Form>
      )}
      <Button
        look="link"
        size="small"
        className="mt-4 px-0"
        onClick={() => {
          show({ what: "signIn" });
        }}
      >
        {t("forgot.back")}
      </Button>
    </>
  );
}

/** Says that a mail has been sent. */
export function Sent({ email, purpose, onDone }: { email: string; purpose: "confirm" | "reset"; onDone: () => void }) {
  const { t } = useTranslation("account");
  return (
    <>
      <p className="mt-2 break-words">{t(`sent.${purpose}`, { email })}</p>
      <Button look="primary" className="mt-5 w-full" onClick={onDone}>
        {t("sent.button")}
      </Button>
    </>
  );
}
