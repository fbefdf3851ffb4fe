import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { acceptInvitation, invitationOptions, meOptions, publicConfigOptions, sentenceOf, wantIn } from "@/lib/api";
import { appOf } from "@/lib/place";
import { Button } from "@/lib/ui/button";
import { Field, Form } from "@/lib/ui/form";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";

/** Opened by an invitation link. Its secret is in the fragment, which no server and no log can see. */
export function JoinPage() {
  const { t } = useTranslation("firm");
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error } = useQuery(invitationOptions(token));
  const [called, setCalled] = useState("");
  usePageTitle(t("join.title"), config?.product_name ?? "");
  const join = useMutation({
    mutationFn: async () => (await acceptInvitation({ body: { token, called }, throwOnError: true })).data,
    onSuccess: ({ id }) => {
      window.location.assign(appOf(id));
    },
  });
  return (
    <main className="flex min-h-dvh bg-paper p-6">
      <div className="m-auto w-full max-w-md">
        {error !== null ? (
          <>
            <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("join.gone")}</h1>
            <p role="alert" className="mt-3 text-ink-soft">
              {sentenceOf(error, t("failed"))}
            </p>
            <Button className="mt-5" asChild>
              <a href={appOf(null)}>{t("toOwn")}</a>
            </Button>
          </>
        ) : data === undefined || me === undefined ? (
          <Skeleton />
        ) : (
          <>
            <h1 className="font-serif text-[1.75rem] leading-9 font-semibold text-balance">
              {t("join.heading", { firm: data.firm })}
            </h1>
            <p className="mt-3">{t("join.what", { by: data.by, role: t(`roles.${data.role}.name`) })}</p>
            <p className="mt-1 text-sm text-ink-soft">{t(`roles.${data.role}.may`)}</p>
            {me.signed_in ? (
              <>
                <p className="mt-3 text-sm text-ink-soft">{t("join.as", { email: me.email })}</p>
                <Form
                  onSubmit={() => {
                    join.mutate();
                  }}
                  error={join.error === null ? null : sentenceOf(join.error, t("changeFailed"))}
                  pending={join.isPending || join.isSuccess}
                  button={t("join.button")}
                >
                  <Field
                    label={t("yourName")}
                    hint={t("yourNameHint")}
                    autoComplete="name"
                    value={called}
                    onChange={(event) => {
                      setCalled(event.target.value);
                    }}
                  />
                </Form>
              </>
            ) : (
              <>
                <p className="mt-3">{t(config?.mail === true ? "join.signInMail" : "join.signIn")}</p>
                <Button look="primary" className="mt-4" onClick={wantIn}>
                  {t("signIn")}
                </Button>
              </>
            )}
          </>
        )}
      </div>
    </main>
  );
}
