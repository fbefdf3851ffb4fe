import { Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { renameFirm, sentenceOf, type Firm } from "@/lib/api";
import { Button } from "@/lib/ui/button";
import { Field, Form } from "@/lib/ui/form";
import { useFirmChange } from "./useFirm";

/** The firm's name as the heading of its page, with a button to change it. */
export function Name({ firm, change }: { firm: Firm; change: boolean }) {
  const { t } = useTranslation("firm");
  const [typed, setTyped] = useState<string | null>(null);
  const rename = useFirmChange({
    mutationFn: (name: string) => renameFirm({ body: { name }, throwOnError: true }),
    onSuccess: () => {
      setTyped(null);
    },
  });
  return (
    <>
      <div className="flex items-center gap-2">
        <h1 className="min-w-0 font-serif text-[1.75rem] leading-9 font-semibold break-words">{firm.name}</h1>
        {change && typed === null && (
          <Button
            look="quiet"
            size="icon-small"
            aria-label={t("rename.open")}
            onClick={() => {
              setTyped(firm.name);
            }}
          >
            <Pencil aria-hidden />
          </Button>
        )}
      </div>
      {typed !== null && (
        <div className="max-w-sm">
          <Form
            onSubmit={() => {
              rename.mutate(typed);
            }}
            error={rename.error === null ? null : sentenceOf(rename.error, t("changeFailed"))}
            pending={rename.isPending}
            button={t("rename.button")}
          >
            <Field
              label={t("rename.label")}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
              }}
            />
          </Form>
          <Button
            look="quiet"
            className="mt-1 w-full"
            onClick={() => {
              setTyped(null);
            }}
          >
            {t("cancel")}
          </Button>
        </div>
      )}
    </>
  );
}
