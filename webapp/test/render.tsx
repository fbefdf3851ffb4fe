import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { onTestFinished } from "vitest";
import { createMemoryRouter, RouterProvider, type InitialEntry, type RouteObject } from "react-router";
import { createQueryClient } from "@/lib/api";

/** Renders routes as the app does, at a path. */
export function renderRoutes(routes: RouteObject[], path: InitialEntry) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const user = userEvent.setup({ applyAccept: false });
  const client = createQueryClient();
  onTestFinished(() => {
    client.clear(); // nothing is asked again in a later test
  });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, user, queries: client };
}

/** Renders one element where a query or a link may be used. */
export function renderElement(element: ReactNode) {
  return renderRoutes([{ path: "*", element }], "/");
}
