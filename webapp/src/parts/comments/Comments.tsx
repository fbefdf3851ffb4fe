import { Fragment, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { toast } from "sonner";
import { sentenceOf, type Comment } from "@/lib/api";
import { ago, moment } from "@/lib/format";
import { Button } from "@/lib/ui/button";
import { cn } from "@/lib/ui/cn";
import { Spinner } from "@/lib/ui/spinner";
import { Works } from "@/lib/works";
import { useColleagues, useComments, type About } from "./useComments";

type CommentsProps = About & {
  /** In a draft: the part and the words that the comments are about; without it, the whole draft. */
  part?: { id: string; quote: string };
  /** The label of the field. */
  label: string;
};

/** The members' comments about something, with a field to add one. */
export function Comments({ part, label, ...about }: CommentsProps) {
  const { comments, add } = useComments(about);
  const shown = about.kind === "draft" ? comments.filter((one) => one.part === (part?.id ?? "")) : comments;
  return (
    <>
      <Said comments={shown} {...about} />
      <Works>
        <Say
          label={label}
          busy={add.isPending}
          onSay={(text, mentions, done) => {
            add.mutate({ text, mentions, part: part?.id ?? "", quote: part?.quote ?? "" }, { onSuccess: done });
          }}
          error={add.error}
        />
      </Works>
    </>
  );
}

/** Comments; settled ones come last, and only on request. */
export function Said({ comments, ...about }: About & { comments: Comment[] }) {
  const { t } = useTranslation("practice");
  const [all, setAll] = useState(false);
  const open = comments.filter(({ settled_at: at }) => at === null);
  const settled = comments.length - open.length;
  return (
    <>
      {comments.length > 0 && (
        <ul className="mt-2 space-y-2 text-[0.9375rem]">
          {(all ? comments : open).map((comment) => (
            <One key={comment.id} comment={comment} {...about} />
          ))}
        </ul>
      )}
      {settled > 0 && (
        <Button
          look="link"
          size="bare"
          className="mt-1 text-sm"
          onClick={() => {
            setAll(!all);
          }}
        >
          {t(all ? "comments.hide" : "comments.show", { count: settled })}
        </Button>
      )}
    </>
  );
}

function One({ comment, ...about }: About & { comment: Comment }) {
  const { t } = useTranslation("practice");
  const { settle, remove } = useComments(about);
  const tell = (error: unknown) => {
    toast.error(sentenceOf(error, t("changeFailed")));
  };
  const elsewhere = comment.about !== about.about;
  return (
    <li className={cn("border-l-2 pl-3", comment.settled_at === null ? "border-accent" : "border-rule text-ink-soft")}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{comment.who}</span>
        <time dateTime={comment.created_at} title={moment(comment.created_at)} className="text-sm text-ink-soft">
          {ago(comment.created_at)}
        </time>
        {elsewhere && <Place comment={comment} />}
      </p>
      {comment.quote !== "" && (
        <p className="line-clamp-2 font-serif text-sm text-ink-soft">
          <q>{comment.quote}</q>
        </p>
      )}
      <p className="break-words whitespace-pre-line">
        <Named text={comment.text} mentions={comment.mentions ?? []} />
      </p>
      <Works>
        <span className="flex flex-wrap gap-x-3">
          <Button
            look="link"
            size="bare"
            className="text-sm"
            disabled={settle.isPending}
            onClick={() => {
              settle.mutate(comment, { onError: tell });
            }}
          >
            {t(comment.settled_at === null ? "comments.settle" : "comments.reopen")}
          </Button>
          {comment.mine && (
            <Button
              look="link"
              size="bare"
              className="text-sm"
              disabled={remove.isPending}
              onClick={() => {
                remove.mutate(comment, { onError: tell });
              }}
            >
              {t("comments.remove")}
            </Button>
          )}
        </span>
      </Works>
    </li>
  );
}

/** A link to what a comment is about. */
export function Place({ comment: { kind, about, title, paper, matter } }: { comment: Comment }) {
  const { t } = useTranslation("practice");
  const to =
    kind === "draft"
      ? `/app/drafts/${about}`
      : kind === "document" && paper !== null
        ? `/app/notices/${paper}`
        : `/app/practice/matters/${matter ?? about}`;
  return (
    <Link to={to} className="min-w-0 text-sm break-words text-accent underline-offset-4 hover:underline">
      {title === "" ? t("comments.matter") : title}
    </Link>
  );
}

/** A text with highlighted names of the mentioned members. */
function Named({ text, mentions }: { text: string; mentions: string[] }) {
  const names = useColleagues()
    .filter(({ id }) => mentions.includes(id))
    .map(({ name }) => `@${name}`)
    .sort((a, b) => b.length - a.length);
  if (names.length === 0) return <>{text}</>;
  const pieces = text.split(
    new RegExp(`(${names.map((name) => name.replace(/[^\p{L}\p{N} @]/gu, "\\$&")).join("|")})`),
  );
  return (
    <>
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {names.includes(piece) ? <span className="font-medium text-accent">{piece}</span> : piece}
        </Fragment>
      ))}
    </>
  );
}

type SayProps = {
  label: string;
  busy: boolean;
  error: Error | null;
  onSay: (text: string, mentions: string[], done: () => void) => void;
};

/** A field in which "@" mentions a colleague. */
function Say({ label, busy, error, onSay }: SayProps) {
  const { t } = useTranslation("practice");
  const colleagues = useColleagues();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const begun = /(?:^|\s)@(\S*)$/.exec(text)?.[1]?.toLocaleLowerCase();
  const offered =
    begun === undefined ? [] : colleagues.filter(({ name }) => name.toLocaleLowerCase().includes(begun)).slice(0, 6);
  return (
    <form
      className="mt-2 max-w-prose"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy || text.trim() === "") return;
        const mentions = colleagues.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id);
        onSay(text, mentions, () => {
          setText("");
        });
      }}
    >
      <textarea
        ref={field}
        value={text}
        rows={2}
        maxLength={5000}
        aria-label={label}
        placeholder={t("comments.hint")}
        className="block w-full rounded-lg border border-rule-strong/60 bg-sheet px-3 py-2 text-[0.9375rem]"
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      {offered.length > 0 && (
        <div role="group" aria-label={t("comments.mention")} className="mt-1 flex flex-wrap gap-1">
          {offered.map(({ id, name }) => (
            <Button
              key={id}
              size="small"
              onClick={() => {
                setText(`${text.slice(0, text.lastIndexOf("@"))}@${name} `);
                field.current?.focus();
              }}
            >
              @{name}
            </Button>
          ))}
        </div>
      )}
      {error !== null && (
        <p role="alert" className="mt-1 text-[0.9375rem] text-overdue">
          {sentenceOf(error, t("changeFailed"))}
        </p>
      )}
      {text.trim() !== "" && (
        <Button type="submit" size="small" className="mt-2" disabled={busy}>
          {busy && <Spinner className="size-4" />}
          {t("comments.say")}
        </Button>
      )}
    </form>
  );
}
