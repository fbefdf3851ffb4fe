import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { PenLine } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { conversationsQueryKey, listConversations, sentenceOf, type Conversation } from "@/lib/api";
import { ago } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { More } from "@/lib/ui/more";
import { RemoveButton } from "@/lib/ui/remove";
import { SearchField, useSettled } from "@/lib/ui/search";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { ListFailed, ListPending } from "./ListStates";
import { TitleForm } from "./TitleForm";
import { useDelete } from "./useDelete";
import type { Words } from "./words";

type Props = { plugin: string; home: string; words: Words };

const page = 20;

/**
 * Loads the person's conversations with a plugin that match a search, latest first and page by page; while any is being
 * worked on, it reloads them.
 */
function useConversations(plugin: string, search: string) {
  const query = useInfiniteQuery({
    queryKey: [...conversationsQueryKey(), plugin, search],
    queryFn: async ({ pageParam, signal }) =>
      (await listConversations({ query: { plugin, search, skip: pageParam, most: page }, signal, throwOnError: true }))
        .data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.more ? pages.reduce((sum, { conversations }) => sum + (conversations?.length ?? 0), 0) : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ conversations }) => conversations?.some(atWork)) === true ? 3_000 : false,
  });
  return { query, conversations: query.data?.pages.flatMap(({ conversations }) => conversations ?? []) ?? [] };
}

const atWork = ({ turn_state: state }: Conversation) => state === "queued" || state === "running";

/** The person's conversations with a plugin; nothing if there are none. */
export function ConversationList({ plugin, home, words }: Props) {
  const { t } = useTranslation("conversation");
  const [typed, setTyped] = useState("");
  const search = useSettled(typed);
  const { query, conversations } = useConversations(plugin, search);
  if (query.isPending) return <ListPending />;
  if (query.isError && conversations.length === 0)
    return <ListFailed sentence={sentenceOf(query.error, words.listFailed)} again={() => void query.refetch()} />;
  if (conversations.length === 0 && search === "" && typed === "") return null;
  return (
    <section aria-labelledby="conversations" className="mt-10 text-left">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="conversations" className="text-sm font-medium text-ink-soft">
          {words.list}
        </h2>
        <SearchField
          label={t("list.search")}
          value={typed}
          onChange={setTyped}
          className="flex-1 basis-56 sm:max-w-72"
        />
      </div>
      {conversations.length === 0 ? (
        <p role="status" className="mt-3 border-t border-rule py-6 text-center text-ink-soft">
          {t("list.none")}
        </p>
      ) : (
        <ul
          className={cn(
            "mt-3 divide-y divide-rule border-y border-rule transition-opacity",
            query.isPlaceholderData && "opacity-60",
          )}
        >
          {conversations.map((conversation) => (
            <Row key={conversation.id} conversation={conversation} home={home} words={words} />
          ))}
        </ul>
      )}
      <More query={query}>{t("list.more")}</More>
    </section>
  );
}

function Row({ conversation, home, words }: { conversation: Conversation; home: string; words: Words }) {
  const { t } = useTranslation("conversation");
  const { id, turn_state: state, updated_at: at } = conversation;
  const name = conversation.title || words.untitled;
  const [naming, setNaming] = useState(false);
  const pen = useRef<HTMLButtonElement>(null);
  const remove = useDelete();
  if (naming) {
    return (
      <li className="flex py-3">
        <TitleForm
          id={id}
          title={conversation.title}
          onDone={() => {
            setNaming(false);
            requestAnimationFrame(() => pen.current?.focus());
          }}
        />
      </li>
    );
  }
  return (
    <li className="flex items-center">
      <Link to={`${home}/${id}`} className="group min-w-0 flex-1 py-3 focus-visible:-outline-offset-2">
        <span className="line-clamp-2 font-medium break-words group-hover:text-accent">{name}</span>
        <span className="flex items-center gap-1.5 text-sm text-ink-soft">
          {atWork(conversation) && <Spinner className="size-3.5" />}
          {t(`list.state.${state}`, { ago: ago(at) })}
        </span>
      </Link>
      <Works>
        <Button
          ref={pen}
          look="quiet"
          size="icon-small"
          title={t("rename")}
          aria-label={t("renameLabel", { name })}
          onClick={() => {
            setNaming(true);
          }}
        >
          <PenLine aria-hidden />
        </Button>
        <RemoveButton
          title={t("delete")}
          label={t("deleteLabel", { name })}
          onRemove={() => {
            remove.mutate({ id, name });
          }}
        />
      </Works>
    </li>
  );
}
