import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions } from "@/lib/api";
import { SearchField } from "@/lib/ui/search";
import { usePageTitle } from "@/lib/ui/title";
import { TemplateList } from "./TemplateList";

/** All templates, with filters by category and words. */
export function TemplatesPage() {
  const { t } = useTranslation("templates");
  const config = useQuery(publicConfigOptions()).data;
  usePageTitle(t("heading"), config?.product_name ?? "");
  const [search, setSearch] = useState("");
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("heading")}</h1>
          <SearchField label={t("search")} value={search} onChange={setSearch} className="flex-1 basis-64" />
        </div>
        <p className="mt-2 text-ink-soft">{t("hint")}</p>
        <TemplateList search={search.trim()} />
      </div>
    </div>
  );
}
