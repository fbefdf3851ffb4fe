import { useTranslation } from "react-i18next";
import type { Turn } from "@/lib/api";
import { term } from "@/lib/terms";
import { AnswerText } from "./Answer";
import { isActive, type Live } from "./live";
import { CurrentStep, Steps, Thinking } from "./Steps";

/** A running turn: its steps, and then its text while it is written. */
export function LiveTurn({ turn, live, processing }: { turn: Turn; live: Live; processing?: string | undefined }) {
  const { t } = useTranslation("conversation");
  const running = turn.steps?.find((step) => step.state === "running");
  return (
    // Outside the live region: screen readers read an answer once, when it is complete.
    <div data-testid="live-turn" aria-busy={isActive(turn)}>
      {live.text === "" ? (
        turn.kind === "chat" ? (
          <Thinking turn={turn} />
        ) : (
          <>
            {processing !== undefined && <p className="mb-3 font-serif text-lg font-semibold">{processing}</p>}
            <Steps turn={turn} />
          </>
        )
      ) : (
        <>
          <AnswerText text={live.text} />
          {isActive(turn) && <CurrentStep turn={turn} />}
        </>
      )}
      <p role="status" className="sr-only">
        {turn.state === "queued" ? t("starting") : term(running?.title ?? "")}
      </p>
    </div>
  );
}
