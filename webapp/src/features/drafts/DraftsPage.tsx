import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions } from "@/lib/api";
import { useKeptPlace } from "@/lib/ui/keptPlace";
import { SearchField, useSettled } from "@/lib/ui/search";
import { usePageTitle } from "@/lib/ui/title";
import { DraftList } from "./DraftList";

/** All drafts of the person, latest first. */
export function DraftsPage() {
  const { t } = useTranslation("drafts");
  const config = useQuery(publicConfigOptions()).data;
  usePageTitle(t("title"), config?.product_name ?? "");
  const list = useKeptPlace<HTMLDivElement>(true);
  const [typed, setTyped] = useState("");
  const search = useSettled(typed);
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div ref={list} className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("title")}</h1>
          <SearchField label={t("search")} value={typed} onChange={setTyped} className="flex-1 basis-64" />
        </div>
        <DraftList search={search} />
      </div>
    </div>
  );
}
