import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { Toaster } from "sonner";
import { expect, it } from "vitest";
import { renderElement } from "@test/render";
import { hold, server } from "@test/server";
import type { PrivacyState } from "@/lib/api";
import { PrivacyPage } from "./PrivacyPage";

const known: PrivacyState = { mask: false, activity: [], kept_until: "", payments: 0 };

it("masks from the moment it is switched on, and not where that could not be saved", async () => {
  server.use(http.get("*/api/privacy", () => HttpResponse.json(known)));
  const { answer, sent } = hold("*/api/privacy");
  const { user } = renderElement(
    <>
      <PrivacyPage />
      <Toaster />
    </>,
  );
  const mask = await screen.findByRole<HTMLInputElement>("switch", { name: "Mask names, GSTINs and PANs" });
  await user.click(mask);
  expect(mask.checked).toBe(true);
  expect(mask.disabled).toBe(false);
  await answer(HttpResponse.json({}, { status: 500 }));
  expect(await screen.findByText("This could not be saved. Please try again.")).toBeTruthy();
  expect(mask.checked).toBe(false);
  expect(sent).toEqual([{ mask: true }]);
});
