import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { putAside, retryTurn, sentenceOf, type TriageFile } from "@/lib/api";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { focusNeighbour } from "@/lib/ui/neighbour";
import { Section } from "@/lib/ui/section";
import { usePracticeChange } from "./usePractice";

/** How many files are shown at first. */
const few = 10;

/** Files that could not be used, each with the reason, until somebody dismisses them. */
export function TriageFiles({ files, works }: { files: TriageFile[]; works: boolean }) {
  const { t } = useTranslation("practice");
  const onError = (error: Error) => {
    toast.error(sentenceOf(error, t("changeFailed")));
  };
  const aside = usePracticeChange({
    mutationFn: (ids: string[]) => putAside({ body: { files: ids }, throwOnError: true }),
    onError,
  });
  const retry = usePracticeChange({
    mutationFn: (turn: string) => retryTurn({ path: { id: turn }, throwOnError: true }),
    onError,
  });
  const [all, setAll] = useState(false);
  if (files.length === 0) return null;
  const shown = all ? files : files.slice(0, few);
  return (
    <Section title={t("files.title")} className="mt-8">
      <ul className="mt-2 border-t border-rule">
        {shown.map(({ id, name, problem, repeats, turn }) => (
          <li key={id} className="flex items-start justify-between gap-x-3 border-b border-rule py-2">
            <div className="min-w-0 text-[0.9375rem]">
              <span className="font-medium break-words">{name}</span>
              <p className="text-ink-soft">
                {problem !== null && say(problem.said)}
                {repeats !== null && (
                  <>
                    {t("files.before")}{" "}
                    <Link to={`/app/notices/${repeats.paper}`} className="text-accent underline underline-offset-4">
                      {repeats.title === "" ? t("untitled") : repeats.title}
                    </Link>
                  </>
                )}
              </p>
            </div>
            {works && (
              <div className="-my-1 flex shrink-0 gap-1">
                {turn !== null && (
                  <Button
                    size="small"
                    disabled={retry.isPending}
                    onClick={() => {
                      retry.mutate(turn);
                    }}
                  >
                    {t("files.again")}
                  </Button>
                )}
                <Button
                  look="quiet"
                  size="icon-small"
                  title={t("files.aside")}
                  aria-label={t("files.asideNamed", { name })}
                  onClick={(event) => {
                    focusNeighbour(event.currentTarget);
                    aside.mutate([id]);
                  }}
                >
                  <X aria-hidden />
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {files.length > shown.length && (
        <Button
          look="quiet"
          size="small"
          className="mt-2 -ml-3"
          onClick={() => {
            setAll(true);
          }}
        >
          {t("files.all", { count: files.length })}
        </Button>
      )}
      {works && files.length > 1 && (
        <Button
          look="quiet"
          size="small"
          className="mt-2 -ml-3"
          onClick={() => {
            aside.mutate(files.map(({ id }) => id));
          }}
        >
          {t("files.asideAll")}
        </Button>
      )}
    </Section>
  );
}
