import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { sentenceOf, type Task } from "@/lib/api";
import { day } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { RemoveButton } from "@/lib/ui/remove";
import { Spinner } from "@/lib/ui/spinner";
import { useWorks, Works } from "@/lib/works";
import { DaysLeft } from "@/parts/deadline";
import { useStaff } from "./usePractice";
import { useTasks } from "./useTasks";

/** The tasks of a matter, with a field to add one. */
export function Tasks({ matter }: { matter: string }) {
  const { t } = useTranslation("practice");
  const { tasks } = useTasks(matter);
  return (
    <>
      {tasks.length > 0 && (
        <ul className="mt-2 border-t border-rule text-[0.9375rem]">
          {tasks.map((task) => (
            <TaskLine key={task.id} task={task} />
          ))}
        </ul>
      )}
      {tasks.length === 0 && <p className="mt-2 text-ink-soft">{t("tasks.none")}</p>}
      <Works>
        <Add matter={matter} />
      </Works>
    </>
  );
}

/** A task; if named, with the name of its matter's client. */
export function TaskLine({ task, named = false }: { task: Task; named?: boolean }) {
  const { t } = useTranslation("practice");
  const works = useWorks();
  const { change, remove } = useTasks(task.matter);
  const done = task.done_at !== null;
  const tell = (error: unknown) => {
    toast.error(sentenceOf(error, t("changeFailed")));
  };
  return (
    <li className={cn("flex items-start gap-x-3 border-b border-rule py-2", named && "flex-wrap")}>
      <label className={cn("flex min-h-9 min-w-0 flex-1 items-center gap-3", named && "basis-60")}>
        <input
          type="checkbox"
          className="size-4 shrink-0"
          checked={done}
          disabled={!works || change.isPending}
          onChange={() => {
            change.mutate({ id: task.id, done: !done }, { onError: tell });
          }}
        />
        <span className={cn("min-w-0 break-words", done && "text-ink-soft line-through")}>{task.text}</span>
      </label>
      <span
        className={cn(
          "flex min-w-0 flex-wrap items-center gap-x-2 py-1.5 text-sm text-ink-soft tabular-nums",
          named ? "max-sm:pl-7" : "justify-end",
        )}
      >
        {named ? (
          <Link to={`/app/practice/matters/${task.matter}`} className="text-accent underline-offset-4 hover:underline">
            {task.client}
          </Link>
        ) : (
          task.assignee?.name
        )}
        {task.due !== null && (
          <>
            <span>{day(task.due)}</span>
            {!done && <DaysLeft date={task.due} />}
          </>
        )}
      </span>
      {works && !named && (
        <RemoveButton
          disabled={remove.isPending}
          title={t("tasks.remove")}
          label={t("tasks.removeNamed", { text: task.text })}
          onRemove={() => {
            remove.mutate(task.id, { onError: tell });
          }}
        />
      )}
    </li>
  );
}

const look = "min-h-10 max-w-full rounded-lg border border-rule-strong/60 bg-sheet px-2 text-[0.9375rem] text-ink";

function Add({ matter }: { matter: string }) {
  const { t } = useTranslation("practice");
  const { add } = useTasks(matter);
  const staff = useStaff();
  const [text, setText] = useState("");
  const [due, setDue] = useState("");
  const [assignee, setAssignee] = useState("");
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (add.isPending || text.trim() === "") return;
        add.mutate(
          { text, due, assignee },
          {
            onSuccess: () => {
              setText("");
              setDue("");
            },
            onError: (error) => {
              toast.error(sentenceOf(error, t("changeFailed")));
            },
          },
        );
      }}
    >
      <label className="flex min-w-0 flex-1 basis-60 flex-col text-sm text-ink-soft">
        {t("tasks.what")}
        <input
          value={text}
          maxLength={500}
          className={look}
          onChange={(event) => {
            setText(event.target.value);
          }}
        />
      </label>
      <label className="flex flex-col text-sm text-ink-soft">
        {t("tasks.due")}
        <input
          type="date"
          value={due}
          className={look}
          onChange={(event) => {
            setDue(event.target.value);
          }}
        />
      </label>
      <label className="flex min-w-0 flex-col text-sm text-ink-soft">
        {t("tasks.who")}
        <select
          value={assignee}
          className={look}
          onChange={(event) => {
            setAssignee(event.target.value);
          }}
        >
          <option value="">{t("matter.nobody")}</option>
          {staff.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" size="small" className="min-h-10" disabled={add.isPending || text.trim() === ""}>
        {add.isPending && <Spinner className="size-4" />}
        {t("tasks.add")}
      </Button>
    </form>
  );
}
