import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sentenceOf, templatesOptions, type Template } from "@/lib/api";
import { term } from "@/lib/terms";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";

type Props = {
  /** Lists only templates with these words; "" for all. */
  search: string;
  /** True if only the titles are listed. */
  brief?: boolean;
};

/** The templates, which can be filtered by category. */
export function TemplateList({ search, brief = false }: Props) {
  const { t } = useTranslation("templates");
  const id = useId();
  const { data, isPending, error, refetch } = useQuery(templatesOptions());
  const [chosen, choose] = useState("");
  if (isPending) {
    return (
      <div className="mt-6 space-y-4" role="status" aria-label={t("loading")}>
        <Skeleton />
        <Skeleton />
        <Skeleton className="w-4/5" />
      </div>
    );
  }
  if (error !== null && data === undefined) {
    return (
      <div className="mt-8 text-center">
        <p role="alert" className="font-medium">
          {t("failed")}
        </p>
        <p className="mt-1 text-ink-soft">{sentenceOf(error, t("failedHint"))}</p>
        <Button size="small" className="mt-3" onClick={() => void refetch()}>
          {t("again")}
        </Button>
      </div>
    );
  }
  const templates = data.templates ?? [];
  const categories = [...new Set(templates.map(({ category }) => category))].sort((a, b) => a.localeCompare(b));
  const category = categories.includes(chosen) ? chosen : "";
  const shown = templates.filter(
    (template) => (category === "" || template.category === category) && has(template, search),
  );
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor={id} className="text-sm font-medium text-ink-soft">
          {t("category")}
        </label>
        <select
          id={id}
          value={category}
          className="min-h-10 min-w-0 flex-1 rounded-lg border border-rule-strong/60 bg-sheet px-3 sm:max-w-64"
          onChange={(event) => {
            choose(event.target.value);
          }}
        >
          <option value="">{t("all")}</option>
          {categories.map((name) => (
            <option key={name} value={name}>
              {term(name)}
            </option>
          ))}
        </select>
      </div>
      {shown.length === 0 ? (
        <p role="status" className="mt-4 border-t border-rule py-6 text-ink-soft">
          {t(templates.length === 0 ? "none" : "noneFits")}
        </p>
      ) : (
        <ul className="mt-4 border-t border-rule">
          {shown.map((template) => (
            <Row key={template.id} template={template} brief={brief} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ template: { id, title, about, category, form }, brief }: { template: Template; brief: boolean }) {
  return (
    <li className="group relative border-b border-rule py-3">
      <Link
        to={`/app/templates/${id}`}
        className="rounded font-medium after:absolute after:inset-0 group-hover:text-accent focus-visible:outline-none focus-visible:after:rounded focus-visible:after:outline-2 focus-visible:after:outline-accent"
      >
        {term(title)}
      </Link>
      {!brief && <p className="text-[0.9375rem] text-ink-soft">{term(about)}</p>}
      <p className="mt-0.5 text-sm text-ink-soft">
        {[term(category), term(form)].filter((word) => word !== "").join(" · ")}
      </p>
    </li>
  );
}

/** Reports whether a template has all the words, in its description or its text. */
function has({ title, about, category, form, section, content }: Template, search: string): boolean {
  const text = [title, term(title), about, term(about), category, form, section, content].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
