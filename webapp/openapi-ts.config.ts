import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: "../orchestrator/api/openapi.yaml",
  output: "src/lib/api/generated",
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk", "@tanstack/react-query"],
});
