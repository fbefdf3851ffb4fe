import { memo, useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { sections } from "./sections";

/**
 * Markdown that a model wrote, and so may carry anything: HTML is shown as text, no picture is ever
 * fetched, and a link leads only to the web or a mailbox, with its address in plain sight.
 */
export default function Markdown({ text }: { text: string }) {
  // Text that streams in must not hold up typing.
  const calm = useDeferredValue(text);
  const parts = useMemo(() => sections(calm), [calm]);
  return (
    <div className="prose">
      {parts.map((part, index) => (
        <Section key={index} text={part} />
      ))}
    </div>
  );
}

const plugins = [remarkGfm];

const Section = memo(function Section({ text }: { text: string }) {
  return (
    <section>
      <ReactMarkdown remarkPlugins={plugins} urlTransform={safeUrl} components={components}>
        {text}
      </ReactMarkdown>
    </section>
  );
});

const components: Components = {
  a: ({ href, children }) => <Link href={href ?? ""}>{children}</Link>,
  img: ({ alt }) => <Picture alt={alt ?? ""} />,
  table: ({ children }) => <Table>{children}</Table>,
  input: ({ checked }) => <span aria-hidden>{checked === true ? "☑ " : "☐ "}</span>,
};

/** The address itself when it is for the web or for mail, else nothing. */
function safeUrl(url: string): string {
  try {
    const { protocol } = new URL(url);
    return protocol === "https:" || protocol === "http:" || protocol === "mailto:" ? url : "";
  } catch {
    return "";
  }
}

function Link({ href, children }: { href: string; children?: React.ReactNode }) {
  if (href === "") return <>{children}</>;
  const url = new URL(href);
  const address = url.protocol === "mailto:" ? url.pathname : url.host;
  const shown = typeof children === "string" && children.includes(address);
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
    // Focusable, so that a keyboard can scroll what is too wide.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-scroll" role="region" aria-label={t("table")} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
