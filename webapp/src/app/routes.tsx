import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { ComingPage } from "@/features/coming/ComingPage";
import { Crash } from "./Crash";
import { Workspace } from "./Workspace";

const notices = () => import("@/features/notices");

/** Every path of the app; what is not here leads to /. */
export const routes: RouteObject[] = [
  { path: "/", element: <Navigate to="/app" replace /> },
  {
    path: "/app",
    element: <Workspace />,
    errorElement: <Crash />,
    hydrateFallbackElement: <></>, // the first tab's code is on its way
    children: [
      { index: true, element: <Navigate to="/app/lawyer" replace /> },
      { path: "lawyer", element: <ComingPage what="lawyer" /> },
      { path: "notices", lazy: async () => ({ Component: (await notices()).NoticesPage }) },
      { path: "notices/:id", lazy: async () => ({ Component: (await notices()).NoticePage }) },
      { path: "drafting", element: <ComingPage what="drafting" /> },
      { path: "summary", element: <ComingPage what="summary" /> },
    ],
  },
  { path: "*", element: <Navigate to="/" replace /> },
];

export const createRouter = () => createBrowserRouter(routes);
