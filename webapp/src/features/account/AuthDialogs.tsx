import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { onNoUseLeft, onWantsIn } from "@/lib/api";
import { may } from "@/lib/may";
import { Dialog, DialogContent } from "@/lib/ui/dialog";
import { Spinner } from "@/lib/ui/spinner";
import { ShowDialog, type Showing } from "./dialogs";
import { Entry } from "./Entry";
import { Limit } from "./Limit";
import { useMarks, useMe } from "./useMe";

// Loaded separately, since it is rarely needed.
const Confirm = lazy(async () => ({ default: (await import("./Confirm")).Confirm }));
const Forgot = lazy(async () => ({ default: (await import("./Forgot")).Forgot }));
const Sent = lazy(async () => ({ default: (await import("./Forgot")).Sent }));
const Reset = lazy(async () => ({ default: (await import("./Reset")).Reset }));

type Props = {
  children: ReactNode;
  /**
   * The offer to subscribe, for someone with an account but no uses left, and once after signing in; null if there is
   * nothing to subscribe to.
   */
  subscribe: ((close: () => void) => ReactNode) | null;
};

/** Shows the dialogs for signing in and up, and the offer to subscribe, over its children. */
export function AuthDialogs({ children, subscribe }: Props) {
  const { t } = useTranslation("account");
  const me = useMe();
  const [showing, setShowing] = useState<Showing | null>(fromLink);
  const [noUseLeft, setNoUseLeft] = useState(false);
  const [greeted, setGreeted] = useState(false);
  const show = (next: Showing | null) => {
    setNoUseLeft(false);
    setShowing(next);
  };
  useMarks(me);
  // This depends on nothing: a report that comes while an effect is set up again, as when the account has just been
  // loaded, would be lost.
  useEffect(
    () =>
      onNoUseLeft(() => {
        setShowing(null);
        setNoUseLeft(true);
      }),
    [],
  );
  useEffect(
    () =>
      onWantsIn(() => {
        setNoUseLeft(false);
        setShowing({ what: "signIn" });
      }),
    [],
  );
  // The secret of a link is used once, and removed from the address immediately.
  useEffect(() => {
    if (secretOf(window.location.hash) !== null)
      window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  }, []);
  // Someone who signs in without a subscription is offered one, once.
  const offers =
    subscribe !== null &&
    me?.signed_in === true &&
    !me.premium &&
    may(me, "own") &&
    !greeted &&
    showing === null &&
    !noUseLeft;
  const close = () => {
    setGreeted(true);
    show(null);
  };
  const limit = me?.signed_in === true ? (may(me, "own") ? "subscribe" : "firmLimit") : "limit";
  const now: Showing | null = offers ? { what: "subscribe" } : noUseLeft ? { what: limit } : showing;
  return (
    <ShowDialog value={show}>
      {children}
      {now?.what === "subscribe" && subscribe !== null ? (
        subscribe(close)
      ) : (
        <Dialog
          open={now !== null}
          onOpenChange={(open) => {
            if (!open) close();
          }}
        >
          {now !== null && (
            <DialogContent
              title={now.what === "sent" ? t("sent.title") : t(`${now.what}.title`)}
              closeLabel={t("close")}
              className="max-w-md"
            >
              <Suspense fallback={<Spinner />}>
                <Body showing={now} show={show} onDone={close} />
              </Suspense>
            </DialogContent>
          )}
        </Dialog>
      )}
    </ShowDialog>
  );
}

function Body({
  showing,
  show,
  onDone,
}: {
  showing: Showing;
  show: (showing: Showing | null) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation("account");
  switch (showing.what) {
    case "signIn":
    case "signUp":
      return <Entry mode={showing.what} then={showing.then} show={show} onDone={onDone} />;
    case "forgot":
      return <Forgot show={show} />;
    case "sent":
      return <Sent email={showing.email} purpose={showing.purpose} onDone={onDone} />;
    case "confirm":
      return <Confirm token={showing.token} onDone={onDone} />;
    case "reset":
      return <Reset token={showing.token} onDone={onDone} />;
    case "limit":
      return <Limit show={show} />;
    case "firmLimit":
      return <p className="mt-2">{t("firmLimit.what")}</p>;
    case "subscribe": // there is nothing to subscribe to
      return <p className="mt-2">{t("subscribe.none")}</p>;
  }
}

/** Returns what a link in a mail opens. Its secret is in the fragment, which no server and no log can see. */
function fromLink(): Showing | null {
  return secretOf(window.location.hash);
}

function secretOf(hash: string): Showing | null {
  const found = /^#(confirm|reset)=([A-Za-z0-9]{20,200})$/.exec(hash);
  if (found === null) return null;
  return { what: found[1] === "confirm" ? "confirm" : "reset", token: found[2] ?? "" };
}
