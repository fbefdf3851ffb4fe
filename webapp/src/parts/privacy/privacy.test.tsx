import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderElement } from "@test/render";
import { config } from "@test/server";
import { ConsentNotice, DataUse } from ".";

const openai = { name: "OpenAI", host: "api.openai.com", country: "the United States of America", local: false };
const told = (recipients: (typeof openai)[]) => ({ ...config, privacy: { ...config.privacy, recipients } });

describe("who receives a text", () => {
  it.each([
    [[], "Nothing leaves this server."],
    [[openai], "Your text is sent to OpenAI, in the United States of America."],
    [
      [{ name: "", host: "llm.example.com", country: "", local: false }],
      "Your text is sent to llm.example.com (country not known).",
    ],
    [
      [openai, { name: "Mistral", host: "api.mistral.ai", country: "France", local: false }],
      "Your text is sent to OpenAI, in the United States of America. If it does not answer, or a prompt asks for another model, it is sent to Mistral, in France.",
    ],
    [
      [{ name: "Ollama", host: "127.0.0.1:11434", country: "", local: true }],
      "Your text is sent to the model running at 127.0.0.1:11434.",
    ],
  ])("is told in one line: %#", async (recipients, line) => {
    renderElement(<DataUse config={told(recipients)} />);
    expect(await screen.findByText(line)).toBeTruthy();
  });

  it("is part of what is agreed to at sign-up, with the operator's own notice", async () => {
    const own = { ...told([openai]), privacy: { ...told([openai]).privacy, notice_url: "https://example.com/notice" } };
    let agreed = false;
    const { user } = renderElement(
      <ConsentNotice
        config={own}
        checked={false}
        onChange={(checked) => {
          agreed = checked;
        }}
      />,
    );
    expect(await screen.findByText("Your text is sent to OpenAI, in the United States of America.")).toBeTruthy();
    expect(screen.getByRole("link", { name: /Read the full notice/ }).getAttribute("href")).toBe(
      "https://example.com/notice",
    );
    await user.click(screen.getByRole("checkbox"));
    expect(agreed).toBe(true);
  });
});
