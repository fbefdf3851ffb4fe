import { CalendarClock } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, useDefaultLayout, usePanelRef } from "react-resizable-panels";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import type { Document } from "@/lib/api";
import { DocumentPane, EvidenceLink, useEvidence, WithEvidence } from "@/parts/document";
import { cn } from "@/lib/ui/cn";
import { useKept } from "@/lib/ui/kept";
import { useMedia } from "@/lib/ui/media";
import { PaneLine, SidePane, TabbedPanes } from "@/lib/ui/panes";
import { home } from "./words";

type Props = {
  /** The notice, or another document of the conversation that is open. */
  document: Document;
  conversation: ReactNode;
  /** The reply to the notice, shown instead of the conversation. */
  reply: ReactNode;
  /** The files of figures, shown instead of the conversation. */
  figures: ReactNode;
  brief: ReactNode;
  /** The gist of the notice, always visible on a phone; null before the facts are read. */
  gist: ReactNode;
};

/** A notice with its conversation and the brief: three panes side by side, or tabs on a narrow screen. */
export function NoticePanes({ document, gist, ...content }: Props) {
  const wide = useMedia("(min-width: 80rem)");
  const [conversation, reply] = [useKept(content.conversation), useKept(content.reply)];
  const [figures, brief] = [useKept(content.figures), useKept(content.brief)];
  const Panes = wide ? Beside : Tabbed;
  return (
    <WithEvidence>
      <Panes
        document={document}
        conversation={conversation.place}
        reply={reply.place}
        figures={figures.place}
        brief={brief.place}
        gist={gist}
      />
      {conversation.made}
      {reply.made}
      {figures.made}
      {brief.made}
    </WithEvidence>
  );
}

// The minimum width of each pane, in pixels.
const least = { notice: 280, conversation: 340, brief: 264 };

const places = ["conversation", "reply", "figures"] as const;
type Place = (typeof places)[number];

/** Returns what the middle pane shows, and the paths of what it can show. */
function usePlaces(): { paths: Record<Place, string>; place: Place } {
  const { id = "", place = "" } = useParams();
  const conversation = `${home}/${id}`;
  const paths = { conversation, reply: `${conversation}/reply`, figures: `${conversation}/figures` };
  return { paths, place: places.find((name) => name === place) ?? "conversation" };
}

function Beside({ document, conversation, reply, figures, brief }: Props) {
  const { t } = useTranslation("notices");
  const evidence = useEvidence();
  const { place } = usePlaces();
  const sizes = useDefaultLayout({ id: "munshi-notice", storage: localStorage });
  const notice = usePanelRef();
  useEffect(() => {
    if (evidence !== null) notice.current?.expand();
  }, [evidence, notice]);
  return (
    <Group orientation="horizontal" className="min-h-0 flex-1" {...sizes}>
      <SidePane
        id="notice"
        show={t("panes.show", { pane: t("panes.notice") })}
        hide={t("panes.hide", { pane: t("panes.notice") })}
        panel={notice}
        size="38%"
        least={least.notice}
      >
        {(fold) => (
          <>
            <OtherThanNotice document={document} />
            <DocumentPane key={document.id} document={document} evidence={evidence}>
              {fold}
            </DocumentPane>
          </>
        )}
      </SidePane>
      <PaneLine label={t("panes.noticeWidth")} />
      <Panel id="conversation" minSize={least.conversation} className="flex flex-col">
        <Middle conversation={conversation} reply={reply} figures={figures} />
      </Panel>
      <PaneLine label={t("panes.briefWidth")} />
      <BriefSide label={t("panes.brief")} wide={place !== "conversation"}>
        {brief}
      </BriefSide>
    </Group>
  );
}

/** The conversation, the reply or the figures, with a switch between them; each keeps its state while hidden. */
function Middle(content: Record<Place, ReactNode>) {
  const { t } = useTranslation("notices");
  const evidence = useEvidence();
  const { paths, place } = usePlaces();
  const { search, hash } = useLocation();
  const [seen, setSeen] = useState<readonly Place[]>(["conversation", place]);
  if (!seen.includes(place)) setSeen([...seen, place]);
  return (
    <>
      <nav
        aria-label={t("panes.middle")}
        className="flex min-h-11 shrink-0 justify-center gap-1 border-b border-rule px-4"
      >
        {places.map((name) => (
          <Link
            key={name}
            to={{ pathname: paths[name], search, hash }}
            state={{ place: evidence?.key }}
            aria-current={place === name ? "page" : undefined}
            className="-mb-px flex items-center border-b-2 border-transparent px-3 text-[0.9375rem] font-medium text-ink-soft transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-accent"
          >
            {t(`panes.${name}`)}
          </Link>
        ))}
      </nav>
      <div className="relative min-h-0 flex-1">
        {places.map((name) => {
          const away = place !== name;
          return (
            // Only hidden, so that it keeps its scroll position and typed text.
            <div key={name} inert={away} className={cn("absolute inset-0 flex flex-col", away && "invisible")}>
              {seen.includes(name) && content[name]}
            </div>
          );
        })}
      </div>
    </>
  );
}

/** The brief, which can be folded, and folds automatically when the middle pane needs the space. */
function BriefSide({ label, wide, children }: { label: string; wide: boolean; children: ReactNode }) {
  const { t } = useTranslation("notices");
  const panel = usePanelRef();
  // A table needs the space; the brief unfolds again with the conversation.
  const folded = useRef<boolean | null>(null);
  useEffect(() => {
    if (!wide) {
      if (folded.current === true) panel.current?.expand();
      folded.current = false;
    } else if (folded.current === null || panel.current?.isCollapsed() === false) {
      panel.current?.collapse();
      folded.current = true;
    }
  }, [wide, panel]);
  return (
    <SidePane
      id="brief"
      show={t("panes.show", { pane: label })}
      hide={t("panes.hide", { pane: label })}
      panel={panel}
      size="26%"
      least={least.brief}
      right
    >
      {(fold) => <Brief fold={fold}>{children}</Brief>}
    </SidePane>
  );
}

/** Says that the shown document is not the notice, with a link back to the notice. */
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

/** The brief; it is the only landmark of the page with this name. */
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

const panes = ["notice", "conversation", "reply", "figures", "brief"] as const;
type Pane = (typeof panes)[number];

function Tabbed({ document, conversation, reply, figures, brief, gist }: Props) {
  const { t } = useTranslation("notices");
  const evidence = useEvidence();
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const { paths, place } = usePlaces();
  const asked = panes.find((name) => name === new URLSearchParams(search).get("pane"));
  const pane: Pane = asked ?? (evidence !== null ? "notice" : place);
  // A phone loads the PDF, the reply and the figures only when they are opened.
  const [seen, setSeen] = useState<readonly Pane[]>([pane]);
  if (!seen.includes(pane)) setSeen([...seen, pane]);

  const choose = (name: string) => {
    const params = new URLSearchParams(search);
    params.set("pane", name);
    const to = name === "notice" || name === "brief" ? {} : { pathname: paths[name as Place] };
    void navigate({ ...to, search: params.toString(), hash }, { replace: true, state: { place: evidence?.key } });
  };

  const content: Record<Pane, ReactNode> = {
    notice: seen.includes("notice") && (
      <>
        <OtherThanNotice document={document} />
        <DocumentPane key={document.id} document={document} evidence={evidence} />
      </>
    ),
    conversation,
    reply: seen.includes("reply") && reply,
    figures: seen.includes("figures") && figures,
    brief: <Brief>{brief}</Brief>,
  };
  return (
    <TabbedPanes
      label={t("panes.label")}
      panes={panes.map((name) => ({ name, label: t(`panes.${name}`), content: content[name] }))}
      pane={pane}
      onChoose={choose}
      above={
        gist !== null && (
          <div className="flex min-h-10 items-start gap-2 px-4 py-1.5 text-[0.9375rem] not-short:border-b not-short:border-rule short:py-0">
            <CalendarClock aria-hidden className="mt-1 size-4 shrink-0 text-ink-soft" />
            {gist}
          </div>
        )
      }
    />
  );
}
