import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { publicConfigOptions } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { usePageTitle } from "@/lib/ui/title";

/** A tab that is not there yet: what it will be, and what one can do meanwhile. */
export function ComingPage({ what }: { what: "lawyer" | "drafting" | "summary" }) {
  const { t } = useTranslation("coming");
  const config = useQuery(publicConfigOptions()).data;
  usePageTitle(t(`${what}.title`), config?.product_name ?? "");
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-lg flex-col justify-center px-6 py-10">
        <p className="text-sm font-medium text-due">{t("badge")}</p>
        <h1 className="mt-1 font-serif text-[1.75rem] leading-9 font-semibold">{t(`${what}.title`)}</h1>
        <p className="mt-3 text-lg leading-7">{t(`${what}.what`)}</p>
        <p className="mt-3 text-ink-soft">{t(`${what}.now`)}</p>
        <Button look="primary" className="mt-6 self-start" asChild>
          <Link to="/app/notices">
            {t("toNotices")}
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      </div>
    </div>
  );
}
