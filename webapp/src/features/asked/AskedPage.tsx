import { Check, CircleDashed, FileUp, WifiOff } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import {
  ApiError,
  askedOptions,
  idempotencyKey,
  sentenceOf,
  uploadByLink,
  type LinkInterview,
  type LinkPaper,
  type LinkQuestion,
} from "@/lib/api";
import { dayOf } from "@/lib/format";
import { isLanguage, languages, speakUnlessChosen, useLanguage, type Language } from "@/lib/i18n";
import { say } from "@/lib/message";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import { usePageTitle } from "@/lib/ui/title";
import { AnswerBox, type Answer } from "@/parts/interview";
import { useAsked } from "./useAsked";

/**
 * The page where a client answers questions about their notice and uploads papers, through a link and without an
 * account.
 */
export function AskedPage() {
  const { t } = useTranslation("asked");
  const { hash, search } = useLocation();
  const token = hash.slice(1);
  const { asked, ...answers } = useAsked(token);
  const { data, error } = asked;
  usePageTitle(t("title"));
  // The address names the language too, for a link that no longer opens anything.
  const language = data?.language ?? new URLSearchParams(search).get("language");
  useEffect(() => {
    if (isLanguage(language)) void speakUnlessChosen(language).catch(() => undefined);
  }, [language]);
  const over = token === "" || (error instanceof ApiError && error.status === 404);
  return (
    <div className="h-dvh overflow-y-auto bg-paper">
      <main className="mx-auto max-w-xl px-4 pt-5 pb-20">
        <Languages />
        <h1 className="mt-4 font-serif text-[1.75rem] leading-9 font-semibold">{t("title")}</h1>
        {over ? (
          <p role="alert" className="mt-3">
            {t("over")}
          </p>
        ) : data !== undefined ? (
          <Open token={token} asked={data} {...answers} />
        ) : error === null ? (
          <div role="status" aria-label={t("loading")} className="mt-6 space-y-4">
            <Skeleton className="h-24" />
            <Skeleton className="h-24" />
          </div>
        ) : (
          <div className="mt-4">
            <p role="alert">{sentenceOf(error, t("failed"))}</p>
            <Button size="small" className="mt-3" onClick={() => void asked.refetch()}>
              {t("again")}
            </Button>
          </div>
        )}
      </main>
    </div>
  );
}

function Languages() {
  const { t } = useTranslation("asked");
  const { language, choose } = useLanguage();
  return (
    <div role="group" aria-label={t("language")} className="flex justify-end gap-2">
      {(Object.entries(languages) as [Language, string][]).map(([value, name]) => (
        <Button
          key={value}
          size="small"
          look="quiet"
          lang={value}
          aria-pressed={value === language}
          className={value === language ? "text-accent" : undefined}
          onClick={() => void choose(value).catch(() => undefined)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

type OpenProps = Omit<ReturnType<typeof useAsked>, "asked"> & { token: string; asked: LinkInterview };

function Open({ token, asked, say: answer, answerTo, stateOf }: OpenProps) {
  const { t } = useTranslation("asked");
  const questions = asked.questions ?? [];
  const papers = asked.papers ?? [];
  const done = questions.filter(({ key, answered }) => stateOf(key, answered) !== "none").length;
  return (
    <>
      <p className="mt-2">{t("hint")}</p>
      {questions.length === 0 && <p className="mt-6">{t("nothing")}</p>}
      {questions.length > 0 && (
        <p role="status" className="mt-4 text-ink-soft">
          {t("done", { count: done, total: questions.length })}
        </p>
      )}
      <ol className="mt-2 space-y-4">
        {questions.map((question, at) => (
          <Question
            key={question.key}
            question={question}
            number={at + 1}
            answer={answerTo(question.key)}
            state={stateOf(question.key, question.answered)}
            onAnswer={(next) => {
              answer(question.key, next);
            }}
          />
        ))}
      </ol>
      {papers.length > 0 && (
        <section className="mt-8">
          <h2 className="font-serif text-xl font-semibold">{t("papers")}</h2>
          <p className="mt-1 text-ink-soft">{t("papersHint")}</p>
          <ul className="mt-2">
            {papers.map((paper) => (
              <PaperRow key={paper.type} token={token} paper={paper} />
            ))}
          </ul>
        </section>
      )}
      <p className="mt-8 text-ink-soft">{t("until", { day: dayOf(asked.expires) })}</p>
    </>
  );
}

type QuestionProps = {
  question: LinkQuestion;
  number: number;
  answer: Answer;
  state: "none" | "waiting" | "failing" | "sent";
  onAnswer: (answer: Answer) => void;
};

function Question({ question, number, answer, state, onAnswer }: QuestionProps) {
  const { t } = useTranslation("asked");
  const id = useId();
  return (
    <li className="rounded-xl border border-rule bg-sheet p-4">
      <p id={id} className="font-medium">
        {number}. {say(question.text)}
      </p>
      <p className="mt-1 mb-3 text-[0.9375rem] text-ink-soft">{say(question.why)}</p>
      <div role="group" aria-labelledby={id}>
        <AnswerBox
          question={question}
          answer={answer}
          labelledBy={id}
          onType={onAnswer}
          onLeave={() => undefined}
          onAnswer={onAnswer}
        />
        <label className="mt-2 flex min-h-11 cursor-pointer items-center gap-2">
          <input
            type="checkbox"
            checked={answer.unknown}
            className="size-5 accent-accent"
            onChange={(event) => {
              onAnswer({ holds: "", words: answer.words, unknown: event.target.checked });
            }}
          />
          {t("unknown")}
        </label>
        <p role="status" className="flex min-h-6 items-center gap-1.5 text-sm text-ink-soft">
          {state === "sent" && <Check aria-hidden className="size-4 text-safe" />}
          {state === "waiting" && <Spinner className="size-3.5" />}
          {state === "failing" && <WifiOff aria-hidden className="size-4 shrink-0 text-overdue" />}
          {state === "none" ? "" : t(`state.${state}`)}
        </p>
      </div>
    </li>
  );
}

/** A requested paper with its status. An upload that failed is repeated when the connection is back. */
function PaperRow({ token, paper }: { token: string; paper: LinkPaper }) {
  const { t } = useTranslation("asked");
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const waiting = useRef<{ files: File[]; key: string } | null>(null);

  const send = async () => {
    const upload = waiting.current;
    if (upload === null) return;
    setFailure(null);
    setShare(0);
    try {
      const data = await uploadByLink({
        token,
        files: upload.files,
        type: paper.type,
        idempotencyKey: upload.key,
        signal: new AbortController().signal,
        onProgress: setShare,
      });
      waiting.current = null;
      queries.setQueryData(askedOptions(token).queryKey, data);
    } catch (error) {
      const later = !(error instanceof ApiError) || error.status === 0 || error.status === 409 || error.status >= 500;
      if (!later) waiting.current = null;
      setFailure(later ? t("state.failing") : sentenceOf(error, t("notSent")));
      if (later) setTimeout(() => void send(), 10_000);
    } finally {
      setShare(null);
    }
  };
  const name = term(paper.type);
  return (
    <li className="flex items-start gap-3 border-b border-rule py-3">
      {paper.came ? (
        <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-safe" />
      ) : (
        <CircleDashed aria-hidden className="mt-0.5 size-5 shrink-0 text-rule-strong" />
      )}
      <div className="min-w-0 flex-1">
        {name}
        {paper.reason !== "" && <span className="block text-sm text-ink-soft">{term(paper.reason)}</span>}
        <p role="status" className="text-sm text-ink-soft">
          {share !== null ? t("sending", { percent: Math.round(share * 100) }) : paper.came ? t("came") : ""}
        </p>
        {failure !== null && <p className="text-sm text-overdue">{failure}</p>}
      </div>
      <input
        ref={input}
        type="file"
        multiple
        accept="application/pdf,image/*"
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length === 0) return;
          waiting.current = { files, key: idempotencyKey() };
          void send();
        }}
      />
      <Button
        size="small"
        aria-label={t("send", { name })}
        disabled={share !== null}
        onClick={() => {
          input.current?.click();
        }}
      >
        <FileUp aria-hidden />
        {t(paper.came ? "sendAgain" : "choose")}
      </Button>
    </li>
  );
}
