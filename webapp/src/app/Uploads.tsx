import { CircleAlert, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { onItsWay, useUploads } from "@/parts/conversation/useUploadEach";

/** Shows the progress of running uploads on other pages, with a link to the page that lists them. */
export function Uploads() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const files = useUploads();
  const home = files[0]?.plugin === "notice" ? "/app/notices" : `/app/${files[0]?.plugin ?? ""}`;
  const failed = files.filter(({ state }) => state === "failed").length;
  const sending = files.some(onItsWay);
  if (pathname === home || (!sending && failed === 0)) return null;
  const sent = files.filter(({ state }) => state === "sent").length;
  const Icon = failed > 0 ? CircleAlert : Upload;
  return (
    <p className="flex items-center gap-3 border-b border-rule bg-accent-soft px-4 py-1.5 text-[0.9375rem] lg:px-6">
      <Icon aria-hidden className={failed > 0 ? "size-4 shrink-0 text-due" : "size-4 shrink-0 text-accent"} />
      <span>
        {sending ? t("uploads.sending", { sent, count: files.length }) : t("uploads.failed", { count: failed })}{" "}
        <Link to={home} className="rounded font-medium text-accent underline underline-offset-2">
          {t("uploads.look")}
        </Link>
      </span>
    </p>
  );
}
