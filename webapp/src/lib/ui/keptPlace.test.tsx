import { act, fireEvent, screen } from "@testing-library/react";
import { Link, Outlet } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { renderRoutes } from "@test/render";
import { useKeptPlace } from "./keptPlace";

afterEach(() => {
  vi.restoreAllMocks();
});

function List() {
  const inside = useKeptPlace<HTMLElement>(true);
  return (
    <div data-testid="page" style={{ overflowY: "auto" }}>
      <section ref={inside}>
        <Link to="/notice">a notice</Link>
      </section>
    </div>
  );
}

function show() {
  const view = renderRoutes(
    [
      {
        element: <Outlet />,
        errorElement: <p>This page stopped working</p>,
        children: [
          { path: "/", element: <List /> },
          { path: "/notice", element: <p>the notice</p> },
        ],
      },
    ],
    "/",
  );
  const page = () => screen.getByTestId("page");
  const scroll = (top: number) => {
    page().scrollTop = top;
    fireEvent.scroll(page());
  };
  return { ...view, page, scroll };
}

it("finds the list as it was left, by Back and by a link", async () => {
  const { router, user, page, scroll } = show();
  scroll(240);
  await user.click(screen.getByRole("link"));
  await screen.findByText("the notice");
  await act(() => router.navigate(-1));
  expect(page().scrollTop).toBe(240);
  scroll(260);
  await act(() => router.navigate("/notice"));
  await act(() => router.navigate("/"));
  expect(page().scrollTop).toBe(260);
});

it("puts the filters back, but not over those that a link names, and begins another view at its top", async () => {
  const { router, page, scroll } = show();
  await act(() => router.navigate({ hash: "sort=client" }, { replace: true }));
  scroll(300);
  await act(() => router.navigate("/notice"));
  await act(() => router.navigate("/"));
  expect(router.state.location.hash).toBe("#sort=client");
  expect(page().scrollTop).toBe(300);
  // The person removes the filters on the list itself.
  await act(() => router.navigate({ hash: "" }));
  expect(router.state.location.hash).toBe("");
  await act(() => router.navigate({ hash: "sort=client" }));
  scroll(310);
  await act(() => router.navigate("/notice"));
  await act(() => router.navigate("/?page=2#view=done"));
  expect(router.state.location).toMatchObject({ search: "?page=2", hash: "#view=done" });
  expect(page().scrollTop).toBe(0);
});

it("does without storage where there is none, or it is full", () => {
  const refuse = () => {
    throw new DOMException("no storage", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(refuse);
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
  const thrown = vi.fn();
  window.addEventListener("error", thrown);
  const { scroll } = show();
  scroll(240);
  window.removeEventListener("error", thrown);
  expect(screen.getByRole("link")).toBeTruthy();
  expect(full).toHaveBeenCalled();
  expect(thrown).not.toHaveBeenCalled();
});
