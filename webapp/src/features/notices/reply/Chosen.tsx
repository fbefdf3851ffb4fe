import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/lib/ui/popover";

type ChosenProps = {
  /** The name of the list with its paragraph, for screen readers. */
  label: string;
  chosen: string[];
  /** What can be added with one click. */
  offered: string[];
  /** True if a name can also be typed. */
  free: boolean;
  addLabel: string;
  /** Shown if nothing is chosen and nothing can be added. */
  empty: string;
  onChange: (chosen: string[]) => void;
};

/**
 * A short list of papers or authorities to which one can add and from which one can remove. The reply uses the names in
 * the list.
 */
export function Chosen({ label, chosen, offered, free, addLabel, empty, onChange }: ChosenProps) {
  const { t } = useTranslation("reply");
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const left = offered.filter((name) => !chosen.includes(name));
  const add = (name: string) => {
    setOpen(false);
    setTyped("");
    if (name !== "" && !chosen.includes(name)) onChange([...chosen, name]);
  };
  return (
    <div role="group" aria-label={label}>
      {chosen.length > 0 && (
        <ul className="space-y-1">
          {chosen.map((name) => (
            <li key={name} className="flex items-start gap-1 rounded-lg bg-margin py-0.5 pr-0.5 pl-2.5 text-sm">
              <span className="min-w-0 flex-1 py-1">{term(name)}</span>
              <Button
                look="quiet"
                size="icon-small"
                className="size-7 [&_svg]:size-3.5"
                aria-label={t("remove", { name: term(name) })}
                title={t("remove", { name: term(name) })}
                onClick={() => {
                  onChange(chosen.filter((other) => other !== name));
                }}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {left.length === 0 && !free ? (
        chosen.length === 0 && <p className="text-sm text-ink-soft">{empty}</p>
      ) : (
        <Popover open={open} onOpenChange={setOpen}>
          <PopoverTrigger asChild>
            <Button look="quiet" size="small" className="-ml-2 min-h-8 px-2">
              <Plus aria-hidden />
              {addLabel}
            </Button>
          </PopoverTrigger>
          <PopoverContent label={addLabel}>
            {left.length > 0 && (
              <ul className="-mx-2 max-h-64 overflow-y-auto">
                {left.map((name) => (
                  <li key={name}>
                    <button
                      type="button"
                      className="w-full rounded-lg px-2 py-1.5 text-left hover:bg-accent-soft"
                      onClick={() => {
                        add(name);
                      }}
                    >
                      {term(name)}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            {free && (
              <form
                className="mt-2 flex gap-2"
                onSubmit={(event) => {
                  event.preventDefault();
                  add(typed.trim());
                }}
              >
                <input
                  value={typed}
                  maxLength={200}
                  aria-label={t("other")}
                  placeholder={t("other")}
                  className="min-h-9 min-w-0 flex-1 rounded-lg border border-rule-strong/60 bg-paper px-2.5 placeholder:text-ink-soft"
                  onChange={(event) => {
                    setTyped(event.target.value);
                  }}
                />
                <Button type="submit" size="small" disabled={typed.trim() === ""}>
                  {t("add")}
                </Button>
              </form>
            )}
          </PopoverContent>
        </Popover>
      )}
    </div>
  );
}
