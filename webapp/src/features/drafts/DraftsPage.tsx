import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions } from "@/lib/api";
import { usePageTitle } from "@/lib/ui/title";
import { DraftList } from "./DraftList";

/** Every draft that the person keeps, latest first. */
export function DraftsPage() {
  const { t } = useTranslation("drafts");
  const config = useQuery(publicConfigOptions()).data;
  usePageTitle(t("title"), config?.product_name ?? "");
  const [typed, setTyped] = useState("");
  const search = useSettled(typed);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("title")}</h1>
            <label className="relative min-w-0 flex-1 basis-64">
              <span className="sr-only">{t("search")}</span>
              <Search aria-hidden className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft" />
              <input
                type="search"
                value={typed}
                maxLength={200}
                placeholder={t("search")}
                className="min-h-10 w-full rounded-lg border border-rule-strong/60 bg-sheet pr-3 pl-9 placeholder:text-ink-soft"
                onChange={(event) => {
                  setTyped(event.target.value);
                }}
              />
            </label>
        </div>
        <DraftList search={search} />
      </div>
    </div>
  );
}

/** A text once the person has paused. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(typed.trim());
    }, 250);
    return () => {
      clearTimeout(timer);
    };
  }, [typed]);
  return settled;
}
