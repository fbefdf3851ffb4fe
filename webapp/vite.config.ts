import path from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.MUNSHI_SERVER_ADDRESS ?? "127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: { "@test": path.resolve(import.meta.dirname, "test"), "@": path.resolve(import.meta.dirname, "src") },
  },
  server: { proxy: { "/api": { target: `http://${server}`, changeOrigin: false } } },
  build: {
    target: "es2022",
    // A data: URI would need an exception in the Content-Security-Policy's font-src.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://munshi.test/" } },
    setupFiles: ["./test/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
  },
});
