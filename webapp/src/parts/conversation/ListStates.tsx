import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";

/** The placeholder of a list while it loads. */
export function ListPending() {
  return (
    <div className="mt-10 space-y-4">
      <Skeleton className="w-32" />
      <Skeleton />
      <Skeleton />
    </div>
  );
}

/** Says why a list could not be loaded, with a button to try again. */
export function ListFailed({ sentence, again }: { sentence: string; again: () => void }) {
  const { t } = useTranslation("conversation");
  return (
    <div className="mt-10 text-center text-[0.9375rem]">
      <p role="alert">{sentence}</p>
      <Button size="small" className="mt-2" onClick={again}>
        {t("list.again")}
      </Button>
    </div>
  );
}
