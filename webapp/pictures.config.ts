import { defineConfig } from "@playwright/test";
import base from "./playwright.config";

// Takes the pictures of the landing page and of README again, from the running product: `make pictures`.
export default defineConfig({
  ...base,
  testDir: "pictures",
  testMatch: /.*\.pictures\.ts/,
  globalSetup: undefined,
  workers: 1,
  retries: 0,
  timeout: 900_000,
  reporter: "list",
  projects: [{ name: "pictures" }],
});
