import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { erase, sentenceOf, type PrivacyState } from "@/lib/api";
import { day } from "@/lib/format";
import { appOf, firmHere } from "@/lib/place";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Field } from "@/lib/ui/form";
import { Part } from "./Part";

type Props = { signedIn: boolean; known: PrivacyState };

/** Erases everything, after saying what is deleted and what is kept, and asking once more. */
export function Erase({ signedIn, known }: Props) {
  const { t } = useTranslation("privacy");
  const [open, setOpen] = useState(false);
  return (
    <Part title={t(firmHere === null ? "erase.title" : "erase.firmTitle")}>
      <What signedIn={signedIn} known={known} />
      <Button
        className="mt-3 border-overdue/60 text-overdue hover:border-overdue hover:bg-overdue-soft"
        onClick={() => {
          setOpen(true);
        }}
      >
        {t(firmHere === null ? "erase.open" : "erase.firmOpen")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t(firmHere === null ? "erase.sure" : "erase.firmSure")} closeLabel={t("erase.close")}>
          <div className="mt-2 text-[0.9375rem]">
            <What signedIn={signedIn} known={known} />
            <Confirm signedIn={signedIn} />
          </div>
        </DialogContent>
      </Dialog>
    </Part>
  );
}

function What({ signedIn, known }: Props) {
  const { t } = useTranslation("privacy");
  return (
    <div className="space-y-1">
      <p>{t(firmHere !== null ? "erase.firmWhat" : signedIn ? "erase.what" : "erase.visitorWhat")}</p>
      {known.payments > 0 && (
        <p className="font-medium">{t("erase.payments", { count: known.payments, day: day(known.kept_until) })}</p>
      )}
      <p className="text-ink-soft">{t("erase.log")}</p>
      <p className="text-ink-soft">{t("erase.backups")}</p>
    </div>
  );
}

function Confirm({ signedIn }: { signedIn: boolean }) {
  const { t } = useTranslation("privacy");
  const [typed, setTyped] = useState("");
  const go = useMutation({
    mutationFn: async () =>
      (await erase({ body: signedIn ? { password: typed } : { word: typed }, throwOnError: true })).data,
    onSuccess: ({ id }) => {
      if (firmHere !== null) {
        window.location.assign(appOf(null));
        return;
      }
      try {
        for (const storage of [sessionStorage, localStorage]) {
          for (const key of Object.keys(storage))
            if (key.startsWith("munshi.") && !key.includes("theme")) storage.removeItem(key);
        }
      } catch {
        // nothing was stored
      }
      window.location.assign(`/erased/${id}`); // reloads the page, so that no data of this person stays in memory
    },
  });
  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!go.isPending) go.mutate();
      }}
    >
      <Field
        label={t(signedIn ? "erase.password" : "erase.word")}
        type={signedIn ? "password" : "text"}
        autoComplete={signedIn ? "current-password" : "off"}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
        }}
      />
      {go.error !== null && (
        <p role="alert" className="mt-2 text-overdue">
          {sentenceOf(go.error, t("erase.failed"))}
        </p>
      )}
      <Button
        type="submit"
        className="mt-4 w-full border-overdue text-overdue hover:bg-overdue-soft"
        disabled={go.isPending || go.isSuccess || typed.trim() === ""}
      >
        {t(go.isPending || go.isSuccess ? "erase.working" : firmHere === null ? "erase.button" : "erase.firmButton")}
      </Button>
    </form>
  );
}
