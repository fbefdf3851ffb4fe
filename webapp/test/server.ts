import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { vi } from "vitest";
import type {
  Conversation,
  ConversationDetail,
  Me,
  Message,
  NoticeLine,
  NoticeList,
  Plugin,
  PublicConfig,
  Turn,
} from "@/lib/api";

const at = "2025-05-12T10:00:00Z";

export const config: PublicConfig = {
  product_name: "Munshi",
  model: { offline: true, name: "offline", host: "" },
  upload: { max_bytes: 1024 * 1024, max_pages: 300 },
  consultation_url: "",
  parent_url: "",
  operator: false,
  payment: {
    provider: "",
    key_id: "",
    checkout: "",
    amount_paise: 100,
    seat_paise: 100,
    currency: "INR",
    price: "₹1/month",
    description: "Monthly Subscription",
    support: "",
    places: [],
  },
  mail: false,
  consent: "2026-11",
  privacy: { recipients: [], mask: "off", notice_url: "", days: { visitors: 180, deleted: 30, audit: 365 } },
};

export const me: Me = {
  signed_in: false,
  email: "",
  operator: false,
  mail: false,
  used: 0,
  free: 2,
  limited: true,
  status: "inactive",
  premium: false,
  ends_soon: false,
  period_end: null,
  firms: [],
  acting: null,
};

export const noticePlugin: Plugin = {
  id: "notice",
  title: "Notice Analysis",
  icon: "file-search",
  order: 2,
  view: { heading: "", hint: "", button: "", placeholder: "", note: "" },
  authorities: true,
  inputs: [
    { id: "notice", type: "pdf", title: "Upload Notice", hint: "", placeholder: "", required: true, choices: [] },
  ],
  turns: [
    { kind: "analysis", title: "Notice analysis", inputs: ["notice"] },
    { kind: "chat", title: "Question", inputs: [] },
    { kind: "document", title: "Document review", inputs: [] },
  ],
};

export const conversation: Conversation = {
  id: "11111111-1111-4111-8111-111111111111",
  plugin: "notice",
  title: "Form DRC-01",
  created_at: at,
  updated_at: at,
  turn_state: "answered",
};

export function turn(over: Partial<Turn> = {}): Turn {
  return {
    id: "22222222-2222-4222-8222-222222222222",
    kind: "analysis",
    state: "running",
    steps: [],
    queue: 0,
    error: null,
    created_at: at,
    finished_at: null,
    ...over,
  };
}

export function message(over: Partial<Message> = {}): Message {
  return {
    id: crypto.randomUUID(),
    turn_id: turn().id,
    exchange: over.turn_id ?? turn().id,
    role: "assistant",
    text: "",
    state: "complete",
    document_id: null,
    provenance: null,
    checks: [],
    created_at: at,
    ...over,
  };
}

export function detail(over: Partial<ConversationDetail> = {}): ConversationDetail {
  return {
    ...conversation,
    messages: [],
    documents: [],
    required_documents: [],
    follow_up: null,
    facts: null,
    turn: null,
    ...over,
  };
}

export function notice(over: Partial<NoticeLine> = {}): NoticeLine {
  return {
    id: conversation.id,
    title: conversation.title,
    client: null,
    gstin: null,
    form: null,
    reference: null,
    first_year: null,
    last_year: null,
    demand_paise: null,
    reply_by: null,
    watch_by: null,
    watch_what: "reply",
    attention: [],
    asked: 0,
    needed: 0,
    turn_state: "answered",
    answered_at: null,
    created_at: at,
    updated_at: at,
    ...over,
  };
}

/** A page of the list of notices, the only one where no more are said to be. */
export function notices(list: NoticeLine[], total = list.length): NoticeList {
  return { notices: list, total, counts: { all: total, due: 0, overdue: 0, waiting: 0, done: 0 } };
}

/** A refusal as the server says it. */
export function problem(status: number, code: string, sentence: string) {
  return HttpResponse.json(
    { type: "about:blank", title: "", status, detail: sentence, code },
    { status, headers: { "Content-Type": "application/problem+json" } },
  );
}

function notFound() {
  return problem(404, "not_found", "This could not be found, or it is not yours.");
}

/** Answers for what every screen asks; a test adds its own. */
export const server = setupServer(
  http.get("*/api/config", () => HttpResponse.json(config)),
  http.get("*/api/me", () => HttpResponse.json(me)),
  http.get("*/api/plugins", () => HttpResponse.json({ plugins: [noticePlugin] })),
  http.get("*/api/documents/:id/pages", () => HttpResponse.json({ pages: [] })),
  http.get("*/api/documents/:id", () => notFound()),
  http.get("*/api/conversations", () => HttpResponse.json({ conversations: [conversation], more: false })),
  http.get("*/api/conversations/:id/brief", () => notFound()),
  http.get("*/api/conversations/:id/authorities", () => HttpResponse.json({ authorities: [] })),
  http.get("*/api/documents/:id/pages/:page", () => notFound()),
  http.post("*/api/documents/:id/find", () => notFound()),
  http.get("*/api/notices", () => HttpResponse.json(notices([]))),
  http.get("*/api/templates", () => HttpResponse.json({ templates: [] })),
  http.get("*/api/conversations/:id/reply", () => notFound()),
  http.get("*/api/drafts", () => HttpResponse.json({ drafts: [], next: 0 })),
  http.get("*/api/reminders", () => HttpResponse.json({ reminders: [], unsettled: 0 })),
);

/** Holds what is posted to a path until the test answers it, oldest first. */
export function hold(path: string) {
  const waiting: ((answer: Response) => void)[] = [];
  const sent: unknown[] = [];
  server.use(
    http.post(path, async ({ request }) => {
      sent.push(
        await request
          .clone()
          .json()
          .catch(() => null),
      );
      return new Promise<Response>((resolve) => waiting.push(resolve));
    }),
  );
  return {
    sent,
    answer: async (response: Response) => {
      await vi.waitFor(() => {
        if (waiting.length === 0) throw new Error(`nothing was posted to ${path}`);
      });
      waiting.shift()?.(response);
    },
  };
}
