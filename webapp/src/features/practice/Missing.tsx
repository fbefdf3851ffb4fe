import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import {
  boardQueryKey,
  changeListed,
  everyClientQueryKey,
  everyMatterQueryKey,
  idempotencyKey,
  mattersQueryKey,
  openBatch,
  sentenceOf,
  triageQueryKey,
  uploadToBatch,
  type ListedNotice,
} from "@/lib/api";
import { day, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Section } from "@/lib/ui/section";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { DaysLeft } from "@/parts/deadline";

type Props = { listed: ListedNotice[]; /** Whether each notice links to its matter. */ linked?: boolean };

/** The notices whose document the firm does not have, with a button to upload each. */
export function Missing({ listed, linked = false }: Props) {
  const { t } = useTranslation("practice");
  const wanted = listed.filter(({ aside }) => !aside);
  const asides = listed.filter(({ aside }) => aside);
  if (listed.length === 0) return null;
  return (
    <Section title={t("missing.title")} className="mt-8">
      {wanted.length > 0 && (
        <>
          <p className="max-w-prose text-[0.9375rem] text-ink-soft">{t("missing.hint")}</p>
          <ul className="mt-2 border-t border-rule">
            {wanted.map((one) => (
              <Row key={one.id} one={one} linked={linked} />
            ))}
          </ul>
        </>
      )}
      {asides.length > 0 && (
        <details className="mt-3">
          <summary className="inline-block cursor-pointer rounded text-[0.9375rem] text-accent">
            {t("missing.asides", { count: asides.length })}
          </summary>
          <ul className="mt-2 border-t border-rule">
            {asides.map((one) => (
              <Row key={one.id} one={one} linked={linked} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

/** Returns a function that reloads everything that depends on a listed notice. */
function useAgain() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [everyClientQueryKey(), everyMatterQueryKey(), mattersQueryKey(), boardQueryKey(), triageQueryKey()].map(
        (queryKey) => queries.invalidateQueries({ queryKey }),
      ),
    );
}

function Row({ one, linked }: { one: ListedNotice; linked: boolean }) {
  const { t } = useTranslation("practice");
  const again = useAgain();
  const [sent, setSent] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const what = one.form ?? (one.kind === "" ? t("untitled") : one.kind);
  const name = [what, one.reference].filter((part) => part !== null).join(" ");
  const tell = (error: Error) => {
    toast.error(sentenceOf(error, t("missing.failed")));
  };
  const change = useMutation({
    mutationFn: (body: { aside?: boolean; answered?: boolean }) =>
      changeListed({ path: { id: one.id }, body, throwOnError: true }),
    onError: tell,
    onSettled: again,
  });
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      const batch = (await openBatch({ throwOnError: true })).data.id;
      await uploadToBatch(batch, {
        files,
        listed: one.id,
        idempotencyKey: idempotencyKey(),
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
    },
    onSuccess: () => {
      setSent(true);
    },
    onError: tell,
    onSettled: again,
  });
  const busy = change.isPending || upload.isPending;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-rule py-2.5">
      <div className="min-w-0 basis-72 grow">
        <p className="break-words">
          {linked ? (
            <Link
              to={`/app/practice/matters/${one.matter}`}
              className="font-medium text-accent underline-offset-4 hover:underline"
            >
              {what}
            </Link>
          ) : (
            <span className="font-medium">{what}</span>
          )}
          {one.issued !== null && <span> {t("missing.issued", { day: day(one.issued) })}</span>}
        </p>
        <p className="text-sm break-words text-ink-soft tabular-nums">
          {[one.reference ?? t("missing.noNumber"), t(`missing.from_${one.source}`)].join(" · ")}
        </p>
        {one.about !== "" && one.about !== one.kind && <p className="text-sm break-words text-ink-soft">{one.about}</p>}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-[0.9375rem] tabular-nums">
          {one.demand_paise !== null && one.demand_paise > 0 && <span>{money(one.demand_paise / 100)}</span>}
          {one.answered ? (
            <span className="text-ink-soft">{t("missing.answeredOn")}</span>
          ) : (
            one.due !== null && (
              <>
                <span>{t("missing.due", { day: day(one.due) })}</span>
                {!one.aside && <DaysLeft date={one.due} />}
              </>
            )
          )}
          {one.hearing !== null && <span>{t("missing.hearing", { day: day(one.hearing) })}</span>}
        </p>
        {sent && (
          <p role="status" className="text-sm text-ink-soft">
            {t("missing.uploaded")}
          </p>
        )}
      </div>
      <Works>
        <div className="flex flex-wrap items-center gap-1">
          {!one.aside && !sent && (
            <>
              <input
                ref={input}
                type="file"
                hidden
                multiple
                accept="application/pdf,image/*"
                aria-label={t("missing.uploadNamed", { name })}
                onChange={(event) => {
                  const files = [...(event.target.files ?? [])];
                  event.target.value = "";
                  if (files.length > 0) upload.mutate(files);
                }}
              />
              <Button
                size="small"
                disabled={busy}
                aria-label={t("missing.uploadNamed", { name })}
                onClick={() => input.current?.click()}
              >
                {upload.isPending && <Spinner />}
                {t(upload.isPending ? "missing.uploading" : "missing.upload")}
              </Button>
            </>
          )}
          {!one.aside && (
            <Button
              size="small"
              look="quiet"
              disabled={busy}
              aria-label={t(one.answered ? "missing.reopenNamed" : "missing.answeredNamed", { name })}
              onClick={() => {
                change.mutate({ answered: !one.answered });
              }}
            >
              {t(one.answered ? "missing.reopen" : "missing.answered")}
            </Button>
          )}
          <Button
            size="small"
            look="quiet"
            disabled={busy}
            aria-label={t(one.aside ? "missing.backNamed" : "missing.asideNamed", { name })}
            onClick={() => {
              change.mutate({ aside: !one.aside });
            }}
          >
            {t(one.aside ? "missing.back" : "missing.aside")}
          </Button>
        </div>
      </Works>
    </li>
  );
}
