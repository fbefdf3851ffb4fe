import { CalendarClock, PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from "lucide-react";
import { Tabs } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator, useDefaultLayout, usePanelRef, type PanelImperativeHandle } from "react-resizable-panels";
import { Link, useLocation, useMatch, useNavigate, useParams } from "react-router";
import type { Document } from "@/lib/api";
import { DocumentPane, EvidenceLink, useEvidence, WithEvidence } from "@/lib/document";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { useMedia } from "@/lib/ui/media";
import { home } from "./words";

type Props = {
  /** The notice, or the paper that was handed in for it and is opened. */
  document: Document;
  conversation: ReactNode;
  /** The reply to the notice, which takes the conversation's place when it is asked for. */
  reply: ReactNode;
  brief: ReactNode;
  /** The reply date, which stays in sight on a phone; null before there are facts. */
  deadline: ReactNode;
};

/** A notice beside what is said about it and what the program is sure of: three panes, or on a narrow screen tabs. */
export function NoticePanes(props: Props) {
  const wide = useMedia("(min-width: 80rem)");
  return <WithEvidence>{wide ? <Beside {...props} /> : <Tabbed {...props} />}</WithEvidence>;
}

// In pixels: what a folded pane leaves, and what each needs at least.
const folded = 48;
const least = { notice: 280, conversation: 340, brief: 264 };

/** Whether the reply is open, and where it and the conversation are. */
function useReplyPath() {
  const { id = "" } = useParams();
  const conversation = `${home}/${id}`;
  const reply = `${conversation}/reply`;
  return { conversation, reply, replying: useMatch(reply) !== null };
}

function Beside({ document, conversation, reply, brief }: Props) {
  const { t } = useTranslation("notices");
  const evidence = useEvidence();
  const { replying } = useReplyPath();
  const sizes = useDefaultLayout({ id: "munshi-notice", storage: localStorage });
  const notice = usePanelRef();
  useEffect(() => {
    if (evidence !== null) notice.current?.expand();
  }, [evidence, notice]);
  return (
    <Group orientation="horizontal" className="min-h-0 flex-1" {...sizes}>
      <Side id="notice" label={t("panes.notice")} panel={notice} size="38%">
        {(fold) => (
          <>
            <OtherThanNotice document={document} />
            <DocumentPane key={document.id} document={document} evidence={evidence}>
              {fold}
            </DocumentPane>
          </>
        )}
      </Side>
      <Line label={t("panes.noticeWidth")} />
      <Panel id="conversation" minSize={least.conversation} className="flex flex-col">
        <Middle conversation={conversation} reply={reply} />
      </Panel>
      <Line label={t("panes.briefWidth")} />
      <BriefSide label={t("panes.brief")} replying={replying}>
        {brief}
      </BriefSide>
    </Group>
  );
}

/** The conversation or the reply, with the switch between them; the one that is away is as it was when it comes back. */
function Middle({ conversation, reply }: { conversation: ReactNode; reply: ReactNode }) {
  const { t } = useTranslation("notices");
  const evidence = useEvidence();
  const paths = useReplyPath();
  const { search, hash } = useLocation();
  const [seen, setSeen] = useState(paths.replying);
  if (paths.replying && !seen) setSeen(true);
  return (
    <>
      <nav aria-label={t("panes.middle")} className="flex min-h-11 shrink-0 justify-center gap-1 border-b border-rule px-4">
        {(["conversation", "reply"] as const).map((name) => (
          <Link
            key={name}
            to={{ pathname: paths[name], search, hash }}
            state={{ place: evidence?.key }}
            aria-current={paths.replying === (name === "reply") ? "page" : undefined}
            className="-mb-px flex items-center border-b-2 border-transparent px-3 text-[0.9375rem] font-medium text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-accent"
          >
            {t(`panes.${name}`)}
          </Link>
        ))}
      </nav>
      <div className="relative min-h-0 flex-1">
        {(["conversation", "reply"] as const).map((name) => {
          const away = paths.replying !== (name === "reply");
          return (
            // Not taken off the page, so that each is scrolled as it was left, and no word in it is lost.
            <div key={name} inert={away} className={cn("absolute inset-0 flex flex-col", away && "invisible")}>
              {name === "conversation" ? conversation : seen && reply}
            </div>
          );
        })}
      </div>
    </>
  );
}

function BriefSide({ label, replying, children }: { label: string; replying: boolean; children: ReactNode }) {
  const panel = usePanelRef();
  // A table wants the room; the brief comes back with the conversation.
  const folded = useRef<boolean | null>(null);
  useEffect(() => {
    if (!replying) {
      if (folded.current === true) panel.current?.expand();
      folded.current = false;
    } else if (folded.current === null || panel.current?.isCollapsed() === false) {
      panel.current?.collapse();
      folded.current = true;
    }
  }, [replying, panel]);
  return (
    <Side id="brief" label={label} panel={panel} size="26%" right>
      {(fold) => <Brief fold={fold}>{children}</Brief>}
    </Side>
  );
}

/** Says that what is shown is not the notice, and leads back to it. */
function OtherThanNotice({ document }: { document: Document }) {
  const { t } = useTranslation("notices");
  if (document.type === "") return null;
  return (
    <p className="flex min-h-11 items-center justify-between gap-3 border-b border-rule bg-accent-soft px-3 text-sm">
      <span className="truncate" title={document.name}>
        {t("panes.other", { name: document.name })}
      </span>
      <span className="shrink-0">
        <EvidenceLink evidence={{ page: 1, quote: null }}>{t("panes.backToNotice")}</EvidenceLink>
      </span>
    </p>
  );
}

/** What the program is sure of; the only place of a page that has this name. */
function Brief({ fold, children }: { fold?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation("notices");
  return (
    <aside aria-labelledby="facts" className="h-full overflow-y-auto px-5 pb-8">
      <div className="sticky top-0 z-10 -mx-5 flex min-h-11 items-center justify-between bg-paper pr-2 pl-5">
        <h2 id="facts" className="text-sm font-medium text-ink-soft">
          {t("facts.title")}
        </h2>
        {fold}
      </div>
      <div className="pt-2">{children}</div>
    </aside>
  );
}

type SideProps = {
  id: "notice" | "brief";
  label: string;
  panel: RefObject<PanelImperativeHandle | null>;
  size: string;
  right?: boolean;
  /** Gets the button that folds the pane away. */
  children: (fold: ReactNode) => ReactNode;
};

/** A pane at the side that folds away to a strip, and is as it was when it comes back. */
function Side({ id, label, panel, size, right = false, children }: SideProps) {
  const { t } = useTranslation("notices");
  const [away, setAway] = useState(false);
  const Close = right ? PanelRightClose : PanelLeftClose;
  const Open = right ? PanelRightOpen : PanelLeftOpen;
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  const turn = () => {
    pressed.current = true;
    if (away) panel.current?.expand();
    else panel.current?.collapse();
  };
  useEffect(() => {
    if (!pressed.current) return;
    pressed.current = false;
    (away ? opener : closer).current?.focus(); // the button that was pressed is gone
  }, [away]);
  return (
    <Panel
      id={id}
      panelRef={panel}
      collapsible
      collapsedSize={folded}
      minSize={least[id]}
      defaultSize={size}
      className="relative flex"
      onResize={({ inPixels }) => {
        setAway(inPixels < least[id] / 2);
      }}
    >
      {away && (
        <Button ref={opener} look="quiet" size="icon-small" className="m-1.5" aria-label={t("panes.show", { pane: label })} title={t("panes.show", { pane: label })} onClick={turn}>
          <Open aria-hidden />
        </Button>
      )}
      <div className={cn("flex min-h-0 flex-col", away ? "invisible absolute inset-y-0 left-0" : "min-w-0 flex-1")} style={away ? { width: least[id] } : undefined} inert={away}>
        {children(
          <Button ref={closer} look="quiet" size="icon-small" aria-label={t("panes.hide", { pane: label })} title={t("panes.hide", { pane: label })} onClick={turn}>
            <Close aria-hidden />
          </Button>,
        )}
      </div>
    </Panel>
  );
}

function Line({ label }: { label: string }) {
  return (
    <Separator
      aria-label={label}
      className="w-px bg-rule transition-colors outline-offset-0 hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent"
    />
  );
}

const panes = ["notice", "conversation", "reply", "brief"] as const;
type Pane = (typeof panes)[number];

function Tabbed({ document, conversation, reply, brief, deadline }: Props) {
  const { t } = useTranslation("notices");
  const evidence = useEvidence();
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const paths = useReplyPath();
  const asked = panes.find((name) => name === new URLSearchParams(search).get("pane"));
  const pane: Pane = asked ?? (evidence !== null ? "notice" : paths.replying ? "reply" : "conversation");
  // A phone does not load the PDF or the reply before someone wants it.
  const [seen, setSeen] = useState<readonly Pane[]>([pane]);
  if (!seen.includes(pane)) setSeen([...seen, pane]);

  const choose = (name: string) => {
    const params = new URLSearchParams(search);
    params.set("pane", name);
    const to = name === "reply" || name === "conversation" ? { pathname: paths[name] } : {};
    void navigate({ ...to, search: params.toString(), hash }, { replace: true, state: { place: evidence?.key } });
  };

  // Where a link, or the way back, leads to another tab, the focus goes along: to where it was there.
  const area = useRef<HTMLDivElement>(null);
  const last = useRef<Partial<Record<Pane, HTMLElement>>>({});
  const before = useRef(pane);
  useEffect(() => {
    if (before.current === pane) return;
    before.current = pane;
    if (window.document.activeElement?.role === "tab" || window.document.activeElement?.getAttribute("role") === "tab") return;
    const target = last.current[pane] ?? area.current?.querySelector<HTMLElement>(`[data-pane="${pane}"]`);
    target?.focus({ preventScroll: true });
  }, [pane]);

  const content: Record<Pane, ReactNode> = {
    notice: seen.includes("notice") && (
      <>
        <OtherThanNotice document={document} />
        <DocumentPane key={document.id} document={document} evidence={evidence} />
      </>
    ),
    conversation,
    reply: seen.includes("reply") && reply,
    brief: <Brief>{brief}</Brief>,
  };
  return (
    <Tabs.Root value={pane} onValueChange={choose} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="border-b border-rule short:flex short:items-center short:justify-between">
        {deadline !== null && (
          <div className="flex min-h-10 items-center gap-2 px-4 py-1.5 text-[0.9375rem] not-short:border-b not-short:border-rule short:py-0">
            <CalendarClock aria-hidden className="size-4 shrink-0 text-ink-soft" />
            {deadline}
          </div>
        )}
        <Tabs.List aria-label={t("panes.label")} className="-mb-px flex grow">
        {panes.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="min-h-11 grow border-b-2 border-transparent px-1 text-[0.9375rem] font-medium text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-accent short:min-h-9"
          >
            {t(`panes.${name}`)}
          </Tabs.Trigger>
        ))}
        </Tabs.List>
      </div>
      <div ref={area} className="relative min-h-0 flex-1">
        {panes.map((name) => (
          // Not taken off the page, so that each is scrolled as it was left.
          <Tabs.Content
            key={name}
            value={name}
            forceMount
            tabIndex={-1}
            data-pane={name}
            inert={name !== pane}
            onFocusCapture={({ target, currentTarget }) => {
              if (target !== currentTarget) last.current[name] = target;
            }}
            className="absolute inset-0 flex flex-col outline-none data-[state=inactive]:invisible"
          >
            {content[name]}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  );
}
