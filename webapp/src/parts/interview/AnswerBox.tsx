import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { InterviewQuestion } from "@/lib/api";
import { term } from "@/lib/terms";
import { cn } from "@/lib/ui/cn";

/** An answer to a question; an empty one withdraws the previous answer. */
export type Answer = Pick<InterviewQuestion, "holds" | "unknown"> & { words: string[] };

/** The properties of a question that determine its fields. */
export type Asked = Pick<InterviewQuestion, "kind" | "options" | "places">;

/** Reports whether there is an answer, including "not known". */
export const isSaid = ({ holds, words, unknown }: Answer): boolean =>
  unknown || holds !== "" || words.some((word) => word !== "");

type BoxProps = {
  question: Asked;
  answer: Answer;
  labelledBy: string;
  onType: (answer: Answer) => void;
  onLeave: () => void;
  onAnswer: (answer: Answer) => void;
};

const line = "min-h-11 w-full rounded-lg border border-rule-strong/60 bg-sheet px-3";

/**
 * The fields for an answer, by the kind of question. Typed text is passed on at once, and again when the field loses
 * the focus.
 */
export function AnswerBox({ question, answer, labelledBy, onType, onLeave, onAnswer }: BoxProps) {
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

/** A field for each blank that the answer fills in the draft. */
function Places({ question, answer, labelledBy, onType, onLeave }: PlacesProps) {
  const { t, i18n } = useTranslation("reply");
  const places = question.places ?? [];
  // The name of a blank is in English unless the tables have a translation; a single field needs no name.
  const isNamed = (place: string) =>
    place !== "" && (places.length > 1 || i18n.language === "en" || term(place) !== place);
  const box = useId();
  const idOf = (at: number) => `${box}-${String(at)}`;
  return places.map((place, at) => (
    <div key={idOf(at)} className="mt-2 first:mt-0">
      {isNamed(place) && (
        <p id={idOf(at)} className="mb-1 text-sm text-ink-soft">
          {t("interview.place")} <span lang={term(place) === place ? "en" : undefined}>{term(place)}</span>
        </p>
      )}
      <textarea
        aria-labelledby={isNamed(place) ? `${labelledBy} ${idOf(at)}` : labelledBy}
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
