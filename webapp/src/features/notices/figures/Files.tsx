import { useTranslation } from "react-i18next";
import type { FigureFile } from "@/lib/api";
import { count } from "@/lib/format";
import { say } from "@/lib/message";
import { RemoveButton } from "@/lib/ui/remove";
import { Table } from "@/lib/ui/table";
import { Columns, type Chosen } from "./Columns";
import { rupees, span } from "./words";

type Props = {
  files: FigureFile[];
  onRemove: ((file: FigureFile) => void) | null;
  onChoose: ((file: FigureFile, columns: Chosen) => void) | null;
};

/** Lists the files with what was read from each, or why it was refused. */
export function Files({ files, onRemove, onChoose }: Props) {
  const { t } = useTranslation("figures");
  return (
    <Table
      stacked
      amounts={[3, 4]}
      label={t("files.title", { count: files.length })}
      head={[t("files.file"), t("files.as"), t("files.months"), t("files.rows"), t("files.tax"), ""]}
      rows={files.map((file) => ({
        key: file.id,
        cells: [
          <span key="name" className="block min-w-36 wrap-anywhere">
            {file.name}
          </span>,
          file.state === "read" ? file.format : t(`files.${file.state}`),
          span(file.from, file.to),
          file.state === "read" ? count(file.rows) : "",
          file.tax === 0 ? "" : rupees(file.tax),
          <RemoveButton
            key="remove"
            className="-my-1"
            disabled={onRemove === null}
            title={t("files.remove", { name: file.name })}
            label={t("files.remove", { name: file.name })}
            onRemove={() => {
              onRemove?.(file);
            }}
          />,
        ],
        below: hasMore(file) ? <About file={file} onChoose={onChoose} /> : undefined,
      }))}
    />
  );
}

const hasMore = ({ problem, notes, left_out: leftOut, columns }: FigureFile) =>
  problem !== null || (notes ?? []).length > 0 || (leftOut ?? []).length > 0 || Object.keys(columns).length > 0;

/** Details of a file: why it was refused, notes, rows left out, and the columns used. */
function About({ file, onChoose }: Pick<Props, "onChoose"> & { file: FigureFile }) {
  const { t, i18n } = useTranslation("figures");
  const { problem, left_out: leftOut, notes } = file;
  if (problem !== null)
    return (
      <p role="alert" className="text-overdue">
        {say(problem.said)}
      </p>
    );
  const columns = Object.entries(file.columns);
  return (
    <div className="text-sm text-ink-soft">
      {(notes ?? []).map((note) =>
        i18n.exists(`figures:files.${note}`) ? <p key={note}>{t(`files.${note as "macros"}`)}</p> : null,
      )}
      {leftOut !== null && leftOut.length > 0 && (
        <details>
          <summary className="cursor-pointer">{t("files.leftOut", { count: leftOut.length })}</summary>
          <ul className="mt-1 columns-2 gap-6">
            {leftOut.map(({ sheet, row, why }, index) => (
              <li key={index}>
                {sheet !== "" && `${sheet}, `}
                {t("files.row", { row })}:{" "}
                {i18n.exists(`figures:files.why.${why}`) ? t(`files.why.${why as "total"}`) : why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {file.table !== null ? (
        <Columns
          key={JSON.stringify(file.table.taken)}
          table={file.table}
          disabled={onChoose === null}
          onChoose={(chosen) => onChoose?.(file, chosen)}
        />
      ) : (
        columns.length > 0 && (
          <details>
            <summary className="cursor-pointer">{t("columns.title")}</summary>
            <p className="mt-1">{columns.map(([value, column]) => `${value}: ${column}`).join(" · ")}</p>
          </details>
        )
      )}
    </div>
  );
}
