import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NavLink, useParams } from "react-router";
import { publicConfigOptions, sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { useKeptPlace } from "@/lib/ui/keptPlace";
import { Skeleton } from "@/lib/ui/skeleton";
import { usePageTitle } from "@/lib/ui/title";

/** The frame of the pages about matters, with links to the other pages. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation(["practice", "board"]);
  const config = useQuery(publicConfigOptions()).data;
  const list = useKeptPlace<HTMLDivElement>(useParams().id === undefined);
  usePageTitle(title, config?.product_name ?? "");
  const link = (to: string, name: string) => (
    <NavLink
      to={to}
      end={to === "/app/practice"}
      className={({ isActive }) =>
        cn(
          "inline-flex min-h-9 items-center rounded-lg px-3 hover:bg-accent-soft",
          isActive && "bg-accent-soft text-accent",
        )
      }
    >
      {name}
    </NavLink>
  );
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div ref={list} className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-6">
        <nav aria-label={t("nav")} className="-mx-3 mb-4 flex flex-wrap gap-1 text-[0.9375rem] font-medium">
          {link("/app/practice", t("new"))}
          {link("/app/practice/board", t("board:nav"))}
          {link("/app/practice/matters", t("matters"))}
          {link("/app/practice/clients", t("clients.nav"))}
          {link("/app/practice/workload", t("board:work.nav"))}
          {link("/app/practice/search", t("board:search.nav"))}
        </nav>
        {children}
      </div>
    </div>
  );
}

/** Shown if something could not be loaded. */
export function Failed({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation("practice");
  return (
    <div className="mt-6">
      <p role="alert">{sentenceOf(error, t("failed"))}</p>
      <Button size="small" className="mt-3" onClick={onAgain}>
        {t("again")}
      </Button>
    </div>
  );
}

/** Shown while something is being loaded. */
export function Loading() {
  const { t } = useTranslation("practice");
  return (
    <div className="mt-6 space-y-4" role="status" aria-label={t("loading")}>
      <Skeleton className="w-1/2" />
      <Skeleton />
      <Skeleton className="w-4/5" />
    </div>
  );
}
