import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { mailChoicesOptions, mailChoicesQueryKey, sentenceOf, setMailChoices, type MailChoices } from "@/lib/api";
import { Pick } from "@/lib/ui/pick";

/** Lets the member choose which mails they get about the firm's work. */
export function Mails() {
  const { t } = useTranslation("firm");
  const queries = useQueryClient();
  const { data } = useQuery(mailChoicesOptions());
  const save = useMutation({
    mutationFn: async ({ reviews, reminders, language, digest_hour: hour }: MailChoices) =>
      (
        await setMailChoices({
          body: { reviews, reminders, language, ...(hour === null ? {} : { digest_hour: hour }) },
          throwOnError: true,
        })
      ).data,
    onSuccess: (saved) => {
      queries.setQueryData(mailChoicesQueryKey(), saved);
    },
    onError: (error) => {
      toast.error(sentenceOf(error, t("changeFailed")));
    },
  });
  if (data === undefined) return null;
  if (!data.sent) return <p className="mt-1 text-ink-soft">{t("mails.off")}</p>;
  const shown = save.isPending ? save.variables : data;
  const set = (change: Partial<MailChoices>) => {
    save.mutate({ ...shown, ...change });
  };
  const box = (name: "reviews" | "reminders") => (
    <label className="flex min-h-10 items-center gap-3">
      <input
        type="checkbox"
        className="size-4 shrink-0"
        checked={shown[name]}
        onChange={(event) => {
          set({ [name]: event.target.checked });
        }}
      />
      {t(`mails.${name}`)}
    </label>
  );
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
  return (
    <div className="mt-2 space-y-1 text-[0.9375rem]">
      {box("reviews")}
      {box("reminders")}
      <div className="grid max-w-xl gap-4 pt-2 sm:grid-cols-2">
        <Pick
          label={t("mails.digest")}
          value={shown.digest_hour === null ? "" : String(shown.digest_hour)}
          options={[
            { value: "", name: t("mails.noDigest") },
            ...hours.map((hour) => ({ value: hour, name: t("mails.at", { hour: hour.padStart(2, "0") }) })),
          ]}
          onPick={(hour) => {
            set({ digest_hour: hour === "" ? null : Number(hour) });
          }}
        />
        <Pick
          label={t("mails.language")}
          value={shown.language}
          options={[
            { value: "en", name: "English" },
            { value: "hi", name: "हिन्दी" },
          ]}
          onPick={(language) => {
            set({ language: language === "hi" ? "hi" : "en" });
          }}
        />
      </div>
      <p className="pt-1 text-sm text-ink-soft">{t("mails.what")}</p>
    </div>
  );
}
