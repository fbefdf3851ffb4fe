import { http, HttpResponse } from "msw";
import { expect, test, vi } from "vitest";
import { server } from "@test/server";
import { followReleases } from "./release";

test("a page that lacks a part of the app is loaded anew, but not in circles, and not while the server is away", async () => {
  const reload = vi.fn();
  const now = vi.spyOn(performance, "now");
  followReleases(reload);
  const asked = vi.fn();
  const fail = () => window.dispatchEvent(new Event("vite:preloadError"));

  now.mockReturnValue(500);
  fail();
  now.mockReturnValue(60_000);
  server.use(
    http.head(
      "*",
      () => {
        asked();
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  fail();
  await vi.waitFor(() => {
    expect(asked).toHaveBeenCalledTimes(1);
  });
  expect(reload).not.toHaveBeenCalled();

  server.use(http.head("*", () => new HttpResponse(null)));
  fail();
  await vi.waitFor(() => {
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
