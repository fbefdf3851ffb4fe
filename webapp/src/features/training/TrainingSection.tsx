import { ChevronRight } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "@/lib/ui/skeleton";

const Dashboard = lazy(async () => ({ default: (await import("./Dashboard")).Dashboard }));

/** The dashboard, folded at first; its data is loaded only when it is unfolded. */
export function TrainingSection() {
  const { t } = useTranslation("training");
  const [open, setOpen] = useState(false);
  return (
    <details
      className="group/training mt-10 border-t border-rule text-left"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1.5 rounded py-2 text-sm font-medium text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 transition-transform duration-150 group-open/training:rotate-90"
        />
        <h2>{t("title")}</h2>
      </summary>
      {open && (
        <Suspense
          fallback={
            <div className="min-h-60 space-y-3 pt-2">
              <Skeleton />
              <Skeleton className="w-40" />
            </div>
          }
        >
          <Dashboard />
        </Suspense>
      )}
    </details>
  );
}
