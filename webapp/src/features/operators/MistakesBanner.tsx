import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { promptsOptions } from "@/lib/api";
import { mistakesOf } from "./mistakes";

/** Tells operators on every page that prompt files have mistakes. */
export function MistakesBanner() {
  const { t } = useTranslation("operators");
  const count = mistakesOf(useQuery(promptsOptions()).data?.plugins ?? []).length;
  return (
    <div role="status">
      {count > 0 && (
        <p className="flex flex-wrap items-center justify-center gap-x-2 bg-overdue-soft px-4 py-1.5 text-sm text-overdue">
          <TriangleAlert aria-hidden className="size-4" />
          {t("banner", { count })}
          <Link to="/app/operators" className="font-medium underline underline-offset-4">
            {t("bannerLink")}
          </Link>
        </p>
      )}
    </div>
  );
}
