import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { resetPassword, sentenceOf } from "@/lib/api";
import { Field, Form } from "@/lib/ui/form";
import { useArrive } from "./useMe";

/** Opened by the link to choose a new password. */
export function Reset({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation("account");
  const arrive = useArrive();
  const [password, setPassword] = useState("");
  const reset = useMutation({
    mutationFn: async () => (await resetPassword({ body: { token, password }, throwOnError: true })).data,
    onSuccess: async (me) => {
      onDone();
      toast.success(t("welcome"));
      await arrive(me);
    },
  });
  return (
    <>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{t("reset.hint")}</p>
      <Form
        onSubmit={() => {
          reset.mutate();
        }}
        error={reset.error === null ? null : sentenceOf(reset.error, t("failed"))}
        pending={reset.isPending}
        button={t("reset.button")}
      >
        <Field
          label={t("newPassword")}
          type="password"
          autoComplete="new-password"
          hint={t("passwordHint")}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
          }}
        />
      </Form>
    </>
  );
}
