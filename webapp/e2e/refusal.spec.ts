import { expect, fixture, test } from "./test";

const pdf = "application/pdf";
const upload = (name: string, mimeType: string, content: string) => ({ name, mimeType, buffer: Buffer.from(content) });

// Refused files, with the sentence for each; those without the type of a PDF never reach the server.
const refused: [string, string | ReturnType<typeof upload>, RegExp][] = [
  [
    "a text file",
    upload("letter.txt", "text/plain", "Dear Sir"),
    /^Please upload a PDF, JPEG, PNG, WebP or HEIC file$/,
  ],
  [
    "a text file named .pdf",
    upload("letter.pdf", pdf, "Dear Sir"),
    /^Please upload a PDF, JPEG, PNG, WebP or HEIC file$/,
  ],
  ["an empty file", upload("empty.pdf", pdf, ""), /empty/],
  ["a locked PDF", fixture("encrypted.pdf"), /password/],
  ["a damaged PDF", fixture("damaged.pdf"), /damaged/],
];

test("what cannot be read is refused with its sentence, and the next file is taken", async ({
  page,
  notices,
  clean,
}) => {
  clean.allow(/Failed to load resource/);
  await notices.open();
  await page.getByRole("button", { name: "Upload Notice" }).click();
  const dialog = page.getByRole("dialog", { name: "Upload Notice" });
  for (const [what, file, sentence] of refused) {
    await test.step(what, async () => {
      await notices.choose(file);
      await expect(dialog.getByRole("alert")).toHaveText(sentence);
      await expect(dialog.getByText("Click to upload or drag and drop")).toBeVisible();
    });
  }
  await notices.choose(fixture("drc-01.pdf"));
  await page.waitForURL(/\/app\/notices\/[0-9a-f-]{36}$/);
  await notices.answered(1);
});

test("the refusal is readable for everyone", async ({ page, notices, picture, accessible }) => {
  await notices.open();
  await page.getByRole("button", { name: "Upload Notice" }).click();
  await notices.choose(upload("letter.txt", "text/plain", "Dear Sir"));
  await expect(page.getByRole("alert")).toBeVisible();
  await picture("refused");
  await accessible();
});
