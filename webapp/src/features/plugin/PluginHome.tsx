import { useQuery } from "@tanstack/react-query";
import { Library } from "lucide-react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { conversationOptions, publicConfigOptions, sentenceOf, type Plugin, type PluginInput } from "@/lib/api";
import { withAuthorities } from "@/parts/authorities";
import { Composer, ConversationList, useBegin, useDraft, useProblem } from "@/parts/conversation";
import { spoken } from "@/lib/i18n";
import { useFirstUse } from "@/parts/privacy";
import { Button } from "@/lib/ui/button";
import { usePageTitle } from "@/lib/ui/title";
import { ChoiceField, fewChoices, ToggleField } from "./fields";
import { PluginForm } from "./PluginForm";
import { homeOf, inputsOf, useWords } from "./words";

/** A plugin's tab when no conversation is open: its form or question field, and earlier conversations. */
export function PluginHome({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation("plugin");
  const config = useQuery(publicConfigOptions()).data;
  const words = { ...useWords(plugin), list: t("list") };
  const form = inputsOf(plugin, "analysis");
  usePageTitle(plugin.title, config?.product_name ?? "");
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col px-4 py-8 sm:px-6">
          <div className={form === null ? "my-auto text-center" : undefined}>
            <h1 className="font-serif text-[1.75rem] leading-9 font-semibold text-balance">
              {plugin.view.heading || plugin.title}
            </h1>
            {plugin.view.hint !== "" && <p className="mt-2 text-ink-soft">{plugin.view.hint}</p>}
            {form !== null && <PluginForm plugin={plugin} inputs={form} config={config} />}
            {form !== null && words.note !== "" && <p className="mt-3 text-sm text-ink-soft">{words.note}</p>}
          </div>
          <ConversationList plugin={plugin.id} home={homeOf(plugin)} words={words} />
        </div>
      </div>
      {form === null && <FirstQuestion plugin={plugin} />}
    </>
  );
}

function FirstQuestion({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation("conversation");
  const words = useWords(plugin);
  const choices = useChoices(plugin);
  const { send, enter } = useBegin(plugin.id, homeOf(plugin), choices?.forget);
  const problem = useProblem(send.error, t("sendFailed"));
  const { line, sent } = useFirstUse(useQuery(publicConfigOptions()).data);
  if (inputsOf(plugin, "chat") === null) return null;
  return (
    <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-6">
      {choices?.field}
      <Composer
        draftKey={plugin.id}
        placeholder={choices?.placeholder ?? words.placeholder}
        busy={false}
        sending={send.isPending}
        onSend={async (text, key) => {
          await send.mutateAsync({ text, key, inputs: choices?.inputs });
          sent();
        }}
        error={problem}
      />
      {plugin.authorities && (
        <Button
          look="link"
          size="bare"
          className="mx-auto mt-2 flex text-sm"
          disabled={enter.isPending}
          onClick={() => {
            enter.mutate(withAuthorities, {
              onError: (error) => {
                toast.error(sentenceOf(error, t("sendFailed")));
              },
            });
          }}
        >
          <Library aria-hidden className="size-4!" />
          {t("authorities.first")}
        </Button>
      )}
      {line}
      {words.note !== "" && <p className="mt-2 text-center text-sm text-ink-soft short:hidden">{words.note}</p>}
    </div>
  );
}

/**
 * The choices that go with a question; undefined if the plugin has none. In a conversation they start as those of its
 * last question.
 */
export function useChoices(plugin: Plugin, conversation?: string) {
  const inputs = inputsOf(plugin, "chat") ?? [];
  const [chosen, choose] = useDraft(`choices.${conversation ?? plugin.id}`);
  const { data } = useQuery({ ...conversationOptions(conversation ?? ""), enabled: conversation !== undefined });
  if (inputs.length === 0) return undefined;
  const before = data?.messages?.findLast((message) => message.inputs)?.inputs;
  const query = new URLSearchParams(chosen || before);
  const given = ({ id, choices }: PluginInput) => choices?.find((choice) => choice.id === query.get(id))?.id ?? "";
  const field = (
    <div className="mt-2 mb-3 space-y-3">
      {inputs.map((input) => {
        const Field = !input.required && fewChoices(input) ? ToggleField : ChoiceField;
        return (
          <Field
            key={input.id}
            input={input}
            value={given(input)}
            onChange={(value) => {
              query.set(input.id, value);
              choose(query.toString());
            }}
          />
        );
      })}
    </div>
  );
  const speaking = inputs.find((input) => input.placeholder !== "" && given(input) !== "");
  return {
    field,
    inputs: Object.fromEntries(inputs.map((input) => [input.id, given(input)])),
    /** The next conversation starts without choices. */
    forget: () => {
      choose("");
    },
    placeholder:
      speaking === undefined
        ? null
        : speaking.placeholder.replaceAll(`{input_${speaking.id}}`, called(speaking, given(speaking))),
  };
}

/** Returns the title of a value, since ids are in English. */
const called = ({ choices }: PluginInput, value: string) =>
  (spoken() === "en" ? undefined : choices?.find(({ id }) => id === value)?.title) ?? value;
