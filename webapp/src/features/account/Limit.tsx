import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";
import type { Show } from "./desk";
import { useMe } from "./useMe";

/** What a visitor is told whose free uses are spent. */
export function Limit({ show }: { show: Show }) {
  const { t } = useTranslation("account");
  return (
    <>
      <p className="mt-2">{t("limit.what", { free: useMe()?.free ?? 2 })}</p>
      <p className="mt-2 text-ink-soft">{t("limit.kept")}</p>
      <Button
        look="primary"
        className="mt-5 w-full"
        onClick={() => {
          show({ what: "signIn" });
        }}
      >
        {t("limit.button")}
      </Button>
    </>
  );
}
