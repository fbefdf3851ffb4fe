import {
  createBrowserRouter,
  Navigate,
  Outlet,
  redirectDocument,
  useLocation,
  useParams,
  type RouteObject,
} from "react-router";
import { AuthDialogs } from "@/features/account";
import { base } from "@/lib/place";
import { Crash } from "./Crash";
import { Workspace } from "./Workspace";

const firm = () => import("@/features/firm");
const drafts = () => import("@/features/drafts");
const law = () => import("@/features/law");
const templates = () => import("@/features/templates");
const notices = () => import("@/features/notices");
const practice = () => import("@/features/practice");
const billing = () => import("@/features/billing");
const operators = () => import("@/features/operators");
const privacy = () => import("@/features/privacy");
const pluginTab = async () => ({ Component: (await import("./PluginTab")).PluginTab });

/** Redirects /app/notice to Notice Analysis, and the address of a notice below it to that notice. */
function ToNotices() {
  const { "*": rest = "" } = useParams();
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: `/app/notices/${rest}`.replace(/\/$/, ""), search, hash }} replace />;
}

/** All paths of the app; any other path leads to /, which the server answers. */
export const routes: RouteObject[] = [
  {
    path: "/app",
    element: <Workspace />,
    errorElement: <Crash />,
    hydrateFallbackElement: <></>, // while the first tab's code is loading
    children: [
      { index: true, element: <Navigate to="/app/lawyer" replace /> },
      { path: "notices", lazy: async () => ({ Component: (await import("./NoticesTab")).NoticesTab }) },
      { path: "drafts", lazy: async () => ({ Component: (await drafts()).DraftsPage }) },
      { path: "drafts/:id", lazy: async () => ({ Component: (await drafts()).DraftPage }) },
      { path: "notices/:id/choices", lazy: async () => ({ Component: (await notices()).ChoicesPage }) },
      { path: "notices/:id/:place?", lazy: async () => ({ Component: (await notices()).NoticePage }) },
      { path: "law", lazy: async () => ({ Component: (await law()).LawPage }) },
      { path: "law/:act/:number", lazy: async () => ({ Component: (await law()).ProvisionPage }) },
      // The plugin's name, as people write it in links.
      { path: "notice/*", element: <ToNotices /> },
      { path: "templates", lazy: async () => ({ Component: (await templates()).TemplatesPage }) },
      { path: "templates/:id", lazy: async () => ({ Component: (await templates()).TemplatePage }) },
      { path: "receipts/:order", lazy: async () => ({ Component: (await billing()).ReceiptPage }) },
      { path: "operators", lazy: async () => ({ Component: (await operators()).OperatorsPage }) },
      { path: "firm", lazy: async () => ({ Component: (await firm()).FirmPage }) },
      { path: "practice", lazy: async () => ({ Component: (await practice()).TriagePage }) },
      { path: "practice/board", lazy: async () => ({ Component: (await practice()).BoardPage }) },
      { path: "practice/workload", lazy: async () => ({ Component: (await practice()).WorkloadPage }) },
      { path: "practice/search", lazy: async () => ({ Component: (await practice()).SearchPage }) },
      { path: "practice/import", lazy: async () => ({ Component: (await practice()).ImportPage }) },
      { path: "practice/clients", lazy: async () => ({ Component: (await practice()).ClientsPage }) },
      { path: "practice/clients/:id", lazy: async () => ({ Component: (await practice()).ClientPage }) },
      { path: "practice/matters", lazy: async () => ({ Component: (await practice()).MattersPage }) },
      { path: "practice/matters/:id", lazy: async () => ({ Component: (await practice()).MatterPage }) },
      { path: "firms/new", lazy: async () => ({ Component: (await firm()).FoundPage }) },
      { path: "privacy", lazy: async () => ({ Component: (await privacy()).PrivacyPage }) },
      { path: ":plugin", lazy: pluginTab },
      { path: ":plugin/:id", lazy: pluginTab },
    ],
  },
  {
    path: "/app/asked",
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    lazy: async () => ({ Component: (await import("@/features/asked")).AskedPage }),
  },
  {
    path: "/operator",
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    lazy: async () => ({ Component: (await operators()).EnterPage }),
  },
  {
    // The page of an invitation link, with the sign-in dialog if needed.
    path: "/join",
    element: (
      <AuthDialogs subscribe={null}>
        <Outlet />
      </AuthDialogs>
    ),
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    children: [{ index: true, lazy: async () => ({ Component: (await firm()).JoinPage }) }],
  },
  {
    path: "/payment/success",
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    lazy: async () => ({ Component: (await billing()).PaymentSuccess }),
  },
  {
    path: "/erased/:id",
    errorElement: <Crash />,
    hydrateFallbackElement: <></>,
    lazy: async () => ({ Component: (await privacy()).ErasedPage }),
  },
  { path: "*", loader: () => redirectDocument("/") },
];

export const createRouter = () => createBrowserRouter(routes, { basename: base === "" ? "/" : base });
