import { memo, useDeferredValue, useEffect, useMemo, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { EvidenceLink } from "@/parts/document";
import { languageOf } from "@/lib/i18n";
import { markBlanks } from "./blanks";
import { copySelection } from "./footnotes";
import { Marked } from "./Marked";
import { inParts, isNoted, markWords, type Mark } from "./marks";
import { linkPlaces } from "./places";
import { sections } from "./sections";
import { safeUrl } from "./urls";

type MarkdownProps = {
  text: string;
  /** The findings on the text, by position; none while it streams in. */
  marks?: Mark[];
  /** Id of the answer, for the addresses of its marks. */
  id?: string;
  /** True if blanks are highlighted, as in a draft. */
  blanks?: boolean;
};

const unmarked: Mark[] = [];

/**
 * Renders Markdown written by a model, which may contain anything: HTML is shown as text, no image is ever loaded, and
 * a link leads only to the web or a mailbox, with its address visible.
 */
export default function Markdown({ text, marks = unmarked, id = "", blanks = false }: MarkdownProps) {
  // Text that streams in must not slow down typing.
  const calm = useDeferredValue(text);
  useFootnotes(marks.some(isNoted));
  const parts = useMemo(() => inParts(sections(calm), marks), [calm, marks]);
  return (
    <div className="prose" lang={languageOf(text)}>
      {parts.map((part, index) => (
        <Section key={index} text={part.text} marks={part.marks} id={id} blanks={blanks} />
      ))}
    </div>
  );
}

/** Adds the marks as footnotes to what is selected and copied, if there are any on the page. */
function useFootnotes(any: boolean) {
  const { t } = useTranslation("conversation");
  useEffect(() => {
    if (!any) return;
    const copied = (event: ClipboardEvent) => {
      copySelection(event, t("footnotes.title"));
    };
    document.addEventListener("copy", copied);
    return () => {
      document.removeEventListener("copy", copied);
    };
  }, [any, t]);
}

const plugins = [remarkGfm];

const Section = memo(function Section({ text, marks, id, blanks }: Required<MarkdownProps>) {
  const marked = useMemo(
    () =>
      [[markWords, { marks, source: text }], linkPlaces, ...(blanks ? [markBlanks] : [])] as ComponentProps<
        typeof ReactMarkdown
      >["rehypePlugins"],
    [marks, text, blanks],
  );
  const all = useMemo(() => ({ ...components, mark: markOf(marks, id) }), [marks, id]);
  return (
    <section>
      <ReactMarkdown remarkPlugins={plugins} rehypePlugins={marked} urlTransform={safeUrl} components={all}>
        {text}
      </ReactMarkdown>
    </section>
  );
});

/** Shows a mark with its finding; only markWords makes this element, since HTML is shown as text. */
function markOf(marks: Mark[], id: string): NonNullable<Components["mark"]> {
  return function MarkOf({ node, children }) {
    const { dataMark, dataLast, dataPlain } = node?.properties ?? {};
    const mark = marks.find(({ index }) => index === dataMark);
    if (mark === undefined) return <>{children}</>;
    return (
      <Marked mark={mark} id={id} last={dataLast === "true"} plain={dataPlain === "true"}>
        {children}
      </Marked>
    );
  };
}

const components: Components = {
  a: ({ href, node, children }) => {
    const { dataPage, dataQuote, dataLoose } = node?.properties ?? {};
    if (dataPage === undefined && dataQuote === undefined) return <Link href={href ?? ""}>{children}</Link>;
    const quote = typeof dataQuote === "string" ? dataQuote : null;
    return (
      <EvidenceLink
        quiet
        evidence={{ page: typeof dataPage === "string" ? Number(dataPage) : null, quote, loose: dataLoose === "true" }}
      >
        {children}
      </EvidenceLink>
    );
  },
  img: ({ alt }) => <Picture alt={alt ?? ""} />,
  table: ({ children }) => <Table>{children}</Table>,
  input: ({ checked }) => <span aria-hidden>{checked === true ? "☑ " : "☐ "}</span>,
};

function Link({ href, children }: { href: string; children?: React.ReactNode }) {
  if (href === "") return <>{children}</>;
  const url = new URL(href);
  const address = url.protocol === "mailto:" ? url.pathname : url.host;
  const words = typeof children === "string" ? children.replace(/^https?:\/\//, "") : "";
  const shown = words.startsWith(address) && /^([/?#]|$)/.test(words.slice(address.length));
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!shown && <span className="text-ink-soft"> ({address})</span>}
    </>
  );
}

function Picture({ alt }: { alt: string }) {
  const { t } = useTranslation("conversation");
  return <span className="text-ink-soft">[{t("picture", { alt })}]</span>;
}

function Table({ children }: { children?: React.ReactNode }) {
  const { t } = useTranslation("conversation");
  return (
    // Focusable, so that a wide table can be scrolled with the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-scroll" role="region" aria-label={t("table")} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
