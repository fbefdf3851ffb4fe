import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { questionsOptions, sentenceOf, type QuestionMessage } from "@/lib/api";
import { Skeleton } from "@/lib/ui/skeleton";
import { material } from "./material";

/**
 * What the model was asked in a turn, for operators. It is loaded when it is shown, and forgotten when it is hidden.
 */
export function Questions({ turn }: { turn: string }) {
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

/**
 * The messages of a question to the model, exactly as they are sent. Text from outside is highlighted, including the
 * two lines around it.
 */
export function QuestionText({ messages }: { messages: QuestionMessage[] }) {
  const { t } = useTranslation("conversation");
  const parts = messages.map(({ role, text }) => (role === "user" ? material(text) : [{ text, outside: false }]));
  return (
    <>
      {parts.flat().some(({ outside }) => outside) && (
        <p className="mt-1 text-sm text-ink-soft">
          <mark className="rounded bg-due-soft px-1 text-due">{t("written.marked")}</mark> {t("written.outside")}
        </p>
      )}
      <ol className="mt-1 space-y-2">
        {messages.map(({ role }, index) => (
          <li key={index}>
            <p className="text-sm font-medium text-ink-soft">{t(`written.role.${role}`)}</p>
            {/* Focusable, so that it can be scrolled with the keyboard. */}
            <pre
              // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              role="region"
              aria-label={t(`written.role.${role}`)}
              className="max-h-96 overflow-auto rounded-lg bg-margin p-3 text-[0.8125rem] leading-5 whitespace-pre-wrap text-ink"
            >
              {parts[index]?.map(({ text, outside }, n) =>
                outside ? (
                  <mark key={n} className="bg-due-soft box-decoration-clone text-ink">
                    {text}
                  </mark>
                ) : (
                  text
                ),
              )}
            </pre>
          </li>
        ))}
      </ol>
    </>
  );
}
