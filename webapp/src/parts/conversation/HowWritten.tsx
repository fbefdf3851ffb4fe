import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions, type Provenance } from "@/lib/api";
import { count, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Questions } from "./Question";
import { Source } from "./Source";

/**
 * Says which prompt and which model wrote an answer, and how many tokens it took; operators also see the exact
 * question.
 */
export function HowWritten({ provenance, turn }: { provenance: Provenance; turn: string }) {
  const { t } = useTranslation("conversation");
  const operator = useQuery(publicConfigOptions()).data?.operator === true;
  const [plugin, ...prompt] = provenance.prompt.split("/");
  const model =
    provenance.model === "offline"
      ? t("written.offline")
      : provenance.provider === undefined
        ? provenance.model
        : t("written.by", { model: provenance.model, provider: provenance.provider });
  const instant = provenance.milliseconds < 100; // typical of the offline engine
  const seconds = (provenance.milliseconds / 1000).toFixed(provenance.milliseconds < 10_000 ? 1 : 0);
  const facts: [string, ReactNode][] = [
    [t("written.plugin"), plugin],
    [
      t("written.version"),
      provenance.bundle === undefined ? t("written.unknown") : <Sha key="bundle" sha={provenance.bundle} />,
    ],
    [
      t("written.prompt"),
      <span key="prompt">
        {prompt.join("/")} (<Sha sha={provenance.prompt_sha} />)
      </span>,
    ],
    [t("written.model"), model],
    [t("written.time"), instant ? t("written.instant") : t("written.seconds", { seconds })],
  ];
  if (provenance.input_tokens + provenance.output_tokens > 0) {
    facts.push([
      t("written.tokens"),
      t("written.inOut", { input: count(provenance.input_tokens), output: count(provenance.output_tokens) }),
    ]);
  }
  const law = provenance.law ?? [];
  if (law.length > 0) {
    facts.push([
      t("written.law"),
      <ul key="law">
        {law.map((source) => (
          <li key={`${source.name} ${source.from} ${String(source.page)}`}>
            {source.page !== undefined ? (
              t("written.page", { name: source.name, page: source.page })
            ) : source.act === undefined || source.number === undefined || source.on === undefined ? (
              source.name
            ) : (
              <Source {...source} act={source.act} number={source.number} on={source.on} />
            )}
          </li>
        ))}
      </ul>,
    ]);
  }
  if (provenance.cost_paise !== undefined) facts.push([t("written.cost"), money(provenance.cost_paise / 100)]);
  return (
    <details className="mt-1 max-w-2xl text-sm text-ink-soft not-open:print:hidden">
      <summary className="w-fit cursor-pointer rounded py-1.5 underline-offset-4 hover:text-ink hover:underline">
        {t("written.title")}
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 tabular-nums">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      {provenance.first !== undefined && (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer rounded py-1 underline-offset-4 hover:text-ink hover:underline">
            {t("written.first")}
          </summary>
          {/* Focusable, so that it can be scrolled with the keyboard. */}
          <p
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="group"
            aria-label={t("written.first")}
            className="mt-1 max-h-80 overflow-y-auto border-l-2 border-rule-strong pl-3 whitespace-pre-wrap text-ink focus-visible:-outline-offset-2"
          >
            {provenance.first}
          </p>
        </details>
      )}
      {operator && <Asked turn={turn} />}
    </details>
  );
}

const Sha = ({ sha }: { sha: string }) => <code title={sha}>{sha.slice(0, 10)}</code>;

/** What the model was asked in a turn, loaded only when an operator opens it. */
function Asked({ turn }: { turn: string }) {
  const { t } = useTranslation("conversation");
  const [shown, show] = useState(false);
  return (
    <div className="mt-2">
      <Button
        look="link"
        size="bare"
        className="text-sm"
        aria-expanded={shown}
        onClick={() => {
          show(!shown);
        }}
      >
        {shown ? t("written.hideQuestion") : t("written.question")}
      </Button>
      {shown && <Questions turn={turn} />}
    </div>
  );
}
