import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { publicConfigOptions } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import type { Show } from "./dialogs";
import { useMe } from "./useMe";

/** Shown to a visitor who has no free uses left: offers an account or, if it is sold, Premium. */
export function Limit({ show }: { show: Show }) {
  const { t } = useTranslation("account");
  const sold = (useQuery(publicConfigOptions()).data?.payment.provider ?? "") !== "";
  const free = useMe()?.free ?? 2;
  return (
    <>
      <p className="mt-2">{t("limit.what", { free })}</p>
      <p className="mt-2 text-ink-soft">{t("limit.kept")}</p>
      <div className="mt-5 flex flex-col gap-1">
        <Button
          look="primary"
          onClick={() => {
            show({ what: "signUp" });
          }}
        >
          {t("limit.account")}
        </Button>
        <p className="text-sm text-ink-soft">{t("limit.accountHint", { count: free })}</p>
        {sold && (
          <>
            <Button
              look="outline"
              className="mt-3"
              onClick={() => {
                show({ what: "signUp", then: "subscribe" });
              }}
            >
              {t("limit.subscribe")}
            </Button>
            <p className="text-sm text-ink-soft">{t("limit.subscribeHint")}</p>
          </>
        )}
        <Button
          look="link"
          className="mt-2 self-start px-0"
          onClick={() => {
            show({ what: "signIn" });
          }}
        >
          {t("limit.button")}
        </Button>
      </div>
    </>
  );
}
