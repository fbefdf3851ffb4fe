import { useTranslation } from "react-i18next";

/** Says that no money is taken. */
export function TestMode() {
  const { t } = useTranslation("billing");
  return (
    <p className="mt-3 rounded-lg bg-due-soft px-3 py-2 text-sm text-due">
      <strong className="tracking-wide">{t("test")}</strong> {t("testHint")}
    </p>
  );
}
