import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { publicConfigOptions, questionsOptions, sentenceOf, type Provenance, type QuestionMessage } from "@/lib/api";
import { count, money } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";

/** Which words, which model and how much of it wrote an answer; operators also see the question, to the letter. */
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
  const instant = provenance.milliseconds < 100; // the offline engine's way
  const seconds = (provenance.milliseconds / 1000).toFixed(provenance.milliseconds < 10_000 ? 1 : 0);
  const facts: [string, ReactNode][] = [
    [t("written.plugin"), plugin],
    [t("written.version"), provenance.bundle === undefined ? t("written.unknown") : <Sha key="bundle" sha={provenance.bundle} />],
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
    facts.push([t("written.tokens"), t("written.inOut", { input: count(provenance.input_tokens), output: count(provenance.output_tokens) })]);
  }
  if (provenance.cost_paise !== undefined) facts.push([t("written.cost"), money(provenance.cost_paise / 100)]);
  return (
    <details className="mt-1 max-w-2xl text-sm text-ink-soft">
      <summary className="w-fit cursor-pointer rounded py-1.5 underline-offset-4 hover:text-ink hover:underline">{t("written.title")}</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 tabular-nums">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      {operator && <Asked turn={turn} />}
    </details>
  );
}

const Sha = ({ sha }: { sha: string }) => <code title={sha}>{sha.slice(0, 10)}</code>;

/** What the model was asked in a turn, read only when an operator wants to see it. */
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

function Questions({ turn }: { turn: string }) {
  const { t } = useTranslation("conversation");
  const { data, error } = useQuery(questionsOptions(turn));
  if (error !== null) return <p role="alert">{sentenceOf(error, t("written.questionFailed"))}</p>;
  if (data === undefined) return <Skeleton className="mt-2" />;
  const questions = data.questions ?? [];
  if (questions.length === 0) return <p>{t("written.noQuestion")}</p>;
  return questions.map(({ step, part, messages, provenance }) => (
    <section key={`${step} ${part}`} className="mt-3">
      <h4 className="font-medium text-ink">
        {provenance.prompt} {part !== "" && t("written.part", { part })}
      </h4>
      <QuestionText messages={messages ?? []} />
    </section>
  ));
}

/** The messages of a question to the model, exactly as they are sent. */
export function QuestionText({ messages }: { messages: QuestionMessage[] }) {
  const { t } = useTranslation("conversation");
  return (
    <ol className="mt-1 space-y-2">
      {messages.map(({ role, text }, index) => (
        <li key={index}>
          <p className="text-sm font-medium text-ink-soft">{t(`written.role.${role}`)}</p>
          {/* Focusable, so that a keyboard can scroll it. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} role="region" aria-label={t(`written.role.${role}`)} className="max-h-96 overflow-auto rounded-lg bg-margin p-3 text-[0.8125rem] leading-5 whitespace-pre-wrap text-ink">
            {text}
          </pre>
        </li>
      ))}
    </ol>
  );
}
