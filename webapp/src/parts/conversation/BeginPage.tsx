import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { publicConfigOptions, type Plugin } from "@/lib/api";
import { usePageTitle } from "@/lib/ui/title";
import { ConversationList } from "./ConversationList";
import type { Words } from "./words";

type Props = { plugin: Plugin; home: string; words: Words; children: ReactNode };

/**
 * The page of a plugin when nothing is open: its heading, what a person starts with, and the list of what they started
 * before.
 */
export function BeginPage({ plugin, home, words, children }: Props) {
  usePageTitle(plugin.title, useQuery(publicConfigOptions()).data?.product_name ?? "");
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-2xl px-4 py-8 sm:px-6">
        <h1 className="font-serif text-[1.75rem] leading-9 font-semibold text-balance">
          {plugin.view.heading || plugin.title}
        </h1>
        {plugin.view.hint !== "" && <p className="mt-2 text-ink-soft">{plugin.view.hint}</p>}
        {children}
        <ConversationList plugin={plugin.id} home={home} words={words} />
      </div>
    </div>
  );
}
