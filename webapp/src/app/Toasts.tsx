import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast, Toaster } from "sonner";
import { onWork } from "@/lib/api";

/** Shows short messages below the tabs, without covering them. */
export function Toasts() {
  const { t } = useTranslation();
  useEffect(
    () =>
      onWork((working) => {
        if (working) toast.loading(t("working"), { id: "work" });
        else toast.dismiss("work");
      }),
    [t],
  );
  return (
    <Toaster
      position="top-center"
      offset={{ top: "4rem" }}
      mobileOffset={{ top: "4rem" }}
      containerAriaLabel={t("notes")}
      className="toaster"
    />
  );
}
