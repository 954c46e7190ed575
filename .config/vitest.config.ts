import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { findRuntime } from "../src/demo/runtime.ts";
import ClosingLine from "./closing-line.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const unit = {
  root,
  test: {
    name: "unit",
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: ["test/native/**", "test/terminal/**", "test/bench/**", "test/runtime/**"],
    testTimeout: 20_000,
  },
};

const native = {
  root,
  test: {
    name: "native",
    include: ["test/native/**/*.test.ts", "test/terminal/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

/**
 * Pure and component tests run side by side; what starts a real daemon or a pty runs one file at a time, and
 * only where there is a runtime. Where there is none the run says so, or fails if NATIVE_TESTS is `required`.
 */
export default defineConfig(async () => {
  const runtime = await findRuntime();
  const notRun =
    "missing" in runtime ? `The native and terminal tests were not run: ${runtime.missing}` : undefined;
  if (notRun && process.env.NATIVE_TESTS === "required") throw new Error(notRun);
  return {
    root,
    test: {
      projects: notRun ? [unit] : [unit, native],
      reporters: ["default", new ClosingLine(notRun)],
    },
  };
});
