import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const home = path.resolve(import.meta.dirname, "../..");
const logs = path.resolve(import.meta.dirname, "../test-results/logs");

/** A program of ours that runs until it is stopped. */
export type Running = { ready: Promise<string>; stop: () => Promise<void> };

/**
 * Starts a program of bin/. It is ready when a line of its output matches; the first group of the match is returned.
 */
export function start(name: string, args: string[], env: Record<string, string>, ready: RegExp, log: string): Running {
  const program = path.join(home, "bin", name);
  if (!existsSync(program)) throw new Error(`bin/${name} is missing: run make build first`);
  mkdirSync(logs, { recursive: true });
  const file = createWriteStream(path.join(logs, `${log}.log`), { flags: "a" });
  const child = spawn(program, args, { cwd: home, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const output = [child.stdout, child.stderr];
  const started = new Promise<string>((resolve, reject) => {
    let text = "";
    for (const stream of output) {
      stream.on("data", (chunk: Buffer) => {
        file.write(chunk);
        text += chunk.toString();
        const match = ready.exec(text);
        if (match !== null) resolve(match[1] ?? match[0]);
      });
    }
    child.once("error", reject);
    child.once("exit", (code) => {
      reject(new Error(`bin/${name} ended with ${String(code)} before it was ready:\n${text}`));
    });
  });
  return { ready: started, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  const patience = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await gone;
  clearTimeout(patience);
}

/**
 * The whole product while it runs: its address, the link for operators that it printed, the address of its Temporal
 * Web UI, and the folders of its state and its prompts.
 */
export type Stack = {
  url: string;
  operators: string;
  temporal: string;
  state: string;
  prompts: string;
  stop: () => Promise<void>;
};

/**
 * Brings the whole product up with its own state and prompts, which are removed when it is stopped. If one of its
 * ports was taken before the product listened, it tries again with others.
 */
export async function startStack(name: string, env: Record<string, string>): Promise<Stack> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(name, env);
    } catch (error) {
      if (attempt === 3 || !String(error).includes("in use")) throw error;
    }
  }
}

async function startOnce(name: string, env: Record<string, string>): Promise<Stack> {
  const state = mkdtempSync(path.join(tmpdir(), "munshi-e2e-"));
  chmodSync(state, 0o755); // as root, PostgreSQL runs as another user
  const prompts = path.join(state, "prompts");
  cpSync(path.join(home, "prompts"), prompts, { recursive: true });
  const [server, temporal, web] = await Promise.all([freePort(), freePort(), freePort()]);
  const running = start(
    "munshi",
    ["run", "--language", "en"],
    {
      MUNSHI_PAYMENT_PROVIDER: "none", // nothing is sold, so nothing is limited,
      MUNSHI_ACCOUNT_FAIR_USE_PER_HOUR: "0",
      MUNSHI_ABUSE_VISITORS: "0", // every test has the same network address
      MUNSHI_ABUSE_SIGN_UPS: "0",
      MUNSHI_ABUSE_FREE_TURNS: "0",
      MUNSHI_ABUSE_UPLOAD_MB: "0",
      MUNSHI_LOCAL_STATE_DIR: path.join(state, "state"),
      MUNSHI_PROMPTS_DIR: prompts,
      MUNSHI_SERVER_ADDRESS: `127.0.0.1:${String(server)}`,
      MUNSHI_LOCAL_TEMPORAL_PORT: String(temporal),
      MUNSHI_LOCAL_WEB_UI_PORT: String(web),
      ...env,
    },
    /Operators:\s+(http:\S+)/,
    name,
  );
  const end = async () => {
    await running.stop();
    rmSync(state, { recursive: true, force: true });
  };
  try {
    const operators = await running.ready;
    return {
      url: new URL(operators).origin,
      operators,
      temporal: `http://127.0.0.1:${String(web)}`,
      state: path.join(state, "state"),
      prompts,
      stop: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Returns a free port of this machine, below the range from which the system takes ports for connections, because
 * such a port may be taken before the product listens.
 */
export function freePort(): Promise<number> {
  const port = 12_000 + Math.floor(Math.random() * 18_000);
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => {
      resolve(freePort());
    });
    server.listen(port, "127.0.0.1", () => {
      server.close(() => {
        resolve(port);
      });
    });
  });
}
