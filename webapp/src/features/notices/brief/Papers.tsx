import { CircleCheck, CircleDashed, FileUp, ListChecks, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { documentUrl, type Letter, type Paper } from "@/lib/api";
import { spoken } from "@/lib/i18n";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { CopyButton, usePickDocument } from "@/parts/conversation";
import { Fold, Section } from "./parts";

const marks = {
  needed: { Icon: CircleDashed, colour: "text-rule-strong" },
  uploaded: { Icon: FileUp, colour: "text-accent" },
  reviewed: { Icon: CircleCheck, colour: "text-safe" },
};

/**
 * The requested papers with their status, other papers that such a notice usually needs, and a message that asks the
 * client for missing ones.
 */
export function Papers({ papers, letters }: { papers: Paper[]; letters: Letter[] }) {
  const { t } = useTranslation("notices");
  if (papers.length === 0) return null;
  const asked = papers.filter((paper) => paper.asked);
  const others = papers.filter((paper) => !paper.asked);
  // Counted as everywhere else: only requested papers.
  const received = asked.filter(({ state }) => state !== "needed").length;
  return (
    <Section
      title={asked.length === 0 ? t("papers.none") : t("papers.title", { received, count: asked.length })}
      icon={<ListChecks aria-hidden />}
    >
      <List papers={asked} />
      {others.length > 0 && (
        <>
          {asked.length > 0 && <h4 className="mt-3 text-sm font-medium text-ink-soft">{t("papers.others")}</h4>}
          <List papers={others} />
        </>
      )}
      {letters.length > 0 && <Ask letters={letters} />}
    </Section>
  );
}

function List({ papers }: { papers: Paper[] }) {
  const { t } = useTranslation("notices");
  const pick = usePickDocument();
  return (
    <ul className="text-[0.9375rem]">
      {papers.map((paper, index) => {
        const { Icon, colour } = marks[paper.state];
        const label = t("papers.upload", { type: term(paper.name) });
        return (
          <li key={index} className="flex items-start gap-2.5 border-b border-rule py-2">
            <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colour}`} />
            <span className="min-w-0 flex-1">
              <span className="sr-only">{t(`papers.${paper.state}`)}: </span>
              {term(paper.type)}
              {paper.reason !== "" && <span className="block text-sm text-ink-soft">{term(paper.reason)}</span>}
              {paper.document_id !== null && (
                <a
                  href={documentUrl(paper.document_id)}
                  target="_blank"
                  rel="noopener"
                  className="text-sm text-accent underline underline-offset-2 print:hidden"
                >
                  {t("papers.open")}
                </a>
              )}
            </span>
            {paper.state === "needed" && pick !== null && (
              <Button
                look="quiet"
                size="icon-small"
                className="-my-1 print:hidden"
                title={label}
                aria-label={label}
                onClick={() => {
                  pick(paper.name);
                }}
              >
                <Upload aria-hidden />
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Ask({ letters }: { letters: Letter[] }) {
  const { t } = useTranslation("notices");
  const [language, setLanguage] = useState<string>(spoken());
  const letter = letters.find((one) => one.language === language) ?? letters[0];
  if (letter === undefined) return null;
  return (
    <div className="print:hidden">
      <Fold summary={t("papers.letter")}>
        <div role="group" aria-label={t("papers.language")} className="flex gap-2">
          {letters.map((one) => (
            <Button
              key={one.language}
              size="small"
              aria-pressed={one === letter}
              className={one === letter ? "border-accent text-accent" : undefined}
              onClick={() => {
                setLanguage(one.language);
              }}
            >
              <span lang={one.language}>{one.name}</span>
            </Button>
          ))}
        </div>
        <textarea
          readOnly
          rows={10}
          lang={letter.language}
          aria-label={t("papers.letter")}
          value={letter.text}
          className="mt-2 w-full resize-y rounded-lg border border-rule bg-margin p-3 text-sm leading-5"
        />
        <div className="mt-1 ml-3">
          <CopyButton text={letter.text} label={t("papers.copy")} />
        </div>
      </Fold>
    </div>
  );
}
