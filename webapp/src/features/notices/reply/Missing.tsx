import { useTranslation } from "react-i18next";
import type { MissingOne } from "@/lib/api";
import { languageOf } from "@/lib/i18n";
import { say } from "@/lib/message";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";

const kinds = ["paragraph", "date", "paper", "blank", "confirm"] as const;

type MissingProps = {
  missing: MissingOne[];
  /** Shows a paragraph that is undecided. */
  onDecide: (key: string) => void;
};

/** What must still be settled before the reply can be filed, by kind. */
export function Missing({ missing, onDecide }: MissingProps) {
  const { t } = useTranslation("reply");
  if (missing.length === 0) return <p className="mt-3 text-[0.9375rem] text-safe">{t("missing.nothing")}</p>;
  return (
    <details className="mt-4 rounded-xl border border-rule bg-sheet px-4">
      <summary className="cursor-pointer rounded py-3 font-medium">
        {t("missing.count", { count: missing.length })}
      </summary>
      {kinds.map((kind) => {
        const some = missing.filter((one) => one.kind === kind);
        return (
          some.length > 0 && (
            <section key={kind} aria-label={t(`missing.${kind}`)} className="pb-3">
              <h2 className="text-sm font-medium text-ink-soft">
                {t(`missing.${kind}`)} ({some.length})
              </h2>
              <ul className="mt-1 list-disc space-y-1 pl-5 text-[0.9375rem]">
                {some.map((one, at) => (
                  <li key={at}>
                    {kind === "paragraph" ? (
                      <Button
                        look="link"
                        size="bare"
                        onClick={() => {
                          onDecide(one.point);
                        }}
                      >
                        {say(one.what)}
                      </Button>
                    ) : kind === "paper" ? (
                      term(say(one.what))
                    ) : (
                      <span lang={languageOf(say(one.what))}>{say(one.what)}</span>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </details>
  );
}
