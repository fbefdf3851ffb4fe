import { useTranslation } from "react-i18next";
import type { SheetEntry } from "@/lib/api";
import { CopyButton } from "@/parts/conversation";

/** What to enter on the portal, field by field, each with a button to copy it. */
export function Sheet({ sheet }: { sheet: SheetEntry[] }) {
  const { t } = useTranslation("reply");
  if (sheet.length === 0) return null;
  return (
    <details className="border-t border-rule">
      <summary className="cursor-pointer rounded py-2.5">
        <h2 className="inline font-serif text-lg font-semibold">{t("sheet.title")}</h2>
      </summary>
      <p className="text-sm text-ink-soft">{t("sheet.hint")}</p>
      <dl lang="en" className="pb-3">
        {sheet.map(({ name, value }, at) => (
          <div key={at} className="grid gap-x-6 border-b border-rule py-2.5 last:border-b-0 sm:grid-cols-[14rem_1fr]">
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="min-w-0">
              <p className="line-clamp-4 break-words whitespace-pre-wrap">{value}</p>
              <span className="ml-3">
                <CopyButton text={value} label={t("sheet.copy", { name })} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
