import { readFileSync } from "node:fs";
import { expect, fixture, signUp, soak, test, wide } from "./test";

// The server's part of uploads is tested in orchestrator/app (intake, matters); this test covers the screens.
test(
  "a firm uploads documents together, looks through them, and assigns a matter",
  soak,
  async ({ page, picture, accessible, clean }) => {
    clean.allow(/401|404/);
    await signUp(page);
    // A person without a firm sees nothing of firms.
    await expect(page.getByRole("link", { name: "Matters" })).toHaveCount(0);
    await page.goto("/app/firms/new");
    const form = page.locator("main form");
    await form.getByRole("textbox").first().fill("Rao & Associates");
    await form.getByRole("textbox").nth(1).fill("Asha Rao");
    await form.getByRole("button", { name: "Set up the firm" }).click();
    await page.waitForURL(/\/firm\/[0-9a-f-]{36}\//);
    await page.getByRole("link", { name: "Matters" }).click();
    await expect(page.getByRole("heading", { name: "New documents", level: 1 })).toBeVisible();
    await expect(page.getByText("Nothing new to look at.")).toBeVisible();
    await accessible();
    await picture("intake-empty");

    const pdf = (name: string, file: string) => ({
      name,
      mimeType: "application/pdf",
      buffer: readFileSync(fixture(file)),
    });
    await page
      .getByTestId("intake-input")
      .setInputFiles([
        pdf("show cause.pdf", "drc-01.pdf"),
        pdf("show cause (1).pdf", "drc-01.pdf"),
        pdf("broken.pdf", "damaged.pdf"),
        pdf("registration.pdf", "reg-17-scan.pdf"),
        pdf("no date.pdf", "open-date.pdf"),
      ]);
    const list = page.getByRole("region", { name: "To look at" });
    await expect(list.getByRole("listitem").filter({ has: page.getByRole("button", { name: /Delete/ }) })).toHaveCount(
      3,
    );
    await expect(page.getByRole("region", { name: "Recent uploads" })).toContainText("reading complete");
    const refused = page.getByRole("region", { name: "Not accepted" });
    await expect(refused).toContainText("This PDF is damaged");
    await expect(refused).toContainText("Uploaded before");
    await accessible();
    await picture("intake");
    await page.screenshot({ path: "screenshots/firm-triage.png", fullPage: true });

    await list
      .getByRole("button", { name: /Choose where/ })
      .first()
      .click();
    await expect(page.getByRole("dialog", { name: "Where does it belong?" })).toBeVisible();
    await accessible();
    await picture("intake-choose");
    await page.screenshot({ path: "screenshots/firm-choose.png" });
    await page.keyboard.press("Escape");

    await list.getByRole("combobox").first().selectOption({ label: "Asha Rao" });
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible({ colours: true });
    await page.screenshot({ path: "screenshots/firm-triage-dark.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-triage-phone-dark.png" });
    await page.emulateMedia({ colorScheme: "light" });
    const rows = page.locator("main ul").last();
    await rows.scrollIntoViewIfNeeded();
    await page.screenshot({ path: "screenshots/firm-triage-phone.png" });
    await page.setViewportSize({ width: 1440, height: 900 });

    await list
      .getByRole("button", { name: /Accept/ })
      .first()
      .click();
    await expect(list.getByRole("button", { name: /Delete/ })).toHaveCount(2);
    await page.getByRole("link", { name: "Matters", exact: true }).last().click();
    await expect(page.getByRole("heading", { name: "Matters", level: 1 })).toBeVisible();
    await expect(page.getByText(/\d matters?$/)).toBeVisible();
    await accessible();
    await picture("matters");
    await page.screenshot({ path: "screenshots/firm-matters.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-matters-phone.png" });
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
    await expect(page.getByRole("heading", { name: "Notices and orders" })).toBeVisible();
    await page.getByLabel("State").selectOption("drafting");
    await expect(page.getByText("changed the state: Drafting")).toBeVisible();
    await accessible();
    await picture("matter");
    await page.screenshot({ path: "screenshots/firm-matter.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-matter-phone.png", fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("radio", { name: "हिन्दी" }).click();
    await expect(page.getByRole("heading", { name: "नोटिस और आदेश" })).toBeVisible();
    await page.screenshot({ path: "screenshots/firm-matter-hindi.png", fullPage: true });
    await page.getByRole("navigation", { name: "मामले और नए दस्तावेज़" }).getByRole("link", { name: "नए दस्तावेज़" }).click();
    await expect(page.getByRole("heading", { name: "देखना बाकी" })).toBeVisible();
    await accessible();
    await page.screenshot({ path: "screenshots/firm-triage-hindi.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/firm-triage-hindi-phone.png" });
  },
);

const register = `Register of notices
Sr. No.,Name of Assessee,GSTIN,F.Y.,Type of Notice,DIN/RFN,Notice Date,Due Date of Reply,Amount Involved (Rs.),Jurisdiction,Status,Handled by,Remarks
1,Nandi Foods,29AAPFU0939F1ZR,2021-22,ASMT-10,ZD290924009988D,02/09/2024,02/10/2024,"1,00,000","Range IV, Mysuru",Pending,Asha Rao,ITC
2,,,2021-22,DRC-01A,ZD291124007766E,05/11/2024,05/12/2099,"1,00,000","Range IV, Mysuru",Draft,Nobody Known,
3,Old Mill Private Limited,,2018-19,SCN,,not a day,01/02/2099,,Pune-4,On hold,,
4,,,,,,,,,,,,
5,Nandi Foods,29AAPFU0939F1ZR,2021-22,ASMT-10,ZD290924009988D,02/09/2024,02/10/2024,"1,00,000",,Pending,,
`;

const portal = [
  "Notice/Demand Order Id\tIssued By\tType\tNotice/Order Description\tDate of Issuance\tDue Date\tAmount of Demand\tDownload",
  "ZD290924009988D\tRange IV\tNOTICE\tNotice ASMT-10\t02/09/2024\t02/10/2024\tNA\tDownload",
  "ZD290125001234F\tRange IV\tNOTICE\tShow cause notice DRC-01 for F.Y. 2021-22\t10/01/2025\t09/02/2099\t1,18,000.00\tDownload",
].join("\n");

// The contents of rows and tables are tested in orchestrator/app (matters) and orchestrator/practice.
test(
  "a firm imports the register that it kept, and looks for notices on the portal",
  soak,
  async ({ page, picture, accessible, clean }) => {
    clean.allow(/401|404/);
    await page.setViewportSize({ width: 1440, height: 1700 }); // pages scroll in a frame of their own
    await signUp(page);
    await page.goto("/app/firms/new");
    const form = page.locator("main form");
    await form.getByRole("textbox").first().fill("Rao & Associates");
    await form.getByRole("textbox").nth(1).fill("Asha Rao");
    await form.getByRole("button", { name: "Set up the firm" }).click();
    await page.waitForURL(/\/firm\/[0-9a-f-]{36}\//);
    await page.getByRole("link", { name: "Matters" }).click();
    await expect(page.getByRole("heading", { name: "New documents", level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Matters", exact: true }).last().click();
    await page.getByRole("link", { name: "Import a register" }).click();
    await page
      .getByTestId("register-input")
      .setInputFiles({ name: "register.csv", mimeType: "text/csv", buffer: Buffer.from(register) });
    await expect(page.getByRole("heading", { name: "What each row will create" })).toBeVisible();
    await expect(page.getByText("not a day is not a date", { exact: false })).toBeVisible();
    await accessible();
    await picture("register-import");
    await page.screenshot({ path: "screenshots/import.png", fullPage: true });
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible({ colours: true });
    await page.screenshot({ path: "screenshots/import-dark.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 2600 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/import-phone-dark.png", fullPage: true });
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1440, height: 1700 });
    await page.getByRole("button", { name: "Import 3 rows" }).press("Enter");
    await expect(page.getByText("The register has been imported.")).toBeVisible();
    await accessible();
    await page.screenshot({ path: "screenshots/import-done.png", fullPage: true });

    await page.getByRole("link", { name: "Clients", exact: true }).click();
    await expect(page.getByText("2 clients")).toBeVisible();
    await accessible();
    await page.screenshot({ path: "screenshots/clients.png" });
    await page.getByRole("link", { name: "Nandi Foods" }).click();
    await page.getByLabel("Paste the table here").fill(portal);
    await page.getByRole("button", { name: "Check the table" }).click();
    await expect(page.getByText("2 notices are on the portal, but their documents are not here:")).toBeVisible();
    await expect(page.getByRole("button", { name: "Upload the document of DRC-01 ZD290125001234F" })).toBeVisible();
    await accessible();
    await picture("portal");
    await page.screenshot({ path: "screenshots/client.png", fullPage: true });
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible({ colours: true });
    await page.screenshot({ path: "screenshots/client-dark.png", fullPage: true });
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 360, height: 2600 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/client-phone.png", fullPage: true });
    await page.setViewportSize({ width: 1440, height: 1700 });
    await page.getByRole("radio", { name: "हिन्दी" }).click();
    await expect(page.getByRole("heading", { name: "पोर्टल पर नोटिस" })).toBeVisible();
    await accessible();
    await page.screenshot({ path: "screenshots/client-hindi.png", fullPage: true });
    await page.goBack();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "रजिस्टर इंपोर्ट करें" })).toBeVisible();
    await page.screenshot({ path: "screenshots/import-hindi.png", fullPage: true });
    await page.setViewportSize({ width: 360, height: 2600 });
    expect(await wide(page)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: "screenshots/import-hindi-phone.png", fullPage: true });
  },
);
