import { act, fireEvent, screen } from "@testing-library/react";
import { Link, Outlet } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { renderRoutes } from "@test/render";
import { useKeptScroll } from "./useKeptScroll";

afterEach(() => {
  vi.restoreAllMocks();
});

function List() {
  const inside = useKeptScroll(true);
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

it("goes back to where the list was, and begins a new visit at the top", async () => {
  const { router, user, page, scroll } = show();
  scroll(240);
  await user.click(screen.getByRole("link"));
  await screen.findByText("the notice");
  await act(() => router.navigate(-1));
  expect(page().scrollTop).toBe(240);
  scroll(260);
  await act(() => router.navigate("/notice"));
  await act(() => router.navigate("/"));
  expect(page().scrollTop).toBe(0);
  scroll(20);
  expect(Object.keys(sessionStorage)).toEqual(["munshi.scroll"]); // of the latest place alone
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
