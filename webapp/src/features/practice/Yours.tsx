import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { commentsOptions } from "@/lib/api";
import { Section } from "@/lib/ui/section";
import { Place } from "@/parts/comments";
import { TaskLine } from "./Tasks";
import { useTasks } from "./useTasks";

/** The open tasks of the current member, and comments that mention them; nothing if there are none. */
export function Yours() {
  const { t } = useTranslation("practice");
  const { tasks } = useTasks(null);
  const mentions = useQuery({ ...commentsOptions({}), refetchInterval: 60_000 }).data?.comments ?? [];
  if (tasks.length === 0 && mentions.length === 0) return null;
  return (
    <Section title={t("tasks.yours")} className="mt-6">
      <ul className="mt-2 max-h-72 overflow-y-auto border-t border-rule text-[0.9375rem]">
        {tasks.map((task) => (
          <TaskLine key={task.id} task={task} named />
        ))}
        {mentions.map((comment) => (
          <li key={comment.id} className="border-b border-rule py-2">
            <span className="font-medium">{comment.who}</span>: <span className="break-words">{comment.text}</span>{" "}
            <Place comment={comment} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
