import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PublicConfig } from "@/lib/api";

/** Says below a form who receives the text; hidden where the sidebar is visible, which says it too. */
export function DataUseBelow({ config }: { config: PublicConfig | undefined }) {
  return <DataUse config={config} className="text-sm text-ink-soft lg:hidden" />;
}

/** Says who receives the text, before anything is sent. */
export function DataUse({
  config,
  className = "text-sm text-ink-soft",
}: {
  config: PublicConfig | undefined;
  className?: string;
}): ReactNode {
  const { t } = useTranslation("workspace");
  if (config === undefined) return null;
  const [first, ...others] = (config.privacy.recipients ?? []).map(({ name, host, country, local }) =>
    local
      ? t("dataUse.at", { host })
      : t(country === "" ? "dataUse.unknown" : "dataUse.recipient", { who: name === "" ? host : name, country }),
  );
  const words =
    first === undefined
      ? t("dataUse.local")
      : others.length === 0
        ? t("dataUse.goes", { first })
        : t("dataUse.goesOn", { first, others: others.join(t("dataUse.or")) });
  return <p className={className}>{words}</p>;
}
