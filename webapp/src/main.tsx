import "@/app/styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { followReleases } from "@/app/release";
import { createRouter } from "@/app/routes";
import { Toasts } from "@/app/Toasts";
import { createQueryClient } from "@/lib/api";
import { startTexts } from "@/lib/i18n";
import { followTheme } from "@/lib/theme/theme";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

followTheme();
followReleases(() => {
  window.location.reload();
});
await startTexts();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createRouter()} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
