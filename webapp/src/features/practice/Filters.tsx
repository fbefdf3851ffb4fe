import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { choicesOptions, meOptions } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { stages, type useFilters } from "./useFilters";
import { useStaff } from "./usePractice";

type Props = { filters: ReturnType<typeof useFilters>; children?: ReactNode };

/** The filters for lists of matters; on a narrow screen they are folded. */
export function Filters({ filters, children }: Props) {
  const { t } = useTranslation(["board", "practice"]);
  const { of, set, clear, count } = filters;
  const choices = useQuery(choicesOptions()).data;
  const me = useQuery(meOptions()).data?.acting?.member;
  // The current member comes first, and then the filter for unassigned matters.
  const staff = [...useStaff()].sort((a, b) => Number(b.id === me) - Number(a.id === me));
  const [open, setOpen] = useState(count > 0);
  const choice = (name: string, options: { id: string; name: string }[]) => (
    <Choice
      label={t(`filter.${name as "stage"}`)}
      value={of(name)}
      options={options}
      onChoose={(value) => {
        set(name, value);
      }}
    />
  );
  const same = (values: string[] | null | undefined) => (values ?? []).map((one) => ({ id: one, name: one }));
  return (
    <details
      open={open}
      className="mt-4"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="inline-block cursor-pointer rounded text-[0.9375rem] text-accent">
        {count === 0 ? t("filter.title") : t("filter.active", { count })}
      </summary>
      <div className="mt-2 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-4">
        {choice("assignee", [...staff, { id: "nobody", name: t("nobody") }])}
        {choice("client", choices?.clients ?? [])}
        {choice("officer", same(choices?.officers))}
        {choice(
          "region",
          (choices?.regions ?? []).map((code) => ({ id: code, name: t(`regions.${code as "27"}`, code) })),
        )}
        {choice(
          "stage",
          stages.map((one) => ({ id: one, name: t(`practice:stages.${one}`) })),
        )}
        <label className="flex min-w-0 flex-col text-sm text-ink-soft">
          {t("filter.least")}
          <input
            type="text"
            inputMode="numeric"
            value={of("least")}
            className="min-h-10 w-full rounded-lg border border-rule-strong/60 bg-sheet px-2 text-[0.9375rem] text-ink tabular-nums"
            onChange={(event) => {
              set("least", event.target.value.replace(/\D/g, "").slice(0, 13));
            }}
          />
        </label>
        {children}
        {count > 0 && (
          <Button size="small" look="quiet" className="justify-self-start" onClick={clear}>
            {t("filter.clear")}
          </Button>
        )}
      </div>
    </details>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  options: { id: string; name: string }[];
  onChoose: (value: string) => void;
};

/** A filter that selects one of several values, or all. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const { t } = useTranslation("board");
  return (
    <label className="flex max-w-full min-w-0 flex-col text-sm text-ink-soft">
      {label}
      <select
        value={value}
        className="min-h-10 w-full max-w-full rounded-lg border border-rule-strong/60 bg-sheet px-2 text-[0.9375rem] text-ink"
        onChange={(event) => {
          onChoose(event.target.value);
        }}
      >
        <option value="">{t("filter.any")}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
