import { Download, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { messageWordUrl, type Plugin } from "@/lib/api";
import { ConversationPage, WordFile, type BeneathParts, type FrameParts } from "@/parts/conversation";
import { Button } from "@/lib/ui/button";
import { Dates } from "./Dates";
import { SummaryPanes } from "./SummaryPanes";
import { home, useWords } from "./words";

/** A summary next to the pages of its document, with the questions about it. */
export function SummaryPage({ plugin, id }: { plugin: Plugin; id: string }) {
  const words = useWords(plugin);
  const questions = plugin.turns?.some(({ kind }) => kind === "chat") === true;
  return (
    <ConversationPage
      id={id}
      home={home}
      words={words}
      takes={{ documents: false, questions }}
      named
      Frame={Frame}
      Beneath={Beneath}
    />
  );
}

function Frame({ subject, conversation }: FrameParts) {
  if (subject === null) return conversation;
  return <SummaryPanes document={subject} conversation={conversation} />;
}

/** The buttons below a summary. */
function Beneath({ conversation, message }: BeneathParts) {
  const { t } = useTranslation("summary");
  return (
    <div className="mt-6 max-w-2xl space-y-6 print:hidden">
      <Dates conversation={conversation} message={message} />
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <WordFile href={messageWordUrl(conversation, message.id)}>
            <Download aria-hidden />
            {t("word")}
          </WordFile>
        </Button>
        <Button asChild>
          <Link to={home}>
            <Plus aria-hidden />
            {t("again")}
          </Link>
        </Button>
      </div>
    </div>
  );
}
