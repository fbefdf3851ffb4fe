import { useTranslation } from "react-i18next";
import { wantIn } from "@/lib/api";
import { appOf } from "@/lib/place";
import { Button } from "@/lib/ui/button";

/** Replaces a firm's pages for someone who is not signed in, or is no member of the firm. */
export function Outside({ known }: { /** Whether somebody is signed in. */ known: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="m-auto max-w-md p-6 text-center">
      <h1 className="font-serif text-2xl font-semibold">{t(known ? "firm.notMember" : "firm.signIn")}</h1>
      <p className="mt-2 mb-5 text-ink-soft">{t(known ? "firm.notMemberHint" : "firm.signInHint")}</p>
      {known ? (
        <Button look="primary" asChild>
          <a href={appOf(null)}>{t("firm.toOwn")}</a>
        </Button>
      ) : (
        <Button look="primary" onClick={wantIn}>
          {t("sidebar.signIn")}
        </Button>
      )}
    </div>
  );
}
