import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import {
  boardQueryKey,
  clientQueryKey,
  everyClientQueryKey,
  lookAtPortal,
  mattersQueryKey,
  sentenceOf,
  type Client,
  type PortalSeen,
} from "@/lib/api";
import { day } from "@/lib/format";
import { isPhotograph } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Pick } from "@/lib/ui/pick";
import { Section } from "@/lib/ui/section";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";

/** The text that is sent if the portal shows no notices for the client. */
const nothingThere = "No records found";

/** Asks for the portal's table of notices, and shows which of them the firm does not have. */
export function PortalLook({ client }: { client: Client }) {
  const { t } = useTranslation("practice");
  const queries = useQueryClient();
  const hint = useId();
  const input = useRef<HTMLInputElement>(null);
  const gstins = (client.gstins ?? []).map(({ gstin }) => gstin);
  const [text, setText] = useState("");
  const [gstin, setGstin] = useState(gstins[0] ?? "");
  const look = useMutation({
    mutationFn: async ({ text: words = "", files = [] }: { text?: string; files?: File[] }) => {
      const { shrunk } = await import("@/lib/shrunk");
      const sent: File[] = [];
      for (const file of files) sent.push(isPhotograph(file) ? await shrunk(file) : file);
      const { data } = await lookAtPortal({
        path: { id: client.id },
        body: { ...(words === "" ? {} : { text: words }), gstin, ...(sent.length > 0 ? { file: sent } : {}) } as never,
        throwOnError: true,
      });
      return data;
    },
    onSuccess: (seen) => {
      setText("");
      queries.setQueryData(clientQueryKey(client.id), seen.client);
      for (const queryKey of [everyClientQueryKey(), mattersQueryKey(), boardQueryKey()])
        void queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <Section title={t("portal.title")} className="mt-8">
      <p
        className={cn(
          "text-[0.9375rem]",
          client.look === "late" ? "text-overdue" : client.look === "due" ? "text-due" : "text-ink-soft",
        )}
      >
        {client.looked_at === null
          ? t("portal.never")
          : t("portal.looked", { day: day(client.looked_at.slice(0, 10)) })}{" "}
        {client.look === "late"
          ? t("portal.late")
          : client.look === "due" && client.looked_at !== null
            ? t("portal.due")
            : ""}
      </p>
      <Works>
        <p id={hint} className="mt-1 max-w-prose text-[0.9375rem] text-ink-soft">
          {t("portal.ask")}
        </p>
        <form
          className="mt-3 max-w-3xl"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "" && !look.isPending) look.mutate({ text });
          }}
        >
          {gstins.length > 1 && (
            <div className="mb-3 max-w-sm">
              <Pick
                label={t("portal.whose")}
                value={gstin}
                options={gstins.map((one) => ({ value: one, name: one }))}
                onPick={setGstin}
              />
            </div>
          )}
          <label className="block">
            <span className="font-medium">{t("portal.text")}</span>
            <textarea
              value={text}
              rows={5}
              aria-describedby={hint}
              spellCheck={false}
              className="mt-1.5 block w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2 font-mono text-sm"
              onChange={(event) => {
                setText(event.target.value);
              }}
            />
          </label>
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <Button type="submit" look="primary" disabled={look.isPending || text.trim() === ""}>
              {look.isPending && <Spinner />}
              {t(look.isPending ? "portal.reading" : "portal.button")}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              multiple
              data-testid="portal-input"
              accept=".html,.htm,application/pdf,image/*"
              aria-label={t("portal.file")}
              onChange={(event) => {
                const files = [...(event.target.files ?? [])];
                event.target.value = "";
                if (files.length > 0) look.mutate({ files });
              }}
            />
            <Button disabled={look.isPending} title={t("portal.fileHint")} onClick={() => input.current?.click()}>
              {t("portal.file")}
            </Button>
            <Button
              look="quiet"
              disabled={look.isPending}
              onClick={() => {
                look.mutate({ text: nothingThere });
              }}
            >
              {t("portal.nothing")}
            </Button>
          </div>
          {look.error !== null && (
            <p role="alert" className="mt-3 max-w-prose text-overdue">
              {sentenceOf(look.error, t("portal.failed"))}
            </p>
          )}
        </form>
        {look.isSuccess && <Seen seen={look.data} />}
      </Works>
    </Section>
  );
}

/** The notices in the table, and which of them the firm does not have. */
function Seen({ seen }: { seen: PortalSeen }) {
  const { t } = useTranslation("practice");
  const rows = seen.rows ?? [];
  return (
    <div className="mt-4">
      <p role="status" className={cn("font-medium", seen.missing > 0 && "text-due")}>
        {rows.length === 0
          ? t("portal.noneThere")
          : seen.missing === 0
            ? t("portal.allHere")
            : t("portal.new", { count: seen.missing })}
      </p>
      {rows.length > 0 && (
        <ul aria-label={t("portal.table")} className="mt-2 border-t border-rule">
          {rows.map((row) => (
            <li
              key={row.reference}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-rule py-2 text-[0.9375rem]"
            >
              <span className="min-w-0 break-words tabular-nums">
                <span className="font-medium">{row.form === "" ? t("untitled") : row.form}</span>
                {row.issued !== "" && <span> {t("portal.issued", { day: day(row.issued) })}</span>}
                <span className="block text-sm text-ink-soft">
                  {row.reference}
                  {row.due !== "" && ` · ${t("portal.due_by", { day: day(row.due) })}`}
                </span>
              </span>
              <span className={row.state === "new" || row.state === "missing" ? "text-due" : "text-ink-soft"}>
                {row.matter === null ? (
                  t(`portal.states.${row.state}`)
                ) : (
                  <Link to={`/app/practice/matters/${row.matter}`} className="underline underline-offset-4">
                    {t(`portal.states.${row.state}`)}
                  </Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
