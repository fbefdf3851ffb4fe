import { describe, expect, it, vi } from "vitest";
import { sha256, solve } from "./proof";
import { workIn, workingFetch } from "./work";

const words = async (bytes: Uint8Array<ArrayBuffer>) => {
  const digest = new DataView(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from({ length: 8 }, (_, i) => digest.getInt32(i * 4));
};

describe("the proof of work", () => {
  it("counts as SHA-256 does, whatever the length", async () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 200]) {
      const bytes = Array.from({ length }, (_, i) => (i * 37) % 256);
      expect(Array.from(sha256(bytes))).toEqual(await words(Uint8Array.from(bytes)));
    }
  });

  it("finds what begins with enough zero bits, after the challenge itself", async () => {
    const stamp = solve({ challenge: "1:1700000000:visitor:abc:XYZ:", bits: 10 });
    expect(stamp.startsWith("1:1700000000:visitor:abc:XYZ:")).toBe(true);
    const [first = -1] = await words(new TextEncoder().encode(stamp));
    expect(first >>> 22).toBe(0);
  });

  it("is done only where it is asked for, and within reason", () => {
    expect(workIn(429, { work: { challenge: "a", bits: 5 } })).toEqual({ challenge: "a", bits: 5 });
    expect(workIn(429, { work: { challenge: "a", bits: 60 } })).toBeNull();
    expect(workIn(402, { work: { challenge: "a", bits: 5 } })).toBeNull();
    expect(workIn(429, { code: "fair_use" })).toBeNull();
  });

  it("goes with the same request, sent once more", async () => {
    const asked: { stamp: string | null; body: string }[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      asked.push({ stamp: request.headers.get("Munshi-Work"), body: await request.text() });
      return asked.length === 1
        ? Response.json({ code: "work_needed", work: { challenge: "c:", bits: 4 } }, { status: 429 })
        : Response.json({ ok: true });
    });
    const answer = await workingFetch("http://munshi.example/api/conversations", { method: "POST", body: "{}" });
    vi.unstubAllGlobals();
    expect(answer.status).toBe(200);
    expect(asked.map(({ body }) => body)).toEqual(["{}", "{}"]);
    expect(asked[0]?.stamp).toBeNull();
    expect(asked[1]?.stamp).toMatch(/^c:\d+$/);
  });
});
