import { ArrowDown, ArrowUp, ImagePlus, Image as Picture, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/lib/ui/button";
import { focusNeighbour } from "@/lib/ui/neighbour";
import { CameraButton, PickPhotographs } from "./PickPhotographs";

type Props = {
  /** The photographs of one paper, in the order of its pages. */
  pages: File[];
  disabled: boolean;
  onChange: (pages: File[]) => void;
  /** Gets photographs to add. */
  onMore: (files: File[]) => void;
};

/** The photographs of one paper: they can be reordered, removed and added. */
export default function PhotographPages({ pages, disabled, onChange, onMore }: Props) {
  const { t } = useTranslation("conversation");
  const swap = (at: number, by: number) => {
    const moved = [...pages];
    const [page] = moved.splice(at, 1);
    if (page !== undefined) moved.splice(at + by, 0, page);
    onChange(moved);
  };
  return (
    <div>
      <p className="text-[0.9375rem]">{t("photographs.hint")}</p>
      <ol className="mt-3 max-h-[50dvh] divide-y divide-rule overflow-y-auto rounded-xl border border-rule bg-paper">
        {pages.map((page, at) => (
          <li key={`${page.name}-${String(page.lastModified)}-${String(at)}`} className="flex items-center gap-3 p-2">
            <Thumbnail file={page} />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{t("photographs.page", { number: at + 1 })}</span>
              <span className="block truncate text-sm text-ink-soft">{page.name}</span>
            </span>
            <Button
              look="quiet"
              size="icon"
              disabled={disabled || at === 0}
              aria-label={t("photographs.up", { number: at + 1 })}
              onClick={() => {
                swap(at, -1);
              }}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              look="quiet"
              size="icon"
              disabled={disabled || at === pages.length - 1}
              aria-label={t("photographs.down", { number: at + 1 })}
              onClick={() => {
                swap(at, 1);
              }}
            >
              <ArrowDown aria-hidden />
            </Button>
            <Button
              look="quiet"
              size="icon"
              disabled={disabled}
              aria-label={t("photographs.remove", { number: at + 1 })}
              onClick={(event) => {
                focusNeighbour(event.currentTarget);
                onChange(pages.filter((_, other) => other !== at));
              }}
            >
              <Trash2 aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <CameraButton disabled={disabled} words={t("photographs.next")} onFiles={onMore} />
        <PickPhotographs disabled={disabled} onFiles={onMore}>
          <ImagePlus aria-hidden />
          {t("photographs.add")}
        </PickPhotographs>
      </div>
    </div>
  );
}

/** A thumbnail of a photograph; an icon if the browser cannot show it, as most cannot show HEIC. */
function Thumbnail({ file }: { file: File }) {
  const [broken, setBroken] = useState(false);
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (picture.current !== null) picture.current.src = url;
    return () => {
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return (
    <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-lg border border-rule bg-sheet">
      {broken ? (
        <Picture aria-hidden className="size-6 text-ink-soft" />
      ) : (
        <img
          ref={picture}
          alt={""}
          className="size-full object-cover"
          onError={() => {
            setBroken(true);
          }}
        />
      )}
    </span>
  );
}
