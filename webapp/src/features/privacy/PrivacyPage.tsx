import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, ExternalLink } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import {
  exportEverything,
  meOptions,
  privacyOptions,
  privacyQueryKey,
  publicConfigOptions,
  sentenceOf,
  setPrivacy,
  type Me,
  type PrivacyState,
  type PublicConfig,
} from "@/lib/api";
import { moment } from "@/lib/format";
import { firmHere } from "@/lib/place";
import { useOptimistic } from "@/lib/optimistic";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";
import { DataUse } from "@/parts/privacy";
import { Devices } from "./Devices";
import { Erase } from "./Erase";
import { Part } from "./Part";
import { Password } from "./Password";

/** How a person's data is used, and what they can do about it. */
export function PrivacyPage() {
  const { t } = useTranslation("privacy");
  const config = useQuery(publicConfigOptions()).data;
  const me = useQuery(meOptions()).data;
  const { data, error, refetch } = useQuery(privacyOptions());
  usePageTitle(t("title"), config?.product_name ?? "");
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-2xl px-4 py-8 sm:px-6">
        <h1 className="font-serif text-[1.75rem] leading-9 font-semibold">{t("title")}</h1>
        <p className="mt-2 text-ink-soft">{t(firmHere === null ? "intro" : "introFirm")}</p>
        {config !== undefined && me !== undefined && data !== undefined ? (
          <Parts config={config} me={me} known={data} />
        ) : error !== null ? (
          <div className="mt-8">
            <p role="alert" className="font-medium">
              {t("failed")}
            </p>
            <p className="mt-1 text-ink-soft">{sentenceOf(error, t("failedHint"))}</p>
            <Button size="small" className="mt-3" onClick={() => void refetch()}>
              {t("again")}
            </Button>
          </div>
        ) : (
          <div className="mt-8 space-y-4" role="status" aria-label={t("loading")}>
            <Skeleton />
            <Skeleton />
            <Skeleton className="w-4/5" />
          </div>
        )}
      </div>
    </div>
  );
}

function Parts({ config, me, known }: { config: PublicConfig; me: Me; known: PrivacyState }) {
  const { t } = useTranslation(["privacy", "workspace"]);
  const { days, notice_url: notice } = config.privacy;
  const here = (config.privacy.recipients ?? []).length === 0;
  return (
    <>
      <Part title={t("goes.title")}>
        <DataUse config={config} className="text-base text-ink" />
        <p className="mt-1 text-ink-soft">{t(here ? "goes.hereMore" : "goes.more")}</p>
        <Masking config={config} known={known} />
      </Part>
      <Part title={t("kept.title")}>
        <ul className="mt-1 list-disc space-y-1 pl-5">
          <li>
            {me.signed_in
              ? t("kept.person")
              : days.visitors === 0
                ? t("kept.visitorAlways")
                : t("kept.visitor", { count: days.visitors })}
          </li>
          <li>{t("kept.deleted", { count: days.deleted })}</li>
          <li>{days.audit === 0 ? t("kept.auditAlways") : t("kept.audit", { count: days.audit })}</li>
        </ul>
        {notice !== "" && (
          <a
            href={notice}
            target="_blank"
            rel="noopener noreferrer"
            className="mt-3 inline-flex min-h-6 items-center gap-1.5 rounded text-accent underline-offset-4 hover:underline"
          >
            {t("kept.notice")}
            <ExternalLink aria-hidden className="size-4" />
            <span className="sr-only">({t("workspace:newTab")})</span>
          </a>
        )}
      </Part>
      <Export />
      {me.signed_in && firmHere === null && <Password email={me.email} />}
      {me.signed_in && firmHere === null && <Devices />}
      <Activity known={known} />
      <Erase signedIn={me.signed_in} known={known} />
    </>
  );
}

function Masking({ config, known }: { config: PublicConfig; known: PrivacyState }) {
  const { t } = useTranslation("privacy");
  const id = useId();
  const save = useOptimistic({
    keys: [privacyQueryKey()],
    show: (queries, mask: boolean) => {
      queries.setQueryData<PrivacyState>(privacyQueryKey(), (old) => old && { ...old, mask });
    },
    save: (mask) => setPrivacy({ body: { mask }, keepalive: true, throwOnError: true }),
    failed: t("mask.failed"),
  });
  const always = config.privacy.mask === "always";
  const here = (config.privacy.recipients ?? []).length === 0;
  return (
    <div className="mt-5">
      <label className="flex min-h-9 items-center gap-3 font-medium">
        <input
          type="checkbox"
          role="switch"
          checked={known.mask}
          disabled={always}
          aria-describedby={id}
          onChange={(event) => {
            save.mutate(event.target.checked);
          }}
          className="size-5 shrink-0 accent-accent"
        />
        {t("mask.label")}
      </label>
      <p id={id} className="text-[0.9375rem] text-ink-soft">
        {t("mask.what")} {always ? t("mask.always") : here ? t("mask.here") : ""}
      </p>
    </div>
  );
}

function Export() {
  const { t } = useTranslation("privacy");
  const queries = useQueryClient();
  const fetchAll = useMutation({
    mutationFn: exportEverything,
    onSuccess: ({ content, name }) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(content);
      link.download = name;
      link.click();
      setTimeout(() => {
        URL.revokeObjectURL(link.href);
      }, 60_000);
      void queries.invalidateQueries({ queryKey: privacyQueryKey() });
    },
  });
  return (
    <Part title={t("export.title")}>
      <p>{t(firmHere === null ? "export.what" : "export.firmWhat")}</p>
      <Button
        className="mt-3"
        disabled={fetchAll.isPending}
        onClick={() => {
          fetchAll.mutate();
        }}
      >
        {fetchAll.isPending ? <Spinner /> : <Download aria-hidden />}
        {t(fetchAll.isPending ? "export.working" : "export.button")}
      </Button>
      <p role="status" className="mt-2 text-sm text-ink-soft empty:hidden">
        {fetchAll.isSuccess ? t("export.done") : ""}
      </p>
      {fetchAll.error !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(fetchAll.error, t("export.failed"))}
        </p>
      )}
    </Part>
  );
}

function Activity({ known }: { known: PrivacyState }) {
  const { t, i18n } = useTranslation("privacy");
  const entries = known.activity ?? [];
  const named = (event: string) =>
    i18n.exists(`privacy:activity.events.${event}`)
      ? t(`activity.events.${event}` as "activity.events.signed_in")
      : event;
  return (
    <Part title={t("activity.title")}>
      {entries.length === 0 ? (
        <p className="text-ink-soft">{t("activity.none")}</p>
      ) : (
        // Focusable, so that it can be scrolled with the keyboard.
        <ul
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={t("activity.title")}
          className="mt-2 max-h-80 overflow-y-auto border-y border-rule"
        >
          {entries.map(({ at, event }, index) => (
            <li
              key={index}
              className="flex flex-wrap justify-between gap-x-4 border-b border-rule py-2 last:border-b-0"
            >
              <span>{named(event)}</span>
              <time dateTime={at} className="text-sm text-ink-soft tabular-nums">
                {moment(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
