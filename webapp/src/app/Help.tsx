import { useTranslation } from "react-i18next";
import { Dialog, DialogContent } from "@/lib/ui/dialog";

// What each key does, by where it works. Keys are as labelled on the keyboard.
const sheet = {
  page: { help: ["?"], search: ["/"], next: ["Tab"] },
  conversation: { send: ["Enter"], line: ["Shift", "Enter"], stop: ["Esc"] },
  document: { turn: ["←", "→"], zoom: ["+", "−"], fit: ["0"] },
  draft: { save: ["Ctrl", "S"], undo: ["Ctrl", "Z"], leave: ["Esc"] },
  panes: { move: ["←", "→"], far: ["Home", "End"] },
} as const;

/** Lists the keyboard shortcuts. */
export function Help({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <DialogContent title={t("help.title")} closeLabel={t("help.close")} className="max-w-xl">
        <div className="mt-2 grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {Object.entries(sheet).map(([where, keysOf]) => (
            <section key={where}>
              <h3 className="text-sm font-medium text-ink-soft">{t(`help.where.${where as "page"}`)}</h3>
              <dl className="mt-1.5 space-y-1.5 text-[0.9375rem]">
                {Object.entries(keysOf).map(([does, keys]) => (
                  <div key={does} className="flex items-baseline justify-between gap-3">
                    <dt className="flex shrink-0 gap-1">
                      {(keys as readonly string[]).map((key) => (
                        <kbd
                          key={key}
                          className="rounded border border-rule-strong/60 bg-paper px-1.5 font-sans text-sm"
                        >
                          {key}
                        </kbd>
                      ))}
                    </dt>
                    <dd className="text-right">{t(`help.does.${does as "help"}`)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
