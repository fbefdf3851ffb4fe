import { Building2, Check, ChevronsUpDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Me } from "@/lib/api";
import { appOf, firmHere } from "@/lib/place";
import { Button } from "@/lib/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/lib/ui/popover";

/** Shows whose workspace is open, and switches to another one. */
export function FirmSwitch({ firms }: { firms: NonNullable<Me["firms"]> }) {
  const { t } = useTranslation();
  const places = [{ id: null as string | null, name: t("firm.own") }, ...firms];
  const here = places.find(({ id }) => id === firmHere);
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button
          className="mt-4 w-full justify-start gap-3 px-3 font-normal"
          aria-label={t("firm.switchFrom", { name: here?.name ?? "" })}
        >
          <Building2 aria-hidden />
          <span className="min-w-0 flex-1 truncate text-left">{here?.name}</span>
          <ChevronsUpDown aria-hidden className="opacity-70" />
        </Button>
      </PopoverTrigger>
      <PopoverContent label={t("firm.switch")}>
        <nav aria-label={t("firm.switch")} className="-m-2 flex flex-col">
          {places.map(({ id, name }) => (
            // A full page load, so that no data of one workspace stays in memory in another.
            <a
              key={id ?? ""}
              href={appOf(id)}
              aria-current={id === firmHere ? "page" : undefined}
              className="flex min-h-11 items-center gap-2 rounded-lg px-3 hover:bg-accent-soft"
            >
              <span className="min-w-0 flex-1 break-words">{name}</span>
              {id === firmHere && <Check aria-hidden className="size-4 text-accent" />}
            </a>
          ))}
        </nav>
      </PopoverContent>
    </Popover>
  );
}
