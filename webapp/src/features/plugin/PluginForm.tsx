import { FileText } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey, type Plugin, type PluginInput, type PublicConfig } from "@/lib/api";
import { DropArea, Processing, useBegin, useDraft, useProblem, useRefusal } from "@/parts/conversation";
import { DataUseBelow } from "@/parts/privacy";
import { fileSize } from "@/lib/format";
import { isPhotograph } from "@/lib/photograph";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";
import { ChoiceField, TextField, Title } from "./fields";
import { homeOf } from "./words";

const PhotographPages = lazy(() => import("@/parts/conversation/PhotographPages"));

type Props = { plugin: Plugin; inputs: PluginInput[]; config: PublicConfig | undefined };

/**
 * The form that starts a conversation with a plugin: its inputs and one button. What was filled in survives a reload.
 */
export function PluginForm({ plugin, inputs, config }: Props) {
  const { t } = useTranslation(["plugin", "conversation"]);
  const [draft, setDraft] = useDraft(`form.${plugin.id}`);
  const [files, setFiles] = useState<File[]>([]);
  const [file] = files;
  const [refusal, setRefusal] = useState<string | null>(null);
  const attempt = useRef<{ inputs: string; key: string } | null>(null);
  const refuse = useRefusal(config);
  const { sending, send } = useBegin(plugin.id, homeOf(plugin), () => {
    setDraft("");
  });
  const { upload, share, cancel } = sending;
  const busy = upload.isPending || send.isPending;
  const filled = read(draft);
  const words = Object.fromEntries(
    inputs.filter(({ type }) => type !== "pdf").map((input) => [input.id, valueOf(input, filled)]),
  );
  const given = (input: PluginInput) => (input.type === "pdf" ? file !== undefined : (words[input.id] ?? "") !== "");
  const ready = inputs.every((input) => !input.required || given(input)) && inputs.some(given);
  const problem = useProblem(upload.error ?? send.error, t("sendFailed"));
  const error = busy ? null : (refusal ?? problem);

  const take = (given: File[]) => {
    const [chosen] = given;
    if (chosen === undefined) return;
    upload.reset();
    const photographs = given.filter(isPhotograph);
    if (photographs.length > 0) {
      setRefusal(photographs.length < given.length ? t("conversation:photographs.mixed") : null);
      setFiles([...files.filter(isPhotograph), ...photographs]);
      return;
    }
    const sentence = refuse(chosen);
    setRefusal(sentence ?? (given.length > 1 ? t("one", { name: chosen.name }) : null));
    if (sentence === null) setFiles([chosen]);
  };

  const submit = () => {
    if (!ready || busy) return;
    setRefusal(null);
    upload.reset();
    send.reset();
    if (file !== undefined) {
      upload.mutate({ files, type: "", inputs: words });
      return;
    }
    // Sending the same form again, after an answer was lost, must not start a second turn.
    const said = JSON.stringify(words);
    if (attempt.current?.inputs !== said) attempt.current = { inputs: said, key: idempotencyKey() };
    send.mutate({ inputs: words, key: attempt.current.key });
  };

  return (
    <form
      aria-label={t("form")}
      className="mt-8 space-y-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {inputs.map((input) => {
        const field = {
          input,
          value: filled[input.id] ?? "",
          disabled: busy,
          onChange: (value: string) => {
            setDraft(JSON.stringify({ ...filled, [input.id]: value }));
          },
        };
        if (input.type === "text") return <TextField key={input.id} {...field} />;
        if (input.type === "choice") return <ChoiceField key={input.id} {...field} value={valueOf(input, filled)} />;
        return (
          <section key={input.id} aria-label={input.title}>
            <Title input={input} />
            {input.hint !== "" && <p className="text-sm text-ink-soft">{input.hint}</p>}
            {file !== undefined && isPhotograph(file) && !upload.isPending ? (
              <div className="mt-1.5">
                <Suspense fallback={<Spinner />}>
                  <PhotographPages pages={files} disabled={busy} onChange={setFiles} onMore={take} />
                </Suspense>
              </div>
            ) : file !== undefined && !upload.isPending ? (
              <div className="mt-1.5 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-rule bg-sheet p-4">
                <p className="flex min-w-0 items-center gap-2">
                  <FileText aria-hidden className="size-5 shrink-0 text-accent" />
                  <span className="min-w-0 break-words">
                    {t("chosen", { name: file.name, size: fileSize(file.size) })}
                  </span>
                </p>
                <Button
                  size="small"
                  disabled={busy}
                  onClick={() => {
                    setFiles([]);
                  }}
                >
                  {t("again")}
                </Button>
              </div>
            ) : (
              <DropArea config={config} disabled={busy} className="mt-1.5 min-h-40" onFiles={take}>
                {upload.isPending && <Processing share={share} />}
              </DropArea>
            )}
          </section>
        );
      })}
      <div className="space-y-4">
        {error !== null && (
          <p role="alert" className="text-[0.9375rem] text-overdue">
            {error}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" className="px-6" disabled={!ready || busy}>
            {busy && <Spinner />}
            {busy ? t("sending") : plugin.view.button || t("button")}
          </Button>
          {upload.isPending && <Button onClick={cancel}>{t("conversation:upload.cancel")}</Button>}
        </div>
        <DataUseBelow config={config} />
      </div>
    </form>
  );
}

/** Returns the value of a field to use: a trimmed text, or a choice that the manifest still has. */
function valueOf(input: PluginInput, filled: Record<string, string>): string {
  const value = (filled[input.id] ?? "").trim();
  return input.type === "choice" && !input.choices?.some(({ id }) => id === value) ? "" : value;
}

function read(draft: string): Record<string, string> {
  const filled = Object.create(null) as Record<string, string>; // an input may have the id "constructor"
  try {
    const kept: unknown = JSON.parse(draft);
    if (typeof kept !== "object" || kept === null) return filled;
    return Object.assign(
      filled,
      Object.fromEntries(Object.entries(kept).filter(([, text]) => typeof text === "string")),
    );
  } catch {
    return filled; // nothing was stored
  }
}
