import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { renderRoutes } from "@test/render";
import { Toaster } from "sonner";
import { config, conversation, detail, hold, me, notice, notices, problem, server, turn } from "@test/server";
import { meOptions, onNoUseLeft, type NoticeLine } from "@/lib/api";
import { NoticesPage } from "./NoticesPage";

const pdf = (name = "notice.pdf") => new File(["%PDF-1.7"], name, { type: "application/pdf" });

async function show(path = "/app/notices") {
  const view = renderRoutes(
    [
      {
        path: "/app/notices",
        element: (
          <>
            <NoticesPage />
            <Toaster />
          </>
        ),
      },
      { path: "/app/notices/:id", element: <p>the notice</p> },
    ],
    path,
  );
  await screen.findByText("Nothing leaves this server.");
  return view;
}

async function openDialog() {
  const view = await show();
  await view.user.click(screen.getByRole("button", { name: "Upload Notice" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Upload Notice" }));
  return { ...view, dialog, input: dialog.getByTestId("file-input") };
}

/** Counts the conversations that are begun, and gives each an id. */
function acceptConversations(): { begun: number } {
  const count = { begun: 0 };
  server.use(
    http.post("*/api/conversations", () => {
      count.begun += 1;
      return HttpResponse.json({ ...conversation, turn_state: "none", title: "" }, { status: 201 });
    }),
    http.get("*/api/conversations/:id", () => HttpResponse.json(detail())),
  );
  return count;
}

describe("Notice Analysis without a notice", () => {
  it("says what the spec says", async () => {
    await show();
    expect(screen.getByRole("heading", { name: "Upload a Notice to Begin" })).toBeTruthy();
    expect(screen.getByText("Click the upload button below to analyze your GST notice")).toBeTruthy();
    expect(screen.getByTitle("Upload document")).toBeTruthy();
    expect(screen.getByPlaceholderText("Type your message...")).toBeTruthy();
  });

  it("marks a notice as answered at once, and takes that back where it could not be saved", async () => {
    server.use(http.get("*/api/notices", () => HttpResponse.json(notices([notice({ client: "Malnad Coffee" })]))));
    const { answer } = hold("*/api/conversations/:id/answered");
    const { user } = await show();
    await user.click(await screen.findByRole("button", { name: "Mark as answered: Malnad Coffee" }));
    expect(screen.getByRole("button", { name: "Reopen: Malnad Coffee" })).toBeTruthy();
    await answer(HttpResponse.json({}, { status: 500 }));
    expect(await screen.findByText("This could not be saved. Please try again.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Mark as answered: Malnad Coffee" })).toBeTruthy();
  });

  it("reminds by mail from the moment that is ticked, and not where that could not be saved", async () => {
    server.use(
      http.get("*/api/config", () => HttpResponse.json({ ...config, mail: true })),
      http.get("*/api/me", () => HttpResponse.json({ ...me, signed_in: true })),
      http.get("*/api/notices", () => HttpResponse.json(notices([notice()]))),
      http.get("*/api/calendar", () => HttpResponse.json({ path: null })),
    );
    const { answer } = hold("*/api/me/mail");
    const { user } = await show();
    await user.click(await screen.findByRole("button", { name: "Calendar" }));
    const mail = await screen.findByRole<HTMLInputElement>("checkbox");
    await user.click(mail);
    expect(mail.checked).toBe(true);
    await answer(HttpResponse.json({}, { status: 500 }));
    expect(await screen.findByText("This could not be saved. Please try again.")).toBeTruthy();
    expect(mail.checked).toBe(false);
  });

  it("has what needs a person first, each with its reason", async () => {
    const unsure = notice({
      id: "u",
      client: "Unsure Traders",
      watch_by: "2027-03-12",
      watch_what: "hearing",
      attention: [
        { code: "two_dates", page: 1 },
        { code: "amount_unread", page: 3 },
      ],
    });
    const sure = notice({ id: "s", client: "Sure Traders", reply_by: "2027-01-02", watch_by: "2027-01-02" });
    server.use(http.get("*/api/notices", () => HttpResponse.json(notices([unsure, sure]))));
    await show();
    const first = within(await screen.findByRole("region", { name: "Needs your attention" }));
    for (const text of ["More than one reply date", "Amount not read, see page 3", "12 March 2027"]) {
      expect(first.getByText(text)).toBeTruthy();
    }
    expect(first.getByText("hearing; reply date to be confirmed")).toBeTruthy();
    expect(first.queryByText("Sure Traders")).toBeNull();
    const others = within(screen.getByRole("region", { name: "Other notices" }));
    expect(others.getByRole("link", { name: "Sure Traders" })).toBeTruthy();
  });

  it("lists the person's notices, by view and search, page by page", async () => {
    const asked: string[] = [];
    const coffee = notice({
      id: "a",
      client: "Malnad Coffee",
      gstin: "29AAACB1234C1ZB",
      form: "DRC-01",
      first_year: "2020-21",
      last_year: "2020-21",
      demand_paise: 124_500_000,
      reply_by: "2020-01-02",
      asked: 3,
      needed: 2,
    });
    server.use(
      http.get("*/api/notices", ({ request }) => {
        const { searchParams } = new URL(request.url);
        const [view, search, skip] = ["view", "search", "skip"].map((name) => searchParams.get(name) ?? "");
        asked.push([view, search, skip].join("/"));
        if (view === "due") return HttpResponse.json(notices([]));
        return HttpResponse.json(
          skip === "0" ? notices([coffee], 2) : notices([notice({ id: "b", title: "What is a DRC-01?" })], 2),
        );
      }),
    );
    const { user, router } = await show();
    const list = within(await screen.findByRole("region", { name: "Your notices" }));
    expect(list.getByRole("link", { name: "Malnad Coffee" }).getAttribute("href")).toBe("/app/notices/a");
    for (const text of [
      "29AAACB1234C1ZB",
      "Form DRC-01 · 2020-21",
      "₹12,45,000",
      "2 January 2020",
      "2 documents outstanding",
    ]) {
      expect(list.getByText(text)).toBeTruthy();
    }
    expect(list.getByText(/passed .* days ago/)).toBeTruthy();
    await user.click(list.getByRole("button", { name: "Show more (1 left)" }));
    expect(await list.findByRole("link", { name: "What is a DRC-01?" })).toBeTruthy();
    await user.click(list.getByRole("button", { name: /Due soon/ }));
    expect(await list.findByText("No matching notices.")).toBeTruthy();
    await user.type(list.getByRole("searchbox", { name: "Client, GSTIN or reference" }), "malnad");
    await waitFor(() => {
      expect(asked).toContain("due/malnad/0");
    });
    await user.click(list.getByRole("button", { name: /Overdue/ }));
    await user.click(await list.findByRole("link", { name: "Malnad Coffee" }));
    await screen.findByText("the notice");
    await router.navigate(-1); // Back restores the list as it was left
    const again = within(await screen.findByRole("region", { name: "Your notices" }));
    expect(again.getByRole("button", { name: /Overdue/ }).getAttribute("aria-pressed")).toBe("true");
    expect(again.getByRole<HTMLInputElement>("searchbox").value).toBe("malnad");
    // In the part of the address that is not sent to servers.
    expect(router.state.location.hash).toBe("#view=overdue&search=malnad");
    expect(router.state.location.search).toBe("");
  });

  it("groups the notices by client, as its address says", async () => {
    const sorts: (string | null)[] = [];
    const client = (id: string, over: Partial<NoticeLine>) => notice({ id, title: id, ...over });
    server.use(
      http.get("*/api/notices", ({ request }) => {
        sorts.push(new URL(request.url).searchParams.get("sort"));
        return HttpResponse.json(
          notices([
            client("a", { client: "Asha Traders", gstin: "29AAACB1234C1ZB", reference: "first of Asha" }),
            client("b", { client: "Asha Traders", gstin: "29AAACB1234C1ZB", reference: "second of Asha" }),
            client("c", { client: null, gstin: null, reference: "whose" }),
          ]),
        );
      }),
    );
    const { user, router } = await show();
    await user.selectOptions(await screen.findByRole("combobox", { name: "Sort by" }), "By client");
    const asha = within(await screen.findByRole("region", { name: "Asha Traders · 29AAACB1234C1ZB" }));
    expect(asha.getByText("first of Asha")).toBeTruthy();
    expect(asha.getByText("second of Asha")).toBeTruthy();
    expect(within(screen.getByRole("region", { name: "Client not known" })).getByText("whose")).toBeTruthy();
    expect(sorts.at(-1)).toBe("client");
    expect(router.state.location.hash).toBe("#sort=client");
  });

  it("has one section for a client, in whatever order their notices come", async () => {
    const asha = { client: "Asha Traders", gstin: "29AAACB1234C1ZB" };
    const answered_at = "2027-01-02T10:00:00Z";
    server.use(
      http.get("*/api/notices", () =>
        HttpResponse.json(
          notices([
            notice({ id: "a", ...asha, reference: "first" }),
            notice({ id: "b", ...asha, reference: "second", answered_at }), // marked a moment ago
            notice({ id: "c", ...asha, reference: "third" }),
            notice({ id: "d", ...asha, client: "ASHA TRADERS", reference: "fourth" }),
          ]),
        ),
      ),
    );
    await show("/app/notices#sort=client");
    const open = within(await screen.findByRole("region", { name: "Asha Traders · 29AAACB1234C1ZB" }));
    expect(open.getByText("first")).toBeTruthy();
    expect(open.getByText("third")).toBeTruthy();
    expect(open.getByText("fourth")).toBeTruthy();
    const done = screen.getByRole("region", { name: "Asha Traders · 29AAACB1234C1ZB · Answered" });
    expect(within(done).getByText("second")).toBeTruthy();
    expect(screen.queryByRole("region", { name: /ASHA/ })).toBeNull();
  });

  it("searches for what its address says, also when the address is changed by a link", async () => {
    const searched: (string | null)[] = [];
    server.use(
      http.get("*/api/notices", ({ request }) => {
        searched.push(new URL(request.url).searchParams.get("search"));
        return HttpResponse.json(notices([notice({ client: "Malnad Coffee" })]));
      }),
    );
    const { router } = await show("/app/notices#search=malnad");
    const box = await screen.findByRole<HTMLInputElement>("searchbox");
    expect(box.value).toBe("malnad");
    await act(() => router.navigate("/app/notices"));
    expect(box.value).toBe("");
    await waitFor(() => {
      expect(searched.at(-1)).not.toBe("malnad");
    });
    expect(router.state.location.hash).toBe("");
    await act(() => router.navigate(-1));
    expect(box.value).toBe("malnad");
  });

  it("deletes a notice, and brings it back", async () => {
    let here = true;
    server.use(
      http.get("*/api/notices", () => HttpResponse.json(notices(here ? [notice({ client: "Malnad Coffee" })] : []))),
      http.delete("*/api/conversations/:id", () => {
        here = false;
        return new HttpResponse(null, { status: 204 });
      }),
      http.post("*/api/conversations/:id/restore", () => {
        here = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await show();
    await user.click(await screen.findByRole("button", { name: "Delete: Malnad Coffee" }));
    await waitFor(() => {
      expect(screen.queryByRole("link", { name: "Malnad Coffee" })).toBeNull();
    });
    fireEvent.click(await screen.findByRole("button", { name: "Undo" })); // a pointer would be captured, which jsdom does not know
    expect(await screen.findByRole("link", { name: "Malnad Coffee" })).toBeTruthy();
  });

  it("analyses a sample notice in one click", async () => {
    acceptConversations();
    const sent: string[] = [];
    const append = vi.spyOn(FormData.prototype, "append").mockImplementation((_, file: unknown) => {
      if (file instanceof File) sent.push(`${file.name} ${file.type}`);
    });
    server.use(
      http.get("*/sample-notice.pdf", () => HttpResponse.text("%PDF-1.7 a sample")),
      http.post("*/api/conversations/:id/documents", () => HttpResponse.json(turn(), { status: 202 })),
    );
    const { user } = await show();
    await user.click(screen.getByRole("button", { name: "Try it with a sample notice (one free use)" }));
    await screen.findByText("the notice");
    expect(sent).toEqual(["sample-notice.pdf application/pdf"]);
    append.mockRestore();
  });

  it("offers one way to go on, and no sample, when no free use is left", async () => {
    server.use(http.get("*/api/me", () => HttpResponse.json({ ...me, limited: true, free: 2, used: 2 })));
    const { user } = await show();
    const told = vi.fn();
    const end = onNoUseLeft(told);
    await user.click(await screen.findByRole("button", { name: "No free uses left: see how to continue" }));
    expect(told).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("button", { name: /sample notice/ })).toBeNull();
    expect(screen.queryByText(/Click the upload button/)).toBeNull();
    expect(screen.queryByRole("dialog", { name: "Upload Notice" })).toBeNull();
    end();
  });

  it("begins a conversation with a question", async () => {
    acceptConversations();
    let text: unknown;
    server.use(
      http.post("*/api/conversations/:id/messages", async ({ request }) => {
        text = await request.json();
        return HttpResponse.json(turn({ kind: "chat" }), { status: 202 });
      }),
    );
    const { user } = await show();
    await user.type(screen.getByPlaceholderText("Type your message..."), "What is a DRC-01?{Enter}");
    await screen.findByText("the notice");
    expect(text).toEqual({ text: "What is a DRC-01?" });
  });
});

describe("the upload dialog", () => {
  Object.assign(URL, { createObjectURL: () => "blob:a", revokeObjectURL: vi.fn() }); // which jsdom does not have

  it("tells that no use is left also who opened the dialog before that was known", async () => {
    let release: () => void = () => undefined;
    const known = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.get("*/api/me", async () => {
        await known;
        return HttpResponse.json({ ...me, limited: true, free: 1, used: 1 });
      }),
    );
    const told = vi.fn();
    const stop = onNoUseLeft(told);
    await openDialog();
    expect(told).not.toHaveBeenCalled();
    release();
    await waitFor(() => {
      expect(told).toHaveBeenCalledOnce();
    });
    expect(screen.queryByRole("dialog", { name: "Upload Notice" })).toBeNull();
    stop();
  });

  it("says what the spec says", async () => {
    const { dialog } = await openDialog();
    expect(dialog.getByText("Click to upload or drag and drop")).toBeTruthy();
    expect(dialog.getByText("Supported formats: PDF, JPEG, PNG, WebP, HEIC")).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Close" })).toBeTruthy();
    expect(dialog.getByTestId("file-input").getAttribute("accept")).toBe(
      "application/pdf,.pdf,image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif",
    );
  });

  it("sends a PDF and opens the notice, with one key for one act", async () => {
    acceptConversations();
    let key: string | null = null;
    server.use(
      http.post("*/api/conversations/:id/documents", ({ request }) => {
        key = request.headers.get("Idempotency-Key");
        return HttpResponse.json(turn(), { status: 202 });
      }),
    );
    const { user, input, router } = await openDialog();
    await user.upload(input, pdf());
    await screen.findByText("the notice");
    expect(router.state.location.pathname).toBe(`/app/notices/${conversation.id}`);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  it("refuses what is neither a PDF nor a photograph without asking the server", async () => {
    const { user, dialog, input } = await openDialog();
    await user.upload(input, new File(["x"], "notice.docx", { type: "application/msword" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("Please upload a PDF, JPEG, PNG, WebP or HEIC file");
  });

  describe("with three files and one use left", () => {
    async function dropped() {
      const account = { left: 1 };
      server.use(
        http.get("*/api/me", () => HttpResponse.json({ ...me, limited: true, free: 9, used: 9 - account.left })),
        http.post("*/api/conversations/:id/documents", () => {
          if (account.left === 0) return problem(402, "no_use_left", "Your free uses are spent.");
          account.left -= 1;
          return HttpResponse.json(turn({ state: "running" }), { status: 202 });
        }),
      );
      const { input, user, queries } = await openDialog();
      const count = acceptConversations();
      const told = vi.fn();
      onTestFinished(onNoUseLeft(told));
      await user.upload(input, [pdf("one.pdf"), pdf("two.pdf"), pdf("three.pdf")]);
      expect(await screen.findByText("1 of 3 files uploaded")).toBeTruthy();
      return {
        user,
        count,
        told,
        /** Uses are added, as by an account or Premium. */
        gives: async (uses: number) => {
          account.left += uses;
          await act(() => queries.invalidateQueries({ queryKey: meOptions().queryKey }));
        },
      };
    }
    const leaving = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    const refusal = "2 files were not sent: you have no free uses left. They wait here.";

    it("says once that the others wait, and shows the way to go on", async () => {
      const { user, count, told } = await dropped();
      expect(await screen.findByText(refusal)).toBeTruthy();
      expect(screen.getAllByRole("alert")).toHaveLength(1);
      expect(count.begun).toBe(2); // the third was not tried
      expect(leaving()).toBe(true); // the browser asks first, since the waiting files would be lost
      expect(screen.queryByRole("button", { name: /^Retry|^Send (it|them)/ })).toBeNull(); // it would be refused again
      expect(told).toHaveBeenCalledTimes(1);
      await user.click(screen.getByRole("button", { name: "See how to continue" }));
      expect(told).toHaveBeenCalledTimes(2);
    });

    it("takes that back once there are uses again, and sends them", async () => {
      const { user, count, gives } = await dropped();
      await screen.findByText(refusal);
      await gives(2);
      expect(await screen.findByText("2 files can be sent now.")).toBeTruthy();
      expect(screen.queryByRole("alert")).toBeNull();
      expect(count.begun).toBe(2); // they are not sent before the person says so
      await user.click(screen.getByRole("button", { name: "Send them" }));
      expect(await screen.findByText("3 of 3 files uploaded")).toBeTruthy();
      expect(count.begun).toBe(3);
      await waitFor(() => {
        expect(leaving()).toBe(false);
      });
      await user.click(screen.getByRole("button", { name: "Close" }));
      expect(screen.queryByText("3 of 3 files uploaded")).toBeNull();
    });

    it("lets the person choose where there is a use for one of them", async () => {
      const { user, gives } = await dropped();
      await screen.findByText(refusal);
      await gives(1);
      const third = within((await screen.findByText("three.pdf")).closest("li") ?? document.body);
      await user.click(await third.findByRole("button", { name: "Send it" }));
      expect(await screen.findByText("2 of 3 files uploaded")).toBeTruthy();
      expect(screen.queryByText("three.pdf")).toBeNull();
      expect(await screen.findByText("Not sent: you have no free uses left. The file waits here.")).toBeTruthy();
    });

    it("says that it gives up the files, rather than Close", async () => {
      const { user } = await dropped();
      await screen.findByText(refusal);
      expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
      await user.click(screen.getByRole("button", { name: "Don't send these 2 files" }));
      expect(screen.queryByText("two.pdf")).toBeNull();
      expect(leaving()).toBe(false);
    });
  });

  it("puts photographs in order, leaves one out, and sends them as one notice", async () => {
    acceptConversations();
    const names: string[] = [];
    const append = vi.spyOn(FormData.prototype, "append").mockImplementation((_, file: unknown) => {
      if (file instanceof File) names.push(file.name);
    });
    server.use(http.post("*/api/conversations/:id/documents", () => HttpResponse.json(turn(), { status: 202 })));
    const { user, dialog, input } = await openDialog();
    const photo = (name: string, type: string) => new File(["x"], name, { type });
    await user.upload(input, [photo("b.jpg", "image/jpeg"), photo("c.HEIC", ""), photo("a.webp", "image/webp")]);
    const pages = () => dialog.getAllByRole("listitem").map((item) => item.textContent);
    await dialog.findAllByRole("listitem");
    expect(pages()).toEqual(["Page 1b.jpg", "Page 2c.HEIC", "Page 3a.webp"]);
    expect(dialog.getByRole("button", { name: "Move page 1 up" })).toHaveProperty("disabled", true);
    await user.click(dialog.getByRole("button", { name: "Move page 3 up" }));
    await user.click(dialog.getByRole("button", { name: "Remove page 3" }));
    await user.click(dialog.getByRole("button", { name: "Move page 1 down" }));
    expect(pages()).toEqual(["Page 1a.webp", "Page 2b.jpg"]);
    await user.click(dialog.getByRole("button", { name: "Upload 2 pages" }));
    await screen.findByText("the notice");
    expect(names).toEqual(["a.webp", "b.jpg"]);
    append.mockRestore();
  });

  it("begins a notice for each PDF and one for the photographs that were chosen with them", async () => {
    const { user, dialog, input } = await openDialog();
    const count = acceptConversations();
    const sent: string[][] = [];
    const names: string[] = [];
    const append = vi.spyOn(FormData.prototype, "append").mockImplementation((_, file: unknown) => {
      if (file instanceof File) names.push(file.name);
    });
    server.use(
      http.post("*/api/conversations/:id/documents", () => {
        sent.push(names.splice(0));
        return HttpResponse.json(turn({ state: "running" }), { status: 202 });
      }),
    );
    const photo = (name: string) => new File(["x"], name, { type: "image/png" });
    const word = new File(["x"], "letter.docx", { type: "application/msword" });
    await user.upload(input, [pdf("one.pdf"), photo("b.png"), photo("a.png"), pdf("two.pdf"), word]);
    expect(
      await dialog.findByText("The photographs become one document; each PDF is uploaded separately: one.pdf, two.pdf"),
    ).toBeTruthy();
    expect(dialog.getByRole("alert").textContent).toBe("Please upload a PDF, JPEG, PNG, WebP or HEIC file");
    expect(sent).toEqual([]);
    await user.click(await dialog.findByRole("button", { name: "Move page 2 up" }));
    await user.click(dialog.getByRole("button", { name: "Upload all" }));
    expect(await screen.findByText("3 of 3 files uploaded")).toBeTruthy();
    expect(sent).toEqual([["one.pdf"], ["two.pdf"], ["a.png", "b.png"]]);
    expect(count.begun).toBe(3);
    append.mockRestore();
  });

  it("refuses what is over the limit without sending it", async () => {
    const { user, dialog, input } = await openDialog();
    await user.upload(input, new File([new Uint8Array(2 * 1024 * 1024)], "big.pdf", { type: "application/pdf" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("This file is 2 MB; the limit is 1 MB.");
  });

  it("shows the server's sentence, and the next file goes to the same conversation", async () => {
    const count = acceptConversations();
    server.use(
      http.post("*/api/conversations/:id/documents", () =>
        problem(422, "encrypted", "This PDF is protected by a password."),
      ),
    );
    const { user, dialog, input } = await openDialog();
    await user.upload(input, pdf("locked.pdf"));
    expect((await dialog.findByRole("alert")).textContent).toBe("This PDF is protected by a password.");
    server.use(http.post("*/api/conversations/:id/documents", () => HttpResponse.json(turn(), { status: 202 })));
    await user.upload(input, pdf());
    await screen.findByText("the notice");
    expect(count.begun).toBe(1);
  });

  it("falls back to the spec's sentence when the server gives none", async () => {
    acceptConversations();
    server.use(http.post("*/api/conversations/:id/documents", () => new HttpResponse("<html>", { status: 502 })));
    const { user, dialog, input } = await openDialog();
    await user.upload(input, pdf());
    expect((await dialog.findByRole("alert")).textContent).toBe("Failed to process the PDF file. Please try again.");
  });

  it("says Processing PDF..., takes no other file meanwhile, and can be cancelled", async () => {
    acceptConversations();
    server.use(http.post("*/api/conversations/:id/documents", () => new Promise<never>(() => undefined)));
    const { user, dialog, input } = await openDialog();
    await user.upload(input, pdf());
    expect(await dialog.findByText("Processing PDF...")).toBeTruthy();
    expect(input).toHaveProperty("disabled", true);
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(await dialog.findByText("Click to upload or drag and drop")).toBeTruthy();
    expect(dialog.queryByRole("alert")).toBeNull();
  });

  it("opens with a file that was pasted anywhere", async () => {
    acceptConversations();
    server.use(http.post("*/api/conversations/:id/documents", () => HttpResponse.json(turn(), { status: 202 })));
    await show();
    fireEvent.paste(document.body, { clipboardData: { files: [pdf()], getData: () => "" } });
    await screen.findByText("the notice");
  });

  it("says at once that a dropped text is neither a PDF nor a photograph", async () => {
    await show();
    const text = new File(["x"], "notice.docx", { type: "application/msword" });
    fireEvent.drop(screen.getByPlaceholderText("Type your message..."), {
      dataTransfer: {
        files: [text],
        items: [{ kind: "file", type: text.type, getAsFile: () => text }],
        types: ["Files"],
      },
    });
    expect((await screen.findByRole("alert")).textContent).toBe("Please upload a PDF, JPEG, PNG, WebP or HEIC file");
  });

  it("leaves a pasted text to the message box", async () => {
    await show();
    fireEvent.paste(document.body, { clipboardData: { files: [pdf()], getData: () => "some text" } });
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });
  });
});
