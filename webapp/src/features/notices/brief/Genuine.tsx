import { BadgeCheck, ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Origin, Section, useShared } from "./parts";

// Where the offices let anyone check a number.
const verify = {
  din: "https://esanchar.cbic.gov.in/DIN/DINSearch",
  portal: "https://services.gst.gov.in/services/verifyRfn",
  office: "https://verifydocument.cbic.gov.in",
};

// A number from the common portal: ZD, State, month and year, running number.
const portalShape = /^Z[A-Z]\d{12}[0-9A-Z]$/;

/** Says where a person can check that the office issued this paper. A missing number alone proves nothing. */
export function Genuine() {
  const { t } = useTranslation("notices");
  const { facts } = useShared();
  const portal = facts.reference !== null && portalShape.test(facts.reference);
  return (
    <Section title={t("genuine.title")} icon={<BadgeCheck aria-hidden />} className="rounded-xl border border-rule p-4">
      <div className="space-y-2.5 text-[0.9375rem]">
        {facts.din !== null && (
          <p>
            {t("genuine.din", { din: facts.din })} <Outside href={verify.din}>{t("genuine.dinWhere")}</Outside>
            <Origin field="din" />
          </p>
        )}
        {portal && (
          <p>
            {t("genuine.portal", { reference: facts.reference ?? "" })}{" "}
            <Outside href={verify.portal}>{t("genuine.portalWhere")}</Outside>
          </p>
        )}
        {facts.din === null && (
          <p className="flex flex-wrap items-baseline gap-x-2">
            {portal ? t("genuine.noDinPortal") : t("genuine.none")}
            <Origin field="din" />
          </p>
        )}
        <p>
          {t("genuine.office")} <Outside href={verify.office}>{t("genuine.officeWhere")}</Outside>
        </p>
        <p className="text-sm text-ink-soft">{t("genuine.circulars")}</p>
        <p className="text-sm text-ink-soft">{t("genuine.caution")}</p>
      </div>
    </Section>
  );
}

function Outside({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-baseline gap-1 text-accent underline underline-offset-2"
    >
      {children}
      <ExternalLink aria-hidden className="size-3.5 self-center print:hidden" />
    </a>
  );
}
