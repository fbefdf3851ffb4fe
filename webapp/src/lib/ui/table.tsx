import { Fragment, type ReactNode } from "react";
import { useMedia } from "./media";

type TableProps = {
  label: string;
  head: string[];
  rows: { key: string; cells: ReactNode[]; below?: ReactNode }[];
  /** On a phone, show each row as a list of its cells, since users overlook columns outside the screen. */
  stacked?: boolean;
  /** The columns of amounts, from 0, which stand one under the other. */
  amounts?: number[];
};

/**
 * A table that scrolls in its own frame on a narrow screen. The first cell of a row is its header; `below` is shown
 * under the row over the whole width.
 */
export function Table({ label, head, rows, stacked = false, amounts = [] }: TableProps) {
  const wide = useMedia("(min-width: 40rem)");
  const aligned = (column: number) => (amounts.includes(column) ? "text-right whitespace-nowrap" : undefined);
  if (stacked && !wide) return <Stack label={label} head={head} rows={rows} />;
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div tabIndex={0} role="group" aria-label={label} className="mt-2 overflow-x-auto border-y border-rule">
      <table className="w-full text-left text-[0.9375rem] [overflow-wrap:normal] tabular-nums [&_td]:px-2 [&_td]:py-2 [&_td]:align-top [&_th]:px-2 [&_th]:py-2 [&_th]:align-top">
        <thead className="text-sm text-ink-soft">
          <tr>
            {head.map((name, index) =>
              name === "" ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col" className={aligned(index)}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-rule border-t border-rule">
          {rows.map(({ key, cells: [first, ...others], below }) => (
            <Fragment key={key}>
              <tr>
                <th scope="row" className="font-medium">
                  {first}
                </th>
                {others.map((cell, index) => (
                  <td key={index} className={aligned(index + 1)}>
                    {cell}
                  </td>
                ))}
              </tr>
              {below !== undefined && below !== false && (
                <tr>
                  <td colSpan={head.length}>{below}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The table as a list for a phone: per row its first cell, then the others, each after the name of its column. */
function Stack({ label, head, rows }: Pick<TableProps, "label" | "head" | "rows">) {
  return (
    <ul aria-label={label} className="mt-2 border-t border-rule text-[0.9375rem] tabular-nums">
      {rows.map(({ key, cells: [first, ...others], below }) => (
        <li key={key} className="border-b border-rule py-2">
          <p className="font-medium break-words">{first}</p>
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
            {others.map((cell, index) => (
              <Fragment key={index}>
                <dt className="text-sm leading-6 text-ink-soft">{head[index + 1]}</dt>
                <dd className="text-right break-words">{cell}</dd>
              </Fragment>
            ))}
          </dl>
          {below}
        </li>
      ))}
    </ul>
  );
}
