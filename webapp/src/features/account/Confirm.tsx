import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { ApiError, confirm, sentenceOf } from "@/lib/api";
import { Spinner } from "@/lib/ui/spinner";
import { Field, Form } from "@/lib/ui/form";
import { useArrive } from "./useMe";

/**
 * Opened by the link that confirms a new account. In another browser than the one used to sign up, it asks for the
 * password.
 */
export function Confirm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation("account");
  const arrive = useArrive();
  const [password, setPassword] = useState("");
  const [asks, setAsks] = useState(false);
  const use = useMutation({
    mutationFn: async (body: { token: string; password?: string }) =>
      (await confirm({ body, throwOnError: true })).data,
    onSuccess: async (me) => {
      onDone();
      toast.success(t("welcome"));
      await arrive(me);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === "password_needed") setAsks(true);
    },
  });
  const { mutate } = use;
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true; // the link works only once
    mutate({ token });
  }, [mutate, token]);
  const needed = use.error instanceof ApiError && use.error.code === "password_needed";
  if (asks)
    return (
      <>
        <p className="mt-1 text-[0.9375rem] text-ink-soft">{t("confirm.hint")}</p>
        <Form
          onSubmit={() => {
            mutate({ token, password });
          }}
          error={use.error === null || needed ? null : sentenceOf(use.error, t("failed"))}
          pending={use.isPending}
          button={t("confirm.button")}
        >
          <Field
            label={t("password")}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
            }}
          />
        </Form>
      </>
    );
  if (use.error !== null)
    return (
      <p role="alert" className="mt-2 text-overdue">
        {sentenceOf(use.error, t("failed"))}
      </p>
    );
  return (
    <p role="status" className="mt-3 flex items-center gap-3">
      <Spinner />
      {t("confirm.working")}
    </p>
  );
}
