import { createServer, type ServerResponse } from "node:http";

/** A stand-in for a model that answers a question when the test releases it, and records the questions. */
export class HeldModel {
  /** The system message of each question, in the order in which they came. */
  readonly asked: string[] = [];
  /** Returns the answer to a question, by its system message. */
  says: (system: string) => string = () => "## What this notice is\n\n";
  private readonly waiting: (() => void)[] = [];
  private holding = false;
  private readonly server = createServer((request, response) => {
    if (request.method !== "POST") {
      response
        .setHeader("Content-Type", "application/json")
        .end(JSON.stringify({ object: "list", data: [{ id: "stand-in" }] }));
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
      const system = messages.find(({ role }) => role === "system")?.content ?? "";
      this.asked.push(system);
      write(response, this.says(system));
      const finish = () => {
        write(response, "The rest of the answer.", "stop");
        response.end("data: [DONE]\n\n");
      };
      if (this.holding) this.waiting.push(finish);
      else finish();
    });
  });

  async listen(address: string): Promise<void> {
    const [host, port] = address.split(":");
    await new Promise<void>((resolve) => this.server.listen(Number(port), host, resolve));
  }

  /** From now on, answers stop in the middle until they are released. */
  hold(): void {
    this.holding = true;
  }

  /** From now on, answers are completed; those that are stopped remain stopped. */
  answer(): void {
    this.holding = false;
  }

  letGo(): void {
    for (const finish of this.waiting.splice(0)) finish();
  }

  async close(): Promise<void> {
    this.letGo();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Writes a piece of an answer in OpenAI's streaming format. */
function write(response: ServerResponse, content: string, finish: string | null = null): void {
  if (!response.headersSent) response.setHeader("Content-Type", "text/event-stream");
  const chunk = {
    id: "held",
    object: "chat.completion.chunk",
    model: "stand-in",
    choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: finish }],
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
