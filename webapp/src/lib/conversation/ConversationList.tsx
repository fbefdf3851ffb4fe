import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { conversationsOptions, sentenceOf, type Conversation } from "@/lib/api";
import { ago } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { Spinner } from "@/lib/ui/spinner";
import type { Words } from "./words";

type Props = { plugin: string; home: string; words: Words };

/** The person's conversations with a plugin, latest first; nothing when there are none. */
export function ConversationList({ plugin, home, words }: Props) {
  const { t } = useTranslation("conversation");
  const list = useQuery(conversationsOptions(plugin));
  const begun = (list.data?.conversations ?? []).filter(({ title, turn_state: state }) => title !== "" || state !== "none");
  if (list.isPending) {
    return (
      <div className="mt-10 space-y-4">
        <Skeleton className="w-32" />
        <Skeleton />
        <Skeleton />
      </div>
    );
  }
  if (list.isError) {
    return (
      <div className="mt-10 text-center text-[0.9375rem]">
        <p role="alert">{sentenceOf(list.error, words.listFailed)}</p>
        <Button size="small" className="mt-2" onClick={() => void list.refetch()}>
          {t("list.again")}
        </Button>
      </div>
    );
  }
  if (begun.length === 0) return null;
  return (
    <section aria-labelledby="conversations" className="mt-10">
      <h2 id="conversations" className="text-sm font-medium text-ink-soft">
        {words.list}
      </h2>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {begun.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} home={home} words={words} />
        ))}
      </ul>
    </section>
  );
}

function Row({ conversation, home, words }: { conversation: Conversation; home: string; words: Words }) {
  const { t } = useTranslation("conversation");
  const { id, title, turn_state: state, updated_at: at } = conversation;
  return (
    <li>
      <Link to={`${home}/${id}`} className="group flex items-center gap-3 py-3 focus-visible:-outline-offset-2">
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 font-medium group-hover:text-accent">{title || words.untitled}</span>
          <span className="flex items-center gap-1.5 text-sm text-ink-soft">
            {(state === "queued" || state === "running") && <Spinner className="size-3.5" />}
            {t(`list.state.${state}`, { ago: ago(at) })}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-soft" />
      </Link>
    </li>
  );
}
