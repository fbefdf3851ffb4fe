import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { removeView, saveView, sentenceOf, viewsOptions, viewsQueryKey } from "@/lib/api";
import { useWorks } from "@/lib/works";
import { Button } from "@/lib/ui/button";
import { Field, Form } from "@/lib/ui/form";
import { Popover, PopoverContent, PopoverTrigger } from "@/lib/ui/popover";

type Props = { page: "board" | "matters"; /** The filters, as in the address. */ address: string };

/** The saved views of a list, with a button to save the current one. */
export function Views({ page, address }: Props) {
  const { t } = useTranslation("board");
  const queries = useQueryClient();
  const works = useWorks();
  const views = (useQuery(viewsOptions()).data?.views ?? []).filter((one) => one.page === page);
  const remove = useMutation({
    mutationFn: (id: string) => removeView({ path: { id }, throwOnError: true }),
    onError: (error) => toast.error(sentenceOf(error, t("views.failed"))),
    onSettled: () => queries.invalidateQueries({ queryKey: viewsQueryKey() }),
  });
  const savable = works && address !== "" && views.every(({ filters }) => filters !== address);
  if (views.length === 0 && !savable) return null;
  return (
    <ul aria-label={t("views.title")} className="mt-3 flex flex-wrap items-center gap-2">
      {views.map(({ id, name, filters }) => (
        <li key={id} className="inline-flex max-w-full items-center rounded-full border border-rule-strong/60 bg-sheet">
          <Link
            to={`/app/practice/${page}?${filters}`}
            aria-current={filters === address ? "true" : undefined}
            className="min-w-0 truncate rounded-full py-1 pl-3 text-[0.9375rem] hover:text-accent aria-current:font-medium aria-current:text-accent"
          >
            {name}
          </Link>
          <Button
            look="quiet"
            size="icon-small"
            className="size-8 rounded-full"
            aria-label={t("views.remove", { name })}
            onClick={() => {
              remove.mutate(id);
            }}
          >
            <X aria-hidden />
          </Button>
        </li>
      ))}
      {savable && (
        <li>
          <Save page={page} address={address} />
        </li>
      )}
    </ul>
  );
}

function Save({ page, address }: Props) {
  const { t } = useTranslation("board");
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const save = useMutation({
    mutationFn: async () => (await saveView({ body: { page, name, filters: address }, throwOnError: true })).data,
    onSuccess: (views) => {
      queries.setQueryData(viewsQueryKey(), views);
      setOpen(false);
      setName("");
    },
  });
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button size="small" look="quiet">
          {t("views.save")}
        </Button>
      </PopoverTrigger>
      <PopoverContent label={t("views.save")}>
        <Form
          onSubmit={() => {
            save.mutate();
          }}
          error={save.error === null ? null : sentenceOf(save.error, t("views.failed"))}
          pending={save.isPending}
          button={t("views.button")}
        >
          <Field
            label={t("views.name")}
            value={name}
            maxLength={60}
            onChange={(event) => {
              setName(event.target.value);
            }}
          />
        </Form>
      </PopoverContent>
    </Popover>
  );
}
