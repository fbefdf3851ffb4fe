import { useTranslation } from "react-i18next";
import { Toaster } from "sonner";

/** Where short notes appear: below the tabs, which stay at hand. */
export function Toasts() {
  const { t } = useTranslation();
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
