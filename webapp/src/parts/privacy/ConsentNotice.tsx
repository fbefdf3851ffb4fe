import { ExternalLink } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { PublicConfig } from "@/lib/api";
import { DataUse } from "./DataUse";

type Props = { config: PublicConfig | undefined; checked: boolean; onChange: (checked: boolean) => void };

/** How a person's data is used, and the checkbox to agree before creating an account. */
export function ConsentNotice({ config, checked, onChange }: Props) {
  const { t } = useTranslation(["account", "workspace"]);
  const id = useId();
  if (config === undefined) return null;
  return (
    <section aria-labelledby={id} className="text-[0.9375rem]">
      <h3 id={id} className="font-medium">
        {t("consent.heading")}
      </h3>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-sm text-ink-soft">
        <li>{t("consent.keeps", { product: config.product_name })}</li>
        <li>
          <DataUse config={config} />
        </li>
        <li>{t("consent.rights")}</li>
        <li>{t("consent.log")}</li>
      </ul>
      {config.privacy.notice_url !== "" && (
        <a
          href={config.privacy.notice_url}
          target="_blank"
          rel="noopener noreferrer"
          className="mt-2 inline-flex min-h-6 items-center gap-1.5 rounded text-sm text-accent underline-offset-4 hover:underline"
        >
          {t("consent.full")}
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">({t("workspace:newTab")})</span>
        </a>
      )}
      <label className="mt-3 flex items-start gap-3">
        <input
          type="checkbox"
          required
          checked={checked}
          onChange={(event) => {
            onChange(event.target.checked);
          }}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
        {t("consent.agree")}
      </label>
    </section>
  );
}
