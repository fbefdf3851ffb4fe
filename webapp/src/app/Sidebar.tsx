import { useQuery } from "@tanstack/react-query";
import {
  BookText,
  CalendarCheck,
  ChevronLeft,
  Building2,
  BriefcaseBusiness,
  CreditCard,
  ExternalLink,
  History,
  Keyboard,
  LogIn,
  LogOut,
  NotebookText,
  ShieldCheck,
  Wrench,
} from "lucide-react";
import { lazy, Suspense, useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { useMe, useShowDialog, useSignOut } from "@/features/account";
import { publicConfigOptions, type PublicConfig } from "@/lib/api";
import { useAnswersIn } from "@/lib/i18n";
import { AnswersIn } from "@/lib/ui/answersIn";
import { Button } from "@/lib/ui/button";
import { Skeleton } from "@/lib/ui/skeleton";
import { DataUse } from "@/parts/privacy";
import { may } from "@/lib/may";
import { firmHere } from "@/lib/place";
import { LanguageSwitch } from "./LanguageSwitch";
import { Logo } from "./Logo";
import { ThemeSwitch } from "./ThemeSwitch";

// The views behind the main view are loaded when they are opened.
const BillingView = lazy(async () => ({ default: (await import("@/features/billing/BillingView")).BillingView }));
// Loaded only for members of a firm.
const FirmSwitch = lazy(async () => ({ default: (await import("./FirmSwitch")).FirmSwitch }));
const DraftList = lazy(async () => ({ default: (await import("@/features/drafts/DraftList")).DraftList }));
const TemplateList = lazy(async () => ({ default: (await import("@/features/templates/TemplateList")).TemplateList }));

/** What the sidebar shows: its main view, or one of the views behind it. */
export type SidebarView = "main" | "history" | "templates" | "billing";

type Props = {
  view: SidebarView;
  onView: (view: SidebarView) => void;
  onHelp: () => void;
  /** Called when the person wants to subscribe to Premium. */ onSubscribe: () => void;
};

/** The content of the sidebar; the workspace decides whether it is always visible or a drawer. */
export function Sidebar({ view, onView, onHelp, onSubscribe }: Props) {
  const { t } = useTranslation();
  const config = useQuery(publicConfigOptions()).data;
  const me = useMe();
  const answers = useAnswersIn();
  return (
    <div className="flex h-full flex-col overflow-y-auto px-3 py-4">
      <Link to="/app" className="flex min-h-11 items-center gap-3 rounded-lg px-2 font-serif text-xl font-semibold">
        <Logo className="size-8 shrink-0" />
        {config?.product_name}
      </Link>
      {me?.signed_in === true && (me.firms ?? []).length > 0 && (
        <Suspense fallback={<Skeleton className="mt-4 h-11" />}>
          <FirmSwitch firms={me.firms ?? []} />
        </Suspense>
      )}
      {view === "main" ? (
        <Main config={config} onView={onView} onHelp={onHelp} />
      ) : (
        <SubView view={view} onView={onView} onSubscribe={onSubscribe} />
      )}
      <div className="mt-auto space-y-4 px-2 pt-8">
        {config !== undefined && <Engine config={config} />}
        <div className="flex flex-wrap gap-2">
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
        <AnswersIn label={t("language.answers")} {...answers} />
      </div>
    </div>
  );
}

function Main({ config, onView, onHelp }: { config: PublicConfig | undefined } & Pick<Props, "onView" | "onHelp">) {
  const { t } = useTranslation();
  const me = useMe();
  const item = (view: SidebarView, icon: ReactNode) => (
    <Button
      look="quiet"
      className={itemClass}
      onClick={() => {
        onView(view);
      }}
    >
      {icon}
      {t(`sidebar.${view as Exclude<SidebarView, "main">}`)}
    </Button>
  );
  return (
    <nav aria-label={t("menu")} className="mt-5 flex flex-col gap-0.5">
      {config !== undefined && config.consultation_url !== "" && (
        <Button look="quiet" className={itemClass} asChild>
          <a href={config.consultation_url} target="_blank" rel="noopener noreferrer">
            <CalendarCheck aria-hidden />
            {t("consultation")}
            <ExternalLink aria-hidden className="ml-auto opacity-70" />
            <span className="sr-only">({t("newTab")})</span>
          </a>
        </Button>
      )}
      {item("history", <History aria-hidden />)}
      {item("templates", <NotebookText aria-hidden />)}
      <Button look="quiet" className={itemClass} asChild>
        <Link to="/app/law">
          <BookText aria-hidden />
          {t("sidebar.law")}
        </Link>
      </Button>
      {firmHere !== null && me?.acting && (
        <Button look="quiet" className={itemClass} asChild>
          <Link to="/app/practice">
            <BriefcaseBusiness aria-hidden />
            {t("sidebar.practice")}
          </Link>
        </Button>
      )}
      <div className="my-2 border-t border-rule" />
      {firmHere !== null && me?.acting && (
        <Button look="quiet" className={itemClass} asChild>
          <Link to="/app/firm">
            <Building2 aria-hidden />
            {t("sidebar.firm")}
          </Link>
        </Button>
      )}
      {me?.signed_in === true && may(me, "own") && item("billing", <CreditCard aria-hidden />)}
      {may(me, "own") && (
        <Button look="quiet" className={itemClass} asChild>
          <Link to="/app/privacy">
            <ShieldCheck aria-hidden />
            {t("sidebar.privacy")}
          </Link>
        </Button>
      )}
      {(config?.operator === true || me?.operator === true) && (
        <Button look="quiet" className={itemClass} asChild>
          <Link to="/app/operators">
            <Wrench aria-hidden />
            {t("sidebar.operators")}
          </Link>
        </Button>
      )}
      <Button look="quiet" className={itemClass} onClick={onHelp}>
        <Keyboard aria-hidden />
        {t("help.open")}
      </Button>
      <Account />
    </nav>
  );
}

/** Shows who is signed in, with a menu to sign out; or the button to sign in. */
function Account() {
  const { t } = useTranslation(["workspace", "account"]);
  const me = useMe();
  const show = useShowDialog();
  const leave = useSignOut();
  if (me?.signed_in === true)
    return (
      <>
        <Button
          look="quiet"
          className={itemClass}
          disabled={leave.isPending}
          onClick={() => {
            leave.mutate(undefined, {
              onError: () => {
                toast.error(t("account:signOutFailed"));
              },
            });
          }}
        >
          <LogOut aria-hidden />
          {t("account:signOut")}
        </Button>
        <p className="px-2 pt-1 text-sm break-words text-ink-soft">{t("account:signedIn", { email: me.email })}</p>
      </>
    );
  return (
    <>
      <Button
        look="quiet"
        className={itemClass}
        onClick={() => {
          show({ what: "signIn" });
        }}
      >
        <LogIn aria-hidden />
        {t("sidebar.signIn")}
      </Button>
      {me?.limited === true && (
        <p className="px-2 pt-1 text-sm text-ink-soft">
          {t("account:uses.visitor", { count: Math.max(0, me.free - me.used) })}
        </p>
      )}
    </>
  );
}

const itemClass = "justify-start gap-3 px-2 text-ink";

function SubView({
  view,
  onView,
  onSubscribe,
}: Omit<Props, "view" | "onHelp"> & { view: Exclude<SidebarView, "main"> }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [view]);
  return (
    <section aria-labelledby="sidebar-view" className="mt-5">
      <Button
        look="quiet"
        size="small"
        className="-ml-1 px-2"
        onClick={() => {
          onView("main");
        }}
      >
        <ChevronLeft aria-hidden />
        {t("sidebar.back")}
      </Button>
      <div className="mt-3 px-2">
        <h2 id="sidebar-view" ref={heading} tabIndex={-1} className="font-serif text-lg font-semibold outline-none">
          {t(`sidebar.${view}`)}
        </h2>
        <Suspense fallback={<Skeleton className="mt-6" />}>
          {view === "history" ? (
            <>
              <DraftList search="" />
              <Link
                to="/app/drafts"
                className="mt-3 inline-flex min-h-9 items-center rounded text-sm text-accent underline-offset-4 hover:underline"
              >
                {t("sidebar.allDrafts")}
              </Link>
            </>
          ) : view === "billing" ? (
            <BillingView onSubscribe={onSubscribe} />
          ) : (
            <>
              <Link
                to="/app/templates"
                className="mt-1 inline-flex min-h-9 items-center rounded text-sm text-accent underline-offset-4 hover:underline"
              >
                {t("sidebar.allTemplates")}
              </Link>
              <TemplateList search="" brief />
            </>
          )}
        </Suspense>
      </div>
    </section>
  );
}

/** Says which model answers, and who receives what is written and uploaded. */
function Engine({ config }: { config: PublicConfig }) {
  const { t } = useTranslation();
  const { model } = config;
  return (
    <div>
      <p className="text-sm text-ink-soft">
        {model.offline ? t("engine.offline") : t("engine.model", { name: model.name })}
      </p>
      <DataUse config={config} />
    </div>
  );
}
