import { Library } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { Button } from "@/lib/ui/button";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Spinner } from "@/lib/ui/spinner";
import { useAuthorities } from "./useAuthorities";

const Authorities = lazy(async () => ({ default: (await import("./Authorities")).Authorities }));

/** The state with which a link to a conversation opens its authorities. */
export const withAuthorities = { authorities: true };

/** Opens the authorities of a conversation, where they are not shown in another way. */
export function AuthoritiesButton({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation("conversation");
  const navigate = useNavigate();
  const location = useLocation();
  const state: unknown = location.state;
  const [pressed, setPressed] = useState(false);
  const asked = typeof state === "object" && state !== null && "authorities" in state;
  const count = useAuthorities(conversationId).query.data?.authorities?.length ?? 0;
  const close = () => {
    setPressed(false);
    if (asked) void navigate({ search: location.search, hash: location.hash }, { replace: true, state: null });
  };
  return (
    <>
      <Button
        look="quiet"
        size="small"
        aria-haspopup="dialog"
        onClick={() => {
          setPressed(true);
        }}
      >
        <Library aria-hidden />
        {t("authorities.button")} {count > 0 && <span className="tabular-nums">{count}</span>}
      </Button>
      <Dialog
        open={pressed || asked}
        onOpenChange={(open) => {
          if (!open) close();
        }}
      >
        <DialogContent title={t("authorities.title")} closeLabel={t("authorities.close")}>
          <div className="mt-2">
            <Suspense fallback={<Spinner />}>
              <Authorities conversationId={conversationId} />
            </Suspense>
          </div>
        </DialogContent>
      </Dialog>
    </>
  );
}
