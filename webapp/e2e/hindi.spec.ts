import { expect, fixture, soak, test, wide } from "./test";

test.use({ locale: "hi-IN" });

test("a browser that speaks Hindi is spoken to in it, on every screen and in both themes", async ({
  page,
  accessible,
  picture,
}) => {
  await page.goto("/app/notices");
  await expect(page.getByRole("heading", { name: "शुरू करने के लिए नोटिस अपलोड करें" })).toBeVisible();
  test.slow(); // axe checks fourteen screens
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  for (const [path, heading] of [
    ["/app/lawyer", "AI वकील"],
    ["/app/notices", "शुरू करने के लिए नोटिस अपलोड करें"],
    ["/app/drafting", "कानूनी दस्तावेज़ का मसौदा बनाएँ"],
    ["/app/summary", "दस्तावेज़ का सारांश बनाएँ"],
    ["/app/drafts", "पुराने मसौदे"],
    ["/app/templates", "टेम्पलेट"],
    ["/app/privacy", "गोपनीयता और डेटा"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await page.getByRole("radio", { name: "लाइट" }).click();
    await accessible();
    await page.getByRole("radio", { name: "डार्क" }).click();
    await accessible({ colours: true });
  }
  await picture("hindi-privacy");
  await page.getByRole("button", { name: "साइन इन करें" }).first().click();
  await expect(page.getByRole("dialog", { name: "साइन इन करें" })).toBeVisible();
  await accessible();
});

test("a notice is analysed in Hindi, on a desk and on a phone", soak, async ({ page, accessible, picture }) => {
  test.slow(); // axe checks a whole notice twice
  await page.goto("/app/notices");
  await page.getByRole("button", { name: "नोटिस अपलोड करें" }).first().click();
  await page.getByTestId("file-input").setInputFiles(fixture("drc-01.pdf"));
  await page.waitForURL(/\/app\/notices\/[0-9a-f-]{36}$/);
  const log = page.getByRole("log", { name: "संदेश" });
  await expect(log.getByText("मैंने विश्लेषण के लिए GST का कारण बताओ नोटिस अपलोड किया है...")).toBeVisible();
  // The answer is in Hindi without a model too: the language is passed along with the request.
  await expect(log.getByRole("heading", { name: "कब तक और कैसे जवाब दें" })).toBeVisible();
  const answers = log.getByRole("article", { name: "उत्तर" });
  await expect(answers).toContainText("जवाब देने की आखिरी तारीख 6 जनवरी 2025 है");
  await expect(answers).not.toContainText("language model");
  await expect(page.getByTestId("live-turn")).toHaveCount(0);
  const facts = page.getByRole("complementary", { name: "नोटिस क्या कहता है" });
  await expect(facts).toContainText("फ़ॉर्म DRC-01");
  await expect(facts).toContainText("6 जनवरी 2025");
  await expect(facts).toContainText("₹9,68,058");
  await expect(facts).toContainText("देर से आया लगता है");
  await accessible();
  await picture("hindi-notice");

  const box = page.getByPlaceholder("अपना संदेश लिखें...");
  await box.fill("उत्तर कब तक देना है?");
  await box.press("Enter");
  await expect(answers.nth(1)).toContainText("जवाब देने की आखिरी तारीख 6 जनवरी 2025 है");

  // Answers may be wanted in another language than that of the interface.
  await page.getByLabel("उत्तर की भाषा").selectOption("en");
  await box.fill("And when is the hearing?");
  await box.press("Enter");
  await expect(answers.nth(2)).toContainText("13 January 2025 at 11:30");

  await page.setViewportSize({ width: 320, height: 640 });
  await expect(page.getByRole("navigation", { name: "मुख्य हिस्से" })).toBeVisible();
  await expect.poll(() => wide(page)).toBeLessThanOrEqual(320);
  await accessible();
  await picture("hindi-phone");
});

test("what the server refuses is said in Hindi", async ({ page, clean }) => {
  clean.allow(/415/);
  await page.goto("/app/notices");
  await page.getByRole("button", { name: "नोटिस अपलोड करें" }).first().click();
  await page
    .getByTestId("file-input")
    .setInputFiles({ name: "fake.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF at all") });
  await expect(page.getByText("कृपया PDF, JPEG, PNG, WebP या HEIC फ़ाइल अपलोड करें").first()).toBeVisible();
});
