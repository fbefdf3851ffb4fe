import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";

/** Replaces a screen that crashed. */
export function Crash() {
  const { t } = useTranslation();
  return (
    <main className="grid min-h-dvh place-items-center p-6 text-center">
      <div>
        <h1 className="font-serif text-2xl font-semibold">{t("crash.heading")}</h1>
        <p className="mt-2 text-ink-soft">{t("crash.hint")}</p>
        <Button
          look="primary"
          className="mt-5"
          onClick={() => {
            window.location.reload();
          }}
        >
          {t("crash.reload")}
        </Button>
      </div>
    </main>
  );
}
