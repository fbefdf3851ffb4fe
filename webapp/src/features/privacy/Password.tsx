import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { calendarQueryKey, changePassword, devicesQueryKey, privacyQueryKey, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Field, Form } from "@/lib/ui/form";
import { Part } from "./Part";

/** Changes the password of someone who knows the current one. */
export function Password({ email }: { email: string }) {
  const { t } = useTranslation("privacy");
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    mutationFn: () => changePassword({ body: { old, new: next }, throwOnError: true }),
    onSuccess: () => {
      for (const queryKey of [devicesQueryKey(), privacyQueryKey(), calendarQueryKey()])
        void queries.invalidateQueries({ queryKey });
      setOpen(false);
      setOld("");
      setNext("");
      toast.success(t("password.changed"));
    },
  });
  return (
    <Part title={t("password.title")}>
      <p className="text-ink-soft">{t("password.what")}</p>
      {open ? (
        <div className="max-w-sm">
          <Form
            onSubmit={() => {
              change.mutate();
            }}
            error={change.error === null ? null : sentenceOf(change.error, t("password.failed"))}
            pending={change.isPending}
            button={t("password.button")}
          >
            {/* Tells password managers whose password it is. */}
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <Field
              label={t("password.old")}
              type="password"
              autoComplete="current-password"
              value={old}
              onChange={(event) => {
                setOld(event.target.value);
              }}
            />
            <Field
              label={t("password.next")}
              type="password"
              autoComplete="new-password"
              hint={t("password.hint")}
              value={next}
              onChange={(event) => {
                setNext(event.target.value);
              }}
            />
          </Form>
        </div>
      ) : (
        <Button
          size="small"
          className="mt-3"
          onClick={() => {
            setOpen(true);
          }}
        >
          {t("password.open")}
        </Button>
      )}
    </Part>
  );
}
