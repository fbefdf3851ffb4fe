import { expect, Notices, signUp, test } from "./test";

const password = "a good password";

test("two free uses, the limit, an account with the work in it, and out again", async ({
  page,
  picture,
  accessible,
  clean,
  browser,
  baseURL,
}) => {
  clean.allow(/status of 40[124]/); // refused, wrong password, another person's
  const email = `asha-${String(Date.now())}@example.com`;
  const talk = new Notices(page);
  await page.goto("/app/lawyer");
  const box = page.getByRole("textbox", { name: "Ask your legal question..." });
  const menu = page.getByRole("complementary", { name: "Menu" });
  await expect(menu.getByText("2 free uses left")).toBeVisible();
  await box.fill("Must I reply to a notice?");
  await box.press("Enter");
  await talk.answered(1);
  await expect(menu.getByText("1 free use left")).toBeVisible();
  const conversation = page.url();
  await box.fill("And by when?");
  await box.press("Enter");
  await talk.answered(2);
  await expect(menu.getByText("No free uses left")).toBeVisible();
  await box.fill("What if I do not?");
  await box.press("Enter");
  const limit = page.getByRole("dialog", { name: "Free Trial Limit Reached" });
  await expect(limit).toBeVisible();
  await expect(limit.getByText("New users create an account when signing in.")).toBeVisible();
  await accessible();
  await picture("limit");
  await expect(limit.getByText("You get 2 more free uses.")).toBeVisible();
  await expect(limit.getByRole("button", { name: "Subscribe" })).toBeVisible();
  await limit.getByRole("button", { name: "Sign In to Continue" }).click();

  const signIn = page.getByRole("dialog", { name: "Sign in" });
  await signIn.getByLabel("E-mail").fill(email);
  await signIn.getByLabel("Password").fill("not yet one");
  await signIn.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(signIn.getByRole("alert")).toHaveText("The e-mail address or the password is not correct.");
  await accessible();
  await picture("sign-in");
  await signIn.getByRole("button", { name: "No account yet? Sign up" }).click();
  const form = page.getByRole("dialog", { name: "Sign up" });
  await expect(form.getByLabel("E-mail")).toHaveValue(email);
  await form.getByLabel("Password").fill(password);
  await expect(form.getByRole("button", { name: "Create account" })).toBeDisabled();
  await form.getByRole("checkbox").check();
  await accessible();
  await picture("sign-up");
  await form.getByRole("button", { name: "Create account" }).click();
  await expect(menu.getByText(`Signed in as ${email}`)).toBeVisible();
  await expect(page).toHaveURL(conversation);
  await expect(talk.answers()).toHaveCount(2);
  await expect(box).toHaveValue("What if I do not?"); // the typed text is still there
  await box.press("Enter");
  await talk.answered(3);
  await picture("signed-in");

  // On another device, where somebody had already asked something as a visitor.
  const phone = await browser.newPage({ viewport: { width: 320, height: 700 }, baseURL });
  await phone.goto("/app/lawyer");
  await phone.getByRole("textbox", { name: "Ask your legal question..." }).fill("Asked on the phone");
  await phone.keyboard.press("Enter");
  await new Notices(phone).answered(1);
  await phone.getByRole("button", { name: "Sign in" }).click();
  const there = phone.getByRole("dialog", { name: "Sign in" });
  await there.getByLabel("E-mail").fill(email);
  await there.getByLabel("Password").fill(password);
  await there.getByLabel("Password").press("Enter");
  await expect(there).toHaveCount(0);
  await phone.goto("/app/lawyer");
  await phone.getByRole("button", { name: "Maybe Later" }).click();
  await expect(phone.getByRole("link", { name: /Asked on the phone/ })).toBeVisible();
  await expect(phone.getByRole("link", { name: /Must I reply to a notice/ })).toBeVisible();

  // A changed password ends the session there.
  await page.getByRole("link", { name: "Privacy & Data" }).click();
  await page.getByRole("button", { name: "Change the password…" }).click();
  const words = page.getByRole("region", { name: "Password" });
  await words.getByLabel("Your password").fill("not this one");
  await words.getByLabel("New password").fill("a better password");
  await words.getByRole("button", { name: "Change the password" }).click();
  await expect(words.getByRole("alert")).toHaveText("This is not the password of the account.");
  await accessible();
  await picture("password");
  await words.getByLabel("Your password").fill(password);
  await words.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole("button", { name: "Sign in" }).first()).toBeVisible();
  await phone.close();

  await menu.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/"); // the landing page
  await page.goto("/app");
  await expect(menu.getByText("No free uses left")).toBeVisible();
  await expect(page.getByRole("link", { name: /Must I reply/ })).toHaveCount(0);
  await page.goto(conversation);
  await expect(page.getByRole("heading", { name: "This conversation could not be found" })).toBeVisible();
});

test("Premium is had after two uses, ends by itself and is had again", async ({ page, picture, accessible, clean }) => {
  clean.allow(/status of 402/);
  test.slow(); // the end of the erasure is waited for
  const talk = new Notices(page);
  const menu = page.getByRole("complementary", { name: "Menu" });
  await signUp(page);
  const box = page.getByRole("textbox", { name: "Ask your legal question..." });
  const ask = async (text: string) => {
    await box.fill(text);
    await box.press("Enter");
  };
  for (const [index, text] of ["Must I reply?", "And by when?"].entries()) {
    await ask(text);
    await talk.answered(index + 1);
  }
  await ask("And if I do not?");
  const offer = page.getByRole("dialog", { name: "Welcome" });
  const till = page.getByRole("dialog", { name: "Test payment" });
  const pay = async () => {
    await offer.getByRole("button", { name: "Subscribe Now - ₹1/month" }).click();
    await till.getByRole("button", { name: "Pay ₹1" }).click();
    await page.getByRole("link", { name: "Continue to Dashboard" }).click();
  };
  const conversation = page.url();
  await pay();
  const ends = page.getByRole("complementary", { name: "Next Payment" });
  await expect(ends.getByRole("button", { name: "Renew now" })).toBeVisible();
  await accessible();
  await picture("ends-soon");
  await page.goto(conversation);
  await expect(box).toHaveValue("And if I do not?"); // the typed text is still there
  await box.press("Enter");
  await talk.answered(3);

  const premium = async () => {
    const me = await page.request.get("/api/me");
    return ((await me.json()) as { premium: boolean }).premium;
  };
  await expect.poll(premium, { intervals: [1_000] }).toBe(false);
  await page.reload();
  await expect(offer).toBeVisible();
  await expect(ends).toHaveCount(0);
  await offer.getByRole("button", { name: "Maybe Later" }).click();
  await menu.getByRole("button", { name: "Billing & Usage" }).click();
  await expect(page.getByRole("region", { name: "Billing & Usage" }).getByText("Free Account")).toBeVisible();
  await picture("ended");
  await ask("And what does it cost?");
  await pay();
  await page.goto(conversation);
  await box.press("Enter");
  await talk.answered(4);
});

test("the link of a mail is taken out of the address, and says so when it is spent", async ({ page, clean }) => {
  clean.allow(/status of 410/);
  await page.goto("/app#reset=ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const reset = page.getByRole("dialog", { name: "Choose a new password" });
  await expect(reset).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");
  await reset.getByLabel("New password").fill(password);
  await reset.getByRole("button", { name: "Save and sign in" }).click();
  await expect(reset.getByRole("alert")).toHaveText(
    "This link has already been used or has expired. Ask for a new one.",
  );
});

test("a visitor at the limit chooses Premium: an account, the offer in TEST MODE, ₹1", async ({
  page,
  picture,
  accessible,
  clean,
}) => {
  clean.allow(/status of 402/);
  const talk = new Notices(page);
  await page.goto("/app/lawyer");
  const box = page.getByRole("textbox", { name: "Ask your legal question..." });
  for (const [count, question] of ["Must I reply to a notice?", "And by when?"].entries()) {
    await box.fill(question);
    await box.press("Enter");
    await talk.answered(count + 1);
  }
  await box.fill("What if I do not?");
  await box.press("Enter");
  const limit = page.getByRole("dialog", { name: "Free Trial Limit Reached" });
  await limit.getByRole("button", { name: "Subscribe" }).click();
  const form = page.getByRole("dialog", { name: "Sign up" });
  await form.getByLabel("E-mail").fill(`ravi-${String(Date.now())}@example.com`);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Create account" }).click();
  const offer = page.getByRole("dialog", { name: "Welcome" });
  await expect(offer.getByText("TEST MODE")).toBeVisible();
  await expect(offer.getByText("Advanced Features")).toBeVisible();
  await expect(offer.getByText("Priority Support")).toHaveCount(0); // no contact for it is configured
  await accessible();
  await picture("limit-subscribe");
  await offer.getByRole("button", { name: "Subscribe Now - ₹1/month" }).click();
  const till = page.getByRole("dialog", { name: "Test payment" });
  await expect(till.getByText("TEST MODE")).toBeVisible();
  await till.getByRole("button", { name: "Pay ₹1" }).click();
  await expect(page.getByRole("heading", { name: "Welcome to Premium!" })).toBeVisible();
});
