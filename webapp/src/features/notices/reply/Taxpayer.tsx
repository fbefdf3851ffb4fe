import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keepTaxpayer, replyQueryKey, sentenceOf, type Taxpayer as Kept } from "@/lib/api";
import { Field, Form } from "@/lib/ui/form";

const fields = ["signatory", "designation", "place", "representative", "enrolment"] as const;

/** Who signs for a taxpayer and who represents them: asked once, and used in all replies for the same GSTIN. */
export function Taxpayer({ conversation, kept }: { conversation: string; kept: Kept }) {
  const { t } = useTranslation("reply");
  const queries = useQueryClient();
  const [typed, setTyped] = useState<Partial<Kept>>({});
  const [open, setOpen] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      const { signatory, designation, place, representative, enrolment } = { ...kept, ...typed };
      const body = { signatory, designation, place, representative, enrolment };
      return (await keepTaxpayer({ path: { id: conversation }, body, throwOnError: true })).data;
    },
    onSuccess: (reply) => {
      queries.setQueryData(replyQueryKey(conversation), reply);
      setTyped({});
      setOpen(false);
    },
  });
  const known = fields.map((name) => kept[name]).filter((value) => value !== "");
  return (
    <details
      open={open}
      className="border-t border-rule"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="cursor-pointer rounded py-2.5">
        <span className="font-medium">{t("taxpayer.title")}</span>{" "}
        <span className="text-[0.9375rem] text-ink-soft">
          {known.length === 0 ? t("taxpayer.none") : known.join(", ")}
        </span>
      </summary>
      <div className="max-w-2xl pb-5">
        <p className="text-sm text-ink-soft">{t("taxpayer.hint", { gstin: kept.gstin })}</p>
        <Form
          button={t("taxpayer.save")}
          pending={save.isPending}
          error={save.error === null ? null : sentenceOf(save.error, t("saveFailed"))}
          onSubmit={() => {
            save.mutate();
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            {fields.map((name) => (
              <Field
                key={name}
                label={t(`taxpayer.${name}`)}
                value={typed[name] ?? kept[name]}
                required={false}
                maxLength={200}
                autoComplete="off"
                onChange={(event) => {
                  setTyped({ ...typed, [name]: event.target.value });
                }}
              />
            ))}
          </div>
        </Form>
      </div>
    </details>
  );
}
