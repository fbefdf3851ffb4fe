import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Lists what Premium includes. Priority Support is listed only if the installation names a contact for it. */
export function Features({ support }: { support: string }) {
  const { t } = useTranslation("billing");
  const address = support.includes("@") && !support.includes("/") ? `mailto:${support}` : support;
  return (
    <ul className="mt-2 space-y-1.5">
      {(["unlimited", "advanced", ...(support === "" ? [] : ["support" as const])] as const).map((feature) => (
        <li key={feature} className="flex gap-2.5">
          <Check aria-hidden className="mt-1 size-4 shrink-0 text-safe" />
          <span className="min-w-0">
            {t(`features.${feature}`)}
            {feature !== "support" && (
              <span className="block text-sm text-ink-soft">{t(`features.${feature}Hint`)}</span>
            )}
            {feature === "support" && (
              <span className="block text-sm break-words text-ink-soft">
                {t("supportAt")}{" "}
                <a href={address} className="rounded text-accent underline underline-offset-2">
                  {support}
                </a>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
