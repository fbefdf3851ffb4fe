import { Check } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sentenceOf, type InterviewQuestion } from "@/lib/api";
import { moment } from "@/lib/format";
import { citation, say } from "@/lib/message";
import { Spinner } from "@/lib/ui/spinner";
import { EvidenceLink } from "@/parts/document";
import { Conflict } from "@/parts/draft";
import { AnswerBox, type Answer } from "@/parts/interview";
import { AskClient } from "./AskClient";
import { ChangedElsewhere, questionIn, useAnswering, useInterview } from "./useInterview";

/** The questions about a notice that only the person can answer, most important first. */
export function Interview({ conversation }: { conversation: string }) {
  const questions = useInterview(conversation).data?.questions ?? [];
  return questions.length === 0 ? null : <Questions conversation={conversation} questions={questions} />;
}

type QuestionsProps = { conversation: string; questions: InterviewQuestion[] };

function Questions({ conversation, questions }: QuestionsProps) {
  const { t } = useTranslation("reply");
  const done = questions.filter(isAnswered).length;
  // Only at first: with its last answer it must not fold under the hands of whoever is still writing.
  const [open] = useState(done < questions.length);
  return (
    <details open={open} className="border-t border-rule">
      <summary className="cursor-pointer rounded py-2.5">
        <h2 className="inline font-serif text-lg font-semibold">{t("interview.title")}</h2>{" "}
        <span className="text-[0.9375rem] text-ink-soft">
          {t("interview.done", { count: done, total: questions.length })}
        </span>
      </summary>
      <p className="text-sm text-ink-soft">{t("interview.hint")}</p>
      <AskClient conversation={conversation} />
      <ol className="pb-3">
        {questions.map((question, at) => (
          <Question key={question.key} conversation={conversation} question={question} number={at + 1} />
        ))}
      </ol>
    </details>
  );
}

function isAnswered({ holds, words, unknown }: InterviewQuestion): boolean {
  return unknown || holds !== "" || (words ?? []).some((word) => word !== "");
}

type QuestionProps = { conversation: string; question: InterviewQuestion; number: number };

function Question({ conversation, question, number }: QuestionProps) {
  const { t } = useTranslation("reply");
  const answering = useAnswering(conversation, question.key);
  const [mine, setMine] = useState<Answer | null>(null);
  const [theirs, setTheirs] = useState<InterviewQuestion | null>(null);
  const seen = useRef(question);
  const { holds, unknown } = question;
  const shown: Answer = mine ?? { holds, unknown, words: question.words ?? [] };
  const id = useId();
  const { quote } = question;

  /** The person starts to change the answer they see, unless they already have. */
  const type = (next: Answer) => {
    if (mine === null) seen.current = question;
    setMine(next);
  };
  /** Shows and saves an answer; typed text is kept until it is saved. */
  const keep = (next: Answer) => {
    type(next);
    answering.mutate(
      { answer: next, seen: seen.current },
      {
        onSuccess: (interview) => {
          seen.current = questionIn(interview, question.key) ?? seen.current;
          setMine((now) => (now === next ? null : now));
        },
        onError: (failure) => {
          if (failure instanceof ChangedElsewhere) setTheirs(failure.now);
        },
      },
    );
  };
  /** Ends the choice between the person's answer and one given elsewhere. */
  const settle = (now: InterviewQuestion) => {
    seen.current = now;
    setTheirs(null);
    answering.reset();
  };
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-rule py-4 last:border-b-0 sm:grid-cols-2">
      <div>
        <p id={id} className="font-medium">
          {number}. {say(question.text)}
        </p>
        <p className="mt-1 text-sm text-ink-soft">
          {say(question.why)}
          {question.provision !== "" && ` (${citation(question.provision)})`}
        </p>
        {quote !== null && quote.quote !== "" && (
          <p className="mt-1 line-clamp-3 font-serif text-sm text-ink-soft">
            “{quote.quote}”{" "}
            {quote.page > 0 && (
              <EvidenceLink evidence={{ page: quote.page, quote: quote.quote }}>
                {t("page", { page: quote.page })}
              </EvidenceLink>
            )}
          </p>
        )}
      </div>
      <div role="group" aria-labelledby={id}>
        {theirs === null ? (
          <AnswerBox
            question={question}
            answer={shown}
            labelledBy={id}
            onType={type}
            onLeave={() => {
              if (mine !== null) keep(mine);
            }}
            onAnswer={keep}
          />
        ) : (
          <Conflict
            mine={shown.words.join("\n")}
            theirs={(theirs.words ?? []).join("\n")}
            saving={answering.isPending}
            onMine={() => {
              settle(theirs);
              keep(shown);
            }}
            onTheirs={() => {
              settle(theirs);
              setMine(null);
            }}
          />
        )}
        <div className="mt-2 flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          <label className="flex cursor-pointer items-center gap-2">
            <input
              type="checkbox"
              checked={shown.unknown}
              className="size-4 accent-accent"
              onChange={(event) => {
                keep({ holds: "", words: shown.words, unknown: event.target.checked });
              }}
            />
            {t("interview.unknown")}
          </label>
          <span role="status" className="flex items-center gap-1">
            {answering.isPending ? (
              <>
                <Spinner className="size-3.5" /> {t("saving")}
              </>
            ) : answering.error !== null && theirs === null ? (
              <span className="text-overdue">{sentenceOf(answering.error, t("saveFailed"))}</span>
            ) : (
              question.at !== null &&
              isAnswered(question) && (
                <>
                  <Check aria-hidden className="size-3.5" />{" "}
                  {question.by !== "client"
                    ? t("interview.at", { at: moment(question.at) })
                    : question.who === ""
                      ? t("interview.byClient", { at: moment(question.at) })
                      : t("interview.byWhom", { who: question.who, at: moment(question.at) })}
                </>
              )
            )}
          </span>
        </div>
      </div>
    </li>
  );
}
