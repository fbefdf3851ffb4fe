import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { sentenceOf } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Section } from "@/lib/ui/section";
import { Skeleton } from "@/lib/ui/skeleton";

type Props<T> = { title: string; query: UseQueryResult<T, unknown>; failed: string; children: (data: T) => ReactNode };

/** A part of the dashboard with its heading, once it is loaded. */
export function Loaded<T>({ title, query: { data, error, refetch }, failed, children }: Props<T>) {
  const { t } = useTranslation("training");
  return (
    <Section title={title} level={3} className="mt-8">
      {data !== undefined ? (
        children(data)
      ) : error === null ? (
        <Skeleton className="mt-2" />
      ) : (
        <div role="alert" className="mt-2">
          <p>{sentenceOf(error, failed)}</p>
          <Button size="small" className="mt-2" onClick={() => void refetch()}>
            {t("again")}
          </Button>
        </div>
      )}
    </Section>
  );
}
