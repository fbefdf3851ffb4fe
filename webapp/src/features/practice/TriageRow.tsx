import { Check, CircleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { filePaper, seePaper, sentenceOf, type MatterLine, type TriagePaper } from "@/lib/api";
import { day, money } from "@/lib/format";
import { say } from "@/lib/message";
import { Button } from "@/lib/ui/button";
import { focusNeighbour } from "@/lib/ui/neighbour";
import { RemoveButton } from "@/lib/ui/remove";
import { useDelete } from "@/parts/conversation";
import { DaysLeft } from "@/parts/deadline";
import { ChooseMatter } from "./ChooseMatter";
import { matterName, yearsOf } from "./names";
import { useChangeMatter, usePracticeChange, useStaff } from "./usePractice";

/**
 * A document that nobody has checked yet: what it is, whose, how much, by when, where it belongs, and what is
 * uncertain.
 */
export function TriageRow({ paper, works }: { paper: TriagePaper; works: boolean }) {
  const { t } = useTranslation(["practice", "notices"]);
  const { t: own } = useTranslation("practice");
  const name = paper.client ?? (paper.title || t("untitled"));
  const watched = paper.reply_by ?? paper.watch_by;
  const said = [paper.form, yearsOf(paper, own), paper.reference].filter((part) => part !== null);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-rule py-3 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <Link
          to={`/app/notices/${paper.id}`}
          className="font-medium break-words text-ink underline-offset-4 hover:text-accent hover:underline"
        >
          {name}
        </Link>
        {paper.gstin !== null && <span className="block text-sm text-ink-soft tabular-nums">{paper.gstin}</span>}
        <p className="text-[0.9375rem] break-words">{said.join(" · ")}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem] tabular-nums">
          {paper.demand_paise !== null && paper.demand_paise > 0 && <span>{money(paper.demand_paise / 100)}</span>}
          {watched !== null && (
            <>
              <span>{day(watched)}</span>
              <DaysLeft date={watched} />
            </>
          )}
        </p>
        {(paper.attention ?? []).length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-due">
            {(paper.attention ?? []).map(({ code, page }) => (
              <li key={code} className="flex items-center gap-1.5">
                <CircleAlert aria-hidden className="size-3.5 shrink-0" />
                {t(`notices:list.attention.${code}`, { page: Math.max(1, page) })}
              </li>
            ))}
          </ul>
        )}
        {paper.from !== "" && <p className="mt-1 text-sm text-ink-soft">{t("triage.from", { name: paper.from })}</p>}
      </div>
      <Place paper={paper} name={name} works={works} />
    </li>
  );
}

/** Where a document belongs, with buttons to accept or change that, and to assign the matter. */
function Place({ paper, name, works }: { paper: TriagePaper; name: string; works: boolean }) {
  const { t } = useTranslation("practice");
  const [choosing, setChoosing] = useState(false);
  const remove = useDelete();
  const onError = (error: Error) => {
    toast.error(sentenceOf(error, t("changeFailed")));
  };
  const accept = usePracticeChange({
    mutationFn: () => seePaper({ path: { id: paper.id }, throwOnError: true }),
    onError,
  });
  const file = usePracticeChange({
    mutationFn: (body: { matter?: string; client?: string; name?: string; gstin?: string }) =>
      filePaper({ path: { id: paper.id }, body, throwOnError: true }),
    onSuccess: () => {
      setChoosing(false);
    },
    onError,
  });
  const gone = usePracticeChange({
    mutationFn: () => remove.mutateAsync({ id: paper.id, name }),
  });
  const { matter, settled, candidates, client, duplicate, name: read } = paper.filing;
  const [best] = candidates ?? [];
  const mine = settled ? matter : (best?.matter ?? null);
  const busy = accept.isPending || file.isPending;
  return (
    <div className="min-w-0 text-[0.9375rem]">
      {duplicate !== null && (
        <p className="mb-1 text-due">
          {t("triage.duplicate")}{" "}
          <Link to={`/app/notices/${duplicate.paper}`} className="underline underline-offset-4">
            {duplicate.title === "" ? t("untitled") : duplicate.title}
          </Link>
          <span className="block text-sm">{say(duplicate.why)}</span>
        </p>
      )}
      {mine !== null ? (
        <>
          <p>
            <span className="text-ink-soft">{t(settled ? "triage.in" : "triage.looks")}</span>{" "}
            <MatterLink matter={mine} />
          </p>
          {!settled && (
            <ul className="text-sm text-ink-soft">
              {(best?.why ?? []).map((why) => (
                <li key={why.en}>{say(why)}</li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <p className="text-ink-soft">{t("triage.nowhere")}</p>
      )}
      {settled && matter !== null && works && <Assign matter={matter} name={name} />}
      {works && (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {settled ? (
            <Button
              size="small"
              disabled={busy}
              aria-label={t("triage.acceptNamed", { name })}
              onClick={(event) => {
                focusNeighbour(event.currentTarget);
                accept.mutate(undefined);
              }}
            >
              <Check aria-hidden />
              {t("triage.accept")}
            </Button>
          ) : (
            best !== undefined && (
              <Button
                size="small"
                disabled={busy}
                aria-label={t("triage.attachNamed", { name })}
                onClick={() => {
                  file.mutate({ matter: best.matter.id });
                }}
              >
                <Check aria-hidden />
                {t("triage.attach")}
              </Button>
            )
          )}
          {!settled && client !== null && (
            <Button
              size="small"
              disabled={busy}
              onClick={() => {
                file.mutate({ client: client.id });
              }}
            >
              {t("triage.newMatter", { name: client.name })}
            </Button>
          )}
          {!settled && client === null && read !== "" && (
            <Button
              size="small"
              disabled={busy}
              onClick={() => {
                file.mutate({ name: read, ...(paper.gstin === null ? {} : { gstin: paper.gstin }) });
              }}
            >
              {t("triage.newClient", { name: read })}
            </Button>
          )}
          <Button
            look="quiet"
            size="small"
            aria-label={t("triage.elsewhereNamed", { name })}
            onClick={() => {
              setChoosing(true);
            }}
          >
            {t("triage.elsewhere")}
          </Button>
          <RemoveButton
            title={t("triage.delete")}
            label={t("triage.deleteNamed", { name })}
            onRemove={() => {
              gone.mutate(undefined);
            }}
          />
        </div>
      )}
      <ChooseMatter
        open={choosing}
        name={read}
        gstin={paper.gstin ?? ""}
        pending={file.isPending}
        onChoose={file.mutate}
        onClose={() => {
          setChoosing(false);
        }}
      />
    </div>
  );
}

function MatterLink({ matter }: { matter: MatterLine }) {
  const { t } = useTranslation("practice");
  return (
    <Link to={`/app/practice/matters/${matter.id}`} className="break-words text-accent underline underline-offset-4">
      {matter.client.name}, {matterName(matter, t)}
    </Link>
  );
}

/** Assigns the matter of a document to a member. */
function Assign({ matter, name }: { matter: MatterLine; name: string }) {
  const { t } = useTranslation("practice");
  const staff = useStaff();
  const change = useChangeMatter(matter.id);
  return (
    <label className="mt-1 flex flex-wrap items-center gap-2">
      <span className="text-ink-soft">
        {t("triage.assign")}
        <span className="sr-only">: {name}</span>
      </span>
      <select
        value={change.isPending ? (change.variables.assignee ?? "") : (matter.assignee?.id ?? "")}
        className="min-h-9 max-w-full rounded-lg border border-rule-strong/60 bg-sheet px-2"
        onChange={(event) => {
          change.mutate({ assignee: event.target.value });
        }}
      >
        <option value="">{t("triage.nobody")}</option>
        {staff.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
}
