import { useQuery } from "@tanstack/react-query";
import { HardDrive, Menu, WifiOff, X } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { NavLink, Outlet, useLocation } from "react-router";
import { AuthDialogs, useMe, useShowDialog } from "@/features/account";
import { ApiError, pluginsOptions, publicConfigOptions } from "@/lib/api";
import { LawBeside } from "@/parts/law";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Dialog, DrawerContent } from "@/lib/ui/dialog";
import { useMedia } from "@/lib/ui/media";
import { firmHere } from "@/lib/place";
import { Sidebar, type SidebarView } from "./Sidebar";
import { StrayDrops } from "./StrayDrops";
import { useTabs } from "./tabs";
import { Uploads } from "./Uploads";
import { usePageKeys } from "./usePageKeys";

// Loaded separately, since it is rarely needed, or not at once.
const Reminders = lazy(async () => ({ default: (await import("@/features/notices/Reminders")).Reminders }));
const Outside = lazy(async () => ({ default: (await import("./Outside")).Outside }));
const MistakesBanner = lazy(async () => ({
  default: (await import("@/features/operators/MistakesBanner")).MistakesBanner,
}));
const RenewBanner = lazy(async () => ({ default: (await import("@/features/billing/RenewBanner")).RenewBanner }));
const Help = lazy(async () => ({ default: (await import("./Help")).Help }));
const Subscribe = lazy(async () => ({ default: (await import("@/features/billing/Subscribe")).Subscribe }));

/** The workspace with the dialogs of the account. */
export function Workspace() {
  const offer = useQuery(publicConfigOptions()).data?.payment;
  const paid = offer !== undefined && offer.provider !== "";
  return (
    <AuthDialogs
      subscribe={
        paid
          ? (close) => (
              <Suspense>
                <Subscribe onClose={close} />
              </Suspense>
            )
          : null
      }
    >
      <AppShell />
    </AuthDialogs>
  );
}

/** The sidebar, the header with the tabs, and the current page. */
function AppShell() {
  const { t } = useTranslation();
  const config = useQuery(publicConfigOptions()).data;
  const me = useMe();
  const outside = firmHere !== null && me?.acting === null;
  const tabs = useTabs(useQuery(pluginsOptions()).data?.plugins ?? []);
  const large = useMedia("(min-width: 64rem)");
  const [view, setView] = useState<SidebarView>("main");
  const { pathname } = useLocation();
  // The path on which the drawer was opened. It is open only there, so it closes when a link in it is followed.
  const [drawerOn, setDrawerOn] = useState<string | null>(null);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // With many plugins, the current tab may be outside the visible part of a narrow screen.
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (nav.current === null || !tab) return;
    const { scrollLeft: from, clientWidth: width } = nav.current;
    nav.current.scrollLeft = Math.min(Math.max(from, tab.offsetLeft + tab.offsetWidth - width), tab.offsetLeft);
  }, [pathname, tabs.length]);
  const [paying, setPaying] = useState(false);
  const [helping, setHelping] = useState(false);
  usePageKeys(() => {
    setHelping(true);
  });
  const sidebar = (
    <Sidebar
      view={view}
      onView={setView}
      onHelp={() => {
        setDrawerOn(null);
        setHelping(true);
      }}
      onSubscribe={() => {
        setDrawerOn(null); // an open drawer would keep focus and clicks from the payment provider's dialog
        setPaying(true);
      }}
    />
  );

  return (
    <div className="flex h-dvh overflow-clip bg-paper">
      <a
        href="#content"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2.5 text-on-accent focus:translate-y-0"
      >
        {t("skip")}
      </a>
      {large ? (
        <aside aria-label={t("menu")} className="w-66 shrink-0 border-r border-rule bg-margin">
          {sidebar}
        </aside>
      ) : (
        <Dialog
          open={drawerOn === pathname}
          onOpenChange={(open) => {
            if (!open) setDrawerOn(null);
          }}
        >
          <DrawerContent title={t("menu")}>
            <Button
              look="quiet"
              size="icon"
              aria-label={t("menuClose")}
              className="absolute top-4 right-2"
              onClick={() => {
                setDrawerOn(null);
              }}
            >
              <X aria-hidden />
            </Button>
            {sidebar}
          </DrawerContent>
        </Dialog>
      )}

      <div className="flex min-w-0 flex-1 flex-col">
        <header className="border-b border-rule lg:flex lg:items-stretch lg:justify-between lg:gap-6 lg:px-6">
          <div className="flex min-h-13 items-center gap-2 px-2 lg:px-0 short:min-h-11">
            {!large && (
              <Button
                look="quiet"
                size="icon"
                aria-label={t("menu")}
                aria-haspopup="dialog"
                onClick={() => {
                  setDrawerOn(pathname);
                }}
              >
                <Menu aria-hidden />
              </Button>
            )}
            <p className="min-w-0 flex-1 font-serif text-lg font-semibold lg:text-base lg:font-normal lg:text-ink-soft">
              <span className="lg:sr-only">{config?.product_name}</span>
              {me?.acting ? <span> {me.acting.name}</span> : <span className="hidden xl:inline"> {t("tagline")}</span>}
            </p>
            {!large && <SignIn />}
          </div>
          <nav
            ref={nav}
            aria-label={t("tabs.label")}
            className="relative -mb-px grid min-w-0 auto-cols-[minmax(4.5rem,1fr)] grid-flow-col overflow-x-auto overflow-y-hidden lg:flex lg:gap-2"
          >
            {tabs.map(({ to, title, Icon }) => (
              <NavLink key={to} to={to} className={tabClass}>
                <Icon aria-hidden className="size-5 shrink-0 short:hidden" strokeWidth={1.75} />
                {/* A plugin may have any name. */}
                <span className="line-clamp-2 max-w-full wrap-anywhere lg:line-clamp-1 lg:max-w-60">{title}</span>
              </NavLink>
            ))}
          </nav>
          {large && <SignIn />}
        </header>
        {paying && (
          <Suspense>
            <Subscribe
              billing
              onClose={() => {
                setPaying(false);
              }}
            />
          </Suspense>
        )}
        {helping && (
          <Suspense>
            <Help
              onClose={() => {
                setHelping(false);
              }}
            />
          </Suspense>
        )}
        <StrayDrops />
        <Trouble />
        <Uploads />
        <Suspense>{config?.operator === true && <MistakesBanner />}</Suspense>
        <Suspense>{!outside && <Reminders />}</Suspense>
        {me?.ends_soon === true && (
          <Suspense>
            <RenewBanner />
          </Suspense>
        )}
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <LawBeside>
            {outside ? (
              <Suspense>
                <Outside known={me.signed_in} />
              </Suspense>
            ) : (
              <Outlet />
            )}
          </LawBeside>
        </main>
      </div>
    </div>
  );
}

function SignIn() {
  const { t } = useTranslation();
  const me = useMe();
  const show = useShowDialog();
  if (me?.signed_in !== false) return null;
  return (
    <Button
      look="link"
      className="px-2 lg:px-0"
      onClick={() => {
        show({ what: "signIn" });
      }}
    >
      {t("sidebar.signIn")}
    </Button>
  );
}

function tabClass({ isActive }: { isActive: boolean }) {
  return cn(
    "flex min-h-11 shrink-0 flex-col items-center justify-start gap-1 border-b-2 px-1 pt-1.5 pb-2 text-center text-xs leading-4 font-medium transition-colors focus-visible:-outline-offset-2 lg:min-h-14 lg:flex-row lg:justify-center lg:gap-2 lg:px-3 lg:py-0 lg:text-[0.9375rem] short:min-h-9 short:justify-center",
    isActive ? "border-accent text-accent" : "border-transparent text-ink-soft hover:text-ink",
  );
}

/** Says why nothing works at the moment: no network, no server, or no space on its disk. */
function Trouble() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
  // Fetched every ten seconds, so it is the first to notice that the server is gone or back.
  const { data, failureReason: why } = useQuery(pluginsOptions());
  const away = why instanceof ApiError && (why.status === 0 || why.status >= 502);
  const what = !online ? "offline" : away ? "away" : data?.disk_full === true ? "full" : null;
  if (what === null) return null;
  const Icon = what === "full" ? HardDrive : WifiOff;
  return (
    <p role="status" className="flex items-center justify-center gap-2 bg-due-soft px-4 py-1.5 text-sm text-due">
      <Icon aria-hidden className="size-4 shrink-0" />
      {t(what)}
    </p>
  );
}

function subscribeToOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
