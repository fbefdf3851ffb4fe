import { Fragment, useId, type ReactNode } from "react";

/** A part of the page under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="font-serif text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

type TableProps = { label: string; head: string[]; rows: { key: string; cells: ReactNode[]; below?: ReactNode }[] };

/** A table that scrolls in a frame of its own where the screen is narrow. The first cell of a row names it; what is below it has its whole width. */
export function Table({ label, head, rows }: TableProps) {
  return (
    // Focusable, so that a keyboard can scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div tabIndex={0} role="group" aria-label={label} className="mt-2 overflow-x-auto border-y border-rule">
      <table className="w-full text-left text-[0.9375rem] [overflow-wrap:normal] tabular-nums [&_td]:px-2 [&_td]:py-2 [&_td]:align-top [&_th]:px-2 [&_th]:py-2 [&_th]:align-top">
        <thead className="text-sm text-ink-soft">
          <tr>
            {head.map((name, index) => (name === "" ? <td key={index} /> : <th key={index} scope="col">{name}</th>))}
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
                  <td key={index}>{cell}</td>
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

type PickProps = { label: string; value: string; options: { value: string; name: string }[]; onPick: (value: string) => void };

/** A choice of one from a list. */
export function Pick({ label, value, options, onPick }: PickProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm text-ink-soft">
        {label}
      </label>
      <select
        id={id}
        value={value}
        className="mt-1 min-h-11 w-full max-w-full rounded-lg border border-rule-strong bg-sheet px-3"
        onChange={(event) => {
          onPick(event.target.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  );
}
