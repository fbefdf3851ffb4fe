import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";
import { Spinner } from "@/lib/ui/spinner";

/** The end of a form in the brief: why it could not be saved, and the buttons Cancel and Save. */
export function FormEnd({ error, busy, onCancel }: { error: string | null; busy: boolean; onCancel: () => void }) {
  const { t } = useTranslation("notices");
  return (
    <>
      {error !== null && (
        <p role="alert" className="text-[0.9375rem] text-overdue">
          {error}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t("correct.cancel")}</Button>
        <Button type="submit" look="primary" disabled={busy}>
          {busy && <Spinner />}
          {t("correct.save")}
        </Button>
      </div>
    </>
  );
}
