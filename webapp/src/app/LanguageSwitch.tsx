import { RadioGroup } from "radix-ui";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { languages, useLanguage, type Language } from "@/lib/i18n";

/** English or Hindi, each named in itself. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const { language, choose } = useLanguage();
  return (
    <RadioGroup.Root
      value={language}
      onValueChange={(value) => {
        choose(value as Language).catch(() => toast.error(t("language.failed")));
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
