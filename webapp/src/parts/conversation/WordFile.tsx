import { useRef, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { sentenceOf, wordFile } from "@/lib/api";

/** A link that downloads a Word file; if that fails, it says why and offers to try again. */
export function WordFile({
  href,
  onClick,
  children,
  ...props
}: Omit<ComponentProps<"a">, "href" | "download"> & { href: string }) {
  const { t } = useTranslation("conversation");
  const busy = useRef(false);
  const save = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const { name, content } = await wordFile(href);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(content);
      link.download = name;
      link.click();
      setTimeout(() => {
        URL.revokeObjectURL(link.href);
      }, 60_000);
    } catch (error) {
      toast.error(sentenceOf(error, t("wordFailed")), { action: { label: t("retry"), onClick: () => void save() } });
    } finally {
      busy.current = false;
    }
  };
  return (
    <a
      {...props}
      href={href}
      download
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void save();
      }}
    >
      {children}
    </a>
  );
}
