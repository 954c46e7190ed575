import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Pure and component tests run side by side; what starts a real daemon or a pty runs one file at a time. */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: "unit",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: ["test/native/**", "test/terminal/**", "test/bench/**", "test/runtime/**"],
          testTimeout: 20_000,
        },
      },
      {
        root,
        test: {
          name: "native",
          include: ["test/native/**/*.test.ts", "test/terminal/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
