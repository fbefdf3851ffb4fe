import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { erasureOptions, publicConfigOptions } from "@/lib/api";
import { day } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";

/** Shown to somebody whose data was erased; it needs no session. */
export function ErasedPage() {
  const { t } = useTranslation("privacy");
  const { id = "" } = useParams();
  const config = useQuery(publicConfigOptions()).data;
  const { data, error } = useQuery(erasureOptions(id));
  const state = data?.done === true ? "done" : data === undefined && error !== null ? "unknown" : "working";
  usePageTitle(t(`erased.${state}`), config?.product_name ?? "");
  return (
    <main className="grid min-h-dvh place-items-center bg-paper p-6">
      <div className="w-full max-w-md">
        <div role="status">
          {state === "working" && <Spinner className="mb-4 size-8" />}
          <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t(`erased.${state}`)}</h1>
          <p className="mt-2">{t(`erased.${state}Hint`)}</p>
        </div>
        {data !== undefined && data.payments > 0 && (
          <p className="mt-2 text-ink-soft">
            {t("erase.payments", { count: data.payments, day: day(data.kept_until) })}
          </p>
        )}
        {data !== undefined && <p className="mt-2 text-ink-soft">{t("erase.log")}</p>}
        {state !== "working" && (
          <Button className="mt-6" asChild>
            {/* Not a link of the app, since a full page load clears its memory. */}
            <a href="/">{t("erased.back")}</a>
          </Button>
        )}
      </div>
    </main>
  );
}
