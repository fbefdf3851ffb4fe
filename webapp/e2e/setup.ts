import { rmSync } from "node:fs";
import path from "node:path";
import { bind, keeping } from "./gallery";
import { freePort, startStack } from "./stack";

/**
 * Brings up the real product three times: selling nothing; with a model configured; and with the default settings,
 * with the limit and the sandbox to pay in. Each ends with the run. The model's stand-in is started by the tests
 * that need it, with the behaviour that they need; only its address is fixed here.
 */
export default async function setup(): Promise<() => Promise<void>> {
  rmSync(path.resolve(import.meta.dirname, "../screenshots"), { recursive: true, force: true });
  const model = `127.0.0.1:${String(await freePort())}`;
  // At the same time: a start uses one core.
  const [offline, pointed, accounts] = await Promise.all([
    startStack("offline", { MUNSHI_MODEL_PROVIDER: "offline" }),
    startStack("model", {
      MUNSHI_MODEL_PROVIDER: "openai",
      MUNSHI_MODEL_BASE_URL: `http://${model}/v1`,
      MUNSHI_MODEL_KEY: modelKey,
      MUNSHI_MODEL_NAME: "stand-in",
      MUNSHI_PROMPTS_GATE: "on", // holds nothing back until a run is blessed
      MUNSHI_EVALS_DIR: "evals/testdata/cases",
    }),
    startStack("accounts", {
      MUNSHI_MODEL_PROVIDER: "offline",
      MUNSHI_PAYMENT_PROVIDER: "", // the default settings: two free uses, and the sandbox to pay in
      MUNSHI_PAYMENT_PERIOD: "25s", // so that the end of the period is reached
    }),
  ]);
  process.env.MUNSHI_E2E_ACCOUNTS = accounts.url;
  process.env.MUNSHI_E2E_OFFLINE = offline.url;
  process.env.MUNSHI_E2E_OFFLINE_PROMPTS = offline.prompts;
  process.env.MUNSHI_E2E_OFFLINE_OPERATORS = offline.operators;
  process.env.MUNSHI_E2E_OFFLINE_STATE = offline.state;
  process.env.MUNSHI_E2E_MODEL = pointed.url;
  process.env.MUNSHI_E2E_TEMPORAL = pointed.temporal;
  process.env.MUNSHI_E2E_PROMPTS = pointed.prompts;
  process.env.MUNSHI_E2E_OPERATOR = await becomeOperator(pointed.operators);
  process.env.MUNSHI_E2E_STATE = pointed.state;
  process.env.MUNSHI_E2E_MODEL_ADDRESS = model;
  return async () => {
    await Promise.all([offline.stop(), pointed.stop(), accounts.stop()]);
    if (keeping) bind();
  };
}

/** Opens the printed link, which works once, and returns the operator's session as a cookie. */
async function becomeOperator(link: string): Promise<string> {
  const { origin, searchParams } = new URL(link);
  const answer = await fetch(`${origin}/api/operator`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key: searchParams.get("key") }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`the operators' link was answered ${String(answer.status)}`);
  return cookie;
}

/** The key that the product presents to the model. */
export const modelKey = "local-key";
