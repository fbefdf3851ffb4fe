import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FigureTable } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Pick } from "@/lib/ui/pick";

/** The choice to send: the column number for each value, -1 for none. */
export type Chosen = Record<string, number>;

type Props = { table: FigureTable; disabled: boolean; onChoose: (columns: Chosen) => void };

const several = "several";

/** The columns of a register: from which column each value is taken, with selects to change that. */
export function Columns({ table, disabled, onChoose }: Props) {
  const { t, i18n } = useTranslation("figures");
  const headings = table.headings ?? [];
  const values = table.values ?? [];
  const taken = (value: string): string => {
    const places = table.taken[value] ?? [];
    return places.length > 1 ? several : String(places[0] ?? -1);
  };
  const [picked, setPicked] = useState<Record<string, string>>({});
  const chosen = (value: string) => picked[value] ?? taken(value);
  return (
    <details>
      <summary className="cursor-pointer">
        {t("columns.title")}
        {table.chosen && <span className="text-accent"> · {t("columns.chosen")}</span>}
      </summary>
      <p className="mt-1 max-w-prose">{t("columns.hint")}</p>
      <div className="mt-2 grid gap-x-4 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        {values.map((value) => (
          <Pick
            key={value}
            label={i18n.exists(`figures:columns.value.${value}`) ? t(`columns.value.${value as "gstin"}`) : value}
            value={chosen(value)}
            options={[
              { value: "-1", name: t("columns.none") },
              ...(taken(value) === several
                ? [
                    {
                      value: several,
                      name: t("columns.several", { columns: (table.taken[value] ?? []).map(letter).join(" + ") }),
                    },
                  ]
                : []),
              ...headings.map(({ name, sample }, place) => ({
                value: String(place),
                name: `${letter(place)} · ${name === "" ? t("columns.unnamed") : name}${sample === "" ? "" : ` (${sample})`}`,
              })),
            ]}
            onPick={(place) => {
              setPicked({ ...picked, [value]: place });
            }}
          />
        ))}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="small"
          disabled={disabled}
          onClick={() => {
            onChoose(
              Object.fromEntries(
                values.filter((value) => chosen(value) !== several).map((value) => [value, Number(chosen(value))]),
              ),
            );
          }}
        >
          {t("columns.use")}
        </Button>
        {table.chosen && (
          <Button
            size="small"
            look="quiet"
            disabled={disabled}
            onClick={() => {
              onChoose({});
            }}
          >
            {t("columns.forget")}
          </Button>
        )}
      </div>
    </details>
  );
}

/** Returns the letter of a column, as in spreadsheet programs. */
function letter(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : letter(Math.floor(place / 26) - 1) + last;
}
