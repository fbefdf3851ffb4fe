import { useTranslation } from "react-i18next";

/** Says what becomes of the PDFs that were chosen together with photographs; nothing where there are none. */
export function WithPhotographs({ files }: { files: File[] }) {
  const { t } = useTranslation("conversation");
  if (files.length === 0) return null;
  const names = files.map((file) => file.name).join(", ");
  return <p className="mt-3 text-[0.9375rem] break-words">{t("photographs.with", { names })}</p>;
}
