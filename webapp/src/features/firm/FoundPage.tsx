import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { foundFirm, meOptions, publicConfigOptions, sentenceOf, wantIn } from "@/lib/api";
import { appOf } from "@/lib/place";
import { Button } from "@/lib/ui/button";
import { Field, Form } from "@/lib/ui/form";
import { usePageTitle } from "@/lib/ui/title";

/** The page to create a firm: its name, and how colleagues see one's own. */
export function FoundPage() {
  const { t } = useTranslation("firm");
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const [name, setName] = useState("");
  const [called, setCalled] = useState("");
  usePageTitle(t("found.title"), config?.product_name ?? "");
  const go = useMutation({
    mutationFn: async () => (await foundFirm({ body: { name, called }, throwOnError: true })).data,
    onSuccess: ({ id }) => {
      window.location.assign(`${appOf(id)}/firm`);
    },
  });
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-md px-4 py-8 sm:px-6">
        <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("found.title")}</h1>
        <p className="mt-2 text-ink-soft">{t("found.what")}</p>
        {me?.signed_in === false ? (
          <Button look="primary" className="mt-5" onClick={wantIn}>
            {t("signIn")}
          </Button>
        ) : (
          <Form
            onSubmit={() => {
              go.mutate();
            }}
            error={go.error === null ? null : sentenceOf(go.error, t("changeFailed"))}
            pending={go.isPending || go.isSuccess}
            button={t("found.button")}
          >
            <Field
              label={t("rename.label")}
              autoComplete="organization"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
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
        )}
      </div>
    </div>
  );
}
