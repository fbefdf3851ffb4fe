import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { linksOptions, linksQueryKey, makeLink, revokeLink, sentenceOf, type Link } from "@/lib/api";
import { dayOf, moment } from "@/lib/format";
import { languages, useLanguage, type Language } from "@/lib/i18n";
import { Button } from "@/lib/ui/button";
import { CopyText } from "@/lib/ui/copy";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Spinner } from "@/lib/ui/spinner";

/** Makes a link with which the client answers the questions without an account, and lists the links made before. */
export function AskClient({ conversation }: { conversation: string }) {
  const { t } = useTranslation("reply");
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-2 print:hidden">
      <Button
        size="small"
        onClick={() => {
          setOpen(true);
        }}
      >
        <Link2 aria-hidden />
        {t("link.ask")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t("link.title")} closeLabel={t("link.close")}>
          <Links conversation={conversation} />
        </DialogContent>
      </Dialog>
    </div>
  );
}

const lives = [3, 7, 14, 30];
const field = "min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3";

function Links({ conversation }: { conversation: string }) {
  const { t } = useTranslation("reply");
  const { language: own } = useLanguage();
  const queries = useQueryClient();
  const links = useQuery(linksOptions(conversation)).data?.links ?? [];
  const [recipient, setRecipient] = useState("");
  const [language, setLanguage] = useState<Language>(own);
  const [days, setDays] = useState(7);
  const name = useId();
  const read = () => queries.invalidateQueries({ queryKey: linksQueryKey(conversation) });
  const make = useMutation({
    mutationFn: async () =>
      (await makeLink({ path: { id: conversation }, body: { recipient, language, days }, throwOnError: true })).data,
    onSuccess: read,
  });
  return (
    <div className="space-y-4">
      <p className="text-ink-soft">{t("link.hint")}</p>
      <form
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!make.isPending) make.mutate();
        }}
      >
        <label className="sm:col-span-2" htmlFor={name} data-first>
          {t("link.recipient")}
          <input
            id={name}
            value={recipient}
            maxLength={200}
            className={field}
            onChange={(event) => {
              setRecipient(event.target.value);
            }}
          />
        </label>
        <label>
          {t("link.language")}
          <select
            value={language}
            className={field}
            onChange={(event) => {
              setLanguage(event.target.value as Language);
            }}
          >
            {(Object.entries(languages) as [Language, string][]).map(([value, called]) => (
              <option key={value} value={value} lang={value}>
                {called}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("link.days")}
          <select
            value={days}
            className={field}
            onChange={(event) => {
              setDays(Number(event.target.value));
            }}
          >
            {lives.map((life) => (
              <option key={life} value={life}>
                {t("link.life", { count: life })}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" look="primary" className="sm:col-span-2" aria-disabled={make.isPending}>
          {make.isPending && <Spinner className="text-current" />}
          {t("link.make")}
        </Button>
        {make.error !== null && (
          <p role="alert" className="text-overdue sm:col-span-2">
            {sentenceOf(make.error, t("link.failed"))}
          </p>
        )}
      </form>
      {make.data !== undefined && <Made link={make.data} />}
      {links.length > 0 && (
        <section>
          <h3 className="font-medium">{t("link.given")}</h3>
          <ul className="text-[0.9375rem]">
            {links.map((link) => (
              <Given key={link.id} link={link} onRevoked={() => void read()} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The message with the link's address, which is shown only this once. */
function Made({ link }: { link: Link }) {
  const { t } = useTranslation("reply");
  // If the server does not know its public address, use the one of this page.
  const address = link.address.startsWith("/") ? window.location.origin + link.address : link.address;
  const message = link.message.replace(link.address, address);
  const words = { done: t("link.copied"), failed: t("link.notCopied") };
  return (
    <div role="status">
      <p className="mb-1 font-medium">{t("link.message")}</p>
      <textarea
        readOnly
        rows={9}
        lang={link.language}
        aria-label={t("link.message")}
        value={message}
        className="w-full resize-y rounded-lg border border-rule bg-margin p-3 text-sm leading-5"
      />
      <div className="ml-3 flex flex-wrap gap-4">
        <CopyText text={message} label={t("link.copyMessage")} {...words} />
        <CopyText text={address} label={t("link.copyAddress")} {...words} />
      </div>
      <p className="mt-1 text-sm text-ink-soft">{t("link.once")}</p>
    </div>
  );
}

function Given({ link, onRevoked }: { link: Link; onRevoked: () => void }) {
  const { t } = useTranslation("reply");
  const revoke = useMutation({
    mutationFn: () => revokeLink({ path: { id: link.id }, throwOnError: true }),
    onSuccess: onRevoked,
  });
  const over = link.revoked !== null || new Date(link.expires) < new Date();
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-b border-rule py-2">
      <span className="min-w-0 flex-1">
        {link.recipient === "" ? t("link.nobody") : link.recipient}
        <span className="block text-sm text-ink-soft">
          {over
            ? t(link.revoked === null ? "link.expired" : "link.revoked")
            : t("link.until", { day: dayOf(link.expires) })}
          {" · "}
          {link.used === null ? t("link.unused") : t("link.used", { at: moment(link.used) })}
        </span>
      </span>
      {!over && (
        <Button
          size="small"
          look="quiet"
          aria-label={t("link.revokeOf", { name: link.recipient })}
          aria-disabled={revoke.isPending}
          onClick={() => {
            if (!revoke.isPending) revoke.mutate();
          }}
        >
          {t("link.revoke")}
        </Button>
      )}
    </li>
  );
}
