import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, useDefaultLayout, usePanelRef } from "react-resizable-panels";
import { useLocation, useNavigate } from "react-router";
import type { Document } from "@/lib/api";
import { DocumentPane, useEvidence, WithEvidence } from "@/parts/document";
import { useKept } from "@/lib/ui/kept";
import { useMedia } from "@/lib/ui/media";
import { PaneLine, SidePane, TabbedPanes } from "@/lib/ui/panes";

type Props = { document: Document; conversation: ReactNode };

/** A document's pages next to its summary, or in a tab on a narrow screen. */
export function SummaryPanes({ document, conversation }: Props) {
  const wide = useMedia("(min-width: 72rem)");
  const kept = useKept(conversation);
  const Panes = wide ? Beside : Tabbed;
  return (
    <WithEvidence>
      <Panes document={document} conversation={kept.place} />
      {kept.made}
    </WithEvidence>
  );
}

// The minimum width of each pane, in pixels.
const least = { document: 280, conversation: 400 };

function Beside({ document, conversation }: Props) {
  const { t } = useTranslation("summary");
  const evidence = useEvidence();
  const sizes = useDefaultLayout({ id: "munshi-summary", storage: localStorage });
  const panel = usePanelRef();
  useEffect(() => {
    if (evidence !== null) panel.current?.expand();
  }, [evidence, panel]);
  const pane = t("document");
  return (
    <Group orientation="horizontal" className="min-h-0 flex-1" {...sizes}>
      <SidePane
        id="document"
        show={t("show", { pane })}
        hide={t("hide", { pane })}
        panel={panel}
        size="42%"
        least={least.document}
      >
        {(fold) => (
          <DocumentPane key={document.id} document={document} evidence={evidence}>
            {fold}
          </DocumentPane>
        )}
      </SidePane>
      <PaneLine label={t("documentWidth")} />
      <Panel id="conversation" minSize={least.conversation} className="flex">
        {conversation}
      </Panel>
    </Group>
  );
}

const names = ["summary", "document"] as const;
type Name = (typeof names)[number];

function Tabbed({ document, conversation }: Props) {
  const { t } = useTranslation("summary");
  const evidence = useEvidence();
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const asked = names.find((name) => name === new URLSearchParams(search).get("pane"));
  const pane: Name = asked ?? (evidence === null ? "summary" : "document");
  const [seen, setSeen] = useState(pane === "document"); // a phone loads the PDF only when it is opened
  if (pane === "document" && !seen) setSeen(true);
  const content: Record<Name, ReactNode> = {
    summary: conversation,
    document: seen && <DocumentPane key={document.id} document={document} evidence={evidence} />,
  };
  return (
    <TabbedPanes
      label={t("panes")}
      panes={names.map((name) => ({ name, label: t(name), content: content[name] }))}
      pane={pane}
      onChoose={(name) => {
        const params = new URLSearchParams(search);
        params.set("pane", name);
        void navigate({ search: params.toString(), hash }, { replace: true, state: { place: evidence?.key } });
      }}
    />
  );
}
