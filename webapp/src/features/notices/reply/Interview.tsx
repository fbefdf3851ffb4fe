import { Check } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sentenceOf, type InterviewQuestion } from "@/lib/api";
import { moment } from "@/lib/format";
import { citation, say } from "@/lib/message";
import { term } from "@/lib/terms";
import { cn } from "@/lib/ui/cn";
import { Spinner } from "@/lib/ui/spinner";
import { EvidenceLink } from "@/parts/document";
import { Conflict } from "@/parts/draft";
import { ChangedElsewhere, questionIn, useAnswering, useInterview, type Answer } from "./useInterview";

/** What only the person can tell of a notice, what decides most first. */
export function Interview({ conversation }: { conversation: string }) {
  const { t } = useTranslation("reply");
  const questions = useInterview(conversation).data?.questions ?? [];
  if (questions.length === 0) return null;
  const done = questions.filter(isAnswered).length;
  return (
    <details open={done < questions.length} className="border-t border-rule">
      <summary className="cursor-pointer rounded py-2.5">
        <h2 className="inline font-serif text-lg font-semibold">{t("interview.title")}</h2>{" "}
        <span className="text-[0.9375rem] text-ink-soft">
          {t("interview.done", { count: done, total: questions.length })}
        </span>
      </summary>
      <p className="text-sm text-ink-soft">{t("interview.hint")}</p>
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

  /** What the person is about to say answers what they see, unless they are at it already. */
  const type = (next: Answer) => {
    if (mine === null) seen.current = question;
    setMine(next);
  };
  /** Shows and keeps an answer; what was typed stays until it is kept. */
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
  /** Ends the choice between what the person said and what was said elsewhere. */
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
          <Box
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
                  <Check aria-hidden className="size-3.5" /> {t("interview.at", { at: moment(question.at) })}
                </>
              )
            )}
          </span>
        </div>
      </div>
    </li>
  );
}

type BoxProps = {
  question: InterviewQuestion;
  answer: Answer;
  labelledBy: string;
  onType: (answer: Answer) => void;
  onLeave: () => void;
  onAnswer: (answer: Answer) => void;
};

const line = "min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3";

/** What a question is answered with, by its kind. */
function Box({ question, answer, labelledBy, onType, onLeave, onAnswer }: BoxProps) {
  const { t } = useTranslation("reply");
  const one = answer.words[0] ?? "";
  const said = (words: string[]): Answer => ({ ...answer, unknown: false, words });
  switch (question.kind) {
    case "day":
    case "money":
    case "year":
      return (
        <input
          type={question.kind === "day" ? "date" : "text"}
          inputMode={question.kind === "money" ? "numeric" : undefined}
          placeholder={question.kind === "day" ? undefined : t(`interview.${question.kind}`)}
          aria-labelledby={labelledBy}
          value={one}
          className={cn(line, "max-w-60")}
          onChange={(event) => {
            onType(said([event.target.value]));
          }}
          onBlur={onLeave}
        />
      );
    case "papers":
      return (
        <ul className="space-y-1.5">
          {(question.options ?? []).map((paper) => (
            <li key={paper}>
              <label className="flex cursor-pointer items-start gap-2">
                <input
                  type="checkbox"
                  checked={answer.words.includes(paper)}
                  className="mt-1 size-4 shrink-0 accent-accent"
                  onChange={(event) => {
                    const others = answer.words.filter((word) => word !== paper);
                    onAnswer(said(event.target.checked ? [...others, paper] : others));
                  }}
                />
                {term(paper)}
              </label>
            </li>
          ))}
        </ul>
      );
    case "choice":
    case "words":
      return (
        <>
          {question.kind === "choice" && (
            <div className="mb-2 flex gap-4">
              {(["yes", "no"] as const).map((holds) => (
                <label key={holds} className="flex min-h-9 cursor-pointer items-center gap-2">
                  <input
                    type="radio"
                    name={labelledBy}
                    checked={answer.holds === holds}
                    className="size-4 accent-accent"
                    onChange={() => {
                      onAnswer({ ...said(answer.words), holds });
                    }}
                  />
                  {t(`interview.${holds}`)}
                </label>
              ))}
            </div>
          )}
          {(question.kind === "words" || answer.holds === "yes") && (
            <Places question={question} answer={answer} labelledBy={labelledBy} onType={onType} onLeave={onLeave} />
          )}
        </>
      );
  }
}

type PlacesProps = Omit<BoxProps, "onAnswer">;

/** A box for each place that the answer fills in the draft. */
function Places({ question, answer, labelledBy, onType, onLeave }: PlacesProps) {
  const { t } = useTranslation("reply");
  const places = question.places ?? [];
  const box = useId();
  const idOf = (at: number) => `${box}-${String(at)}`;
  return places.map((place, at) => (
    <div key={idOf(at)} className="mt-2 first:mt-0">
      {place !== "" && (
        <p id={idOf(at)} className="mb-1 text-sm text-ink-soft">
          {t("interview.place")} <span lang="en">{place}</span>
        </p>
      )}
      <textarea
        aria-labelledby={place === "" ? labelledBy : `${labelledBy} ${idOf(at)}`}
        value={answer.words[at] ?? ""}
        rows={2}
        maxLength={2_700}
        className="field-sizing-content max-h-72 min-h-16 w-full resize-y rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2 text-[0.9375rem]"
        onChange={(event) => {
          const words = places.map((_, other) => (other === at ? event.target.value : (answer.words[other] ?? "")));
          onType({ ...answer, unknown: false, words });
        }}
        onBlur={onLeave}
      />
    </div>
  ));
}
