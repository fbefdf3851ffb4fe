import { RadioGroup } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { languages, useLanguage, type Language } from "@/lib/i18n";

/** Chooses between English and Hindi, each shown by its own name. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const { language, choose } = useLanguage();
  // Shown as chosen while the texts are being loaded.
  const [chosen, setChosen] = useState<Language | null>(null);
  return (
    <RadioGroup.Root
      value={chosen ?? language}
      onValueChange={(value) => {
        setChosen(value as Language);
        choose(value as Language)
          .catch(() => toast.error(t("language.failed")))
          .finally(() => {
            setChosen((now) => (now === value ? null : now));
          });
      }}
      aria-label={t("language.label")}
      orientation="horizontal"
      className="flex w-fit rounded-lg border border-rule bg-paper p-0.5"
    >
      {(Object.entries(languages) as [Language, string][]).map(([value, name]) => (
        <RadioGroup.Item
          key={value}
          value={value}
          lang={value}
          className="min-h-9 rounded-md px-2 text-sm text-ink-soft hover:text-ink data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent"
        >
          {name}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
