import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { publicConfigOptions, sentenceOf, signIn, signUp } from "@/lib/api";
import { ConsentNotice } from "@/parts/privacy";
import { Button } from "@/lib/ui/button";
import type { Show } from "./dialogs";
import { Field, Form } from "@/lib/ui/form";
import { useArrive } from "./useMe";

type Props = {
  mode: "signIn" | "signUp";
  /** What to show after signing in, if the person came for that. */
  then?: "subscribe" | undefined;
  show: Show;
  onDone: () => void;
};

/** The form to sign in or to create an account, each with a link to the other. */
export function Entry({ mode, then, show, onDone }: Props) {
  const { t } = useTranslation("account");
  const config = useQuery(publicConfigOptions()).data;
  const arrive = useArrive();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [agreed, setAgreed] = useState(false);
  const enter = useMutation({
    mutationFn: async () =>
      mode === "signIn"
        ? (await signIn({ body: { email, password }, throwOnError: true })).data
        : (await signUp({ body: { email, password, consent: config?.consent ?? "" }, throwOnError: true })).data,
    onSuccess: async (me) => {
      if (!me.signed_in) {
        show({ what: "sent", email, purpose: "confirm" });
        return;
      }
      onDone();
      toast.success(t("welcome"));
      await arrive(me);
      if (then !== undefined && !me.premium) show({ what: then });
    },
  });
  return (
    <>
      {mode === "signIn" && <p className="mt-1 text-[0.9375rem] text-ink-soft">{t("signIn.brings")}</p>}
      <Form
        onSubmit={() => {
          enter.mutate();
        }}
        error={enter.error === null ? null : sentenceOf(enter.error, t("failed"))}
        pending={enter.isPending}
        button={t(`${mode}.button`)}
        disabled={mode === "signUp" && !agreed}
      >
        <Field
          label={t("email")}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
          }}
        />
        <Field
          label={t("password")}
          type="password"
          name="password"
          autoComplete={mode === "signIn" ? "current-password" : "new-password"}
          hint={mode === "signUp" ? t("passwordHint") : undefined}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
          }}
        />
        {mode === "signUp" && <ConsentNotice config={config} checked={agreed} onChange={setAgreed} />}
      </Form>
      <div className="mt-4 flex flex-wrap justify-between gap-x-4 gap-y-1">
        <Button
          look="link"
          size="small"
          className="px-0"
          onClick={() => {
            enter.reset();
            show({ what: mode === "signIn" ? "signUp" : "signIn", ...(then !== undefined && { then }) });
          }}
        >
          {mode === "signIn" ? t("signIn.toSignUp") : t("signUp.toSignIn")}
        </Button>
        {mode === "signIn" && (
          <Button
            look="link"
            size="small"
            className="px-0"
            onClick={() => {
              show({ what: "forgot" });
            }}
          >
            {t("signIn.forgot")}
          </Button>
        )}
      </div>
    </>
  );
}
