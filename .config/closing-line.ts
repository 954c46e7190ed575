import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends a run with the line that any CI can read: how many tests passed and failed, and nothing else on it. */
export default class ClosingLine implements Reporter {
  readonly #notRun: string | undefined;

  /** `notRun` says in one sentence which tests were left out, and why. */
  constructor(notRun?: string) {
    this.#notRun = notRun;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded, a hook that threw and a stray rejection belong to no test, and fail all the same.
    const broken = modules.filter((module) => module.state() === "failed" && !hasFailure(module)).length;
    const passed = count("passed");
    const failed = count("failed") + broken + errors.length;
    const left = count("skipped") + count("pending");
    if (passed + failed === 0) process.exitCode = 1;
    // After the default reporter's own summary.
    process.once("exit", () => {
      if (this.#notRun) process.stdout.write(`${this.#notRun}\n`);
      process.stdout.write(`${passed} passed, ${failed} failed${left > 0 ? `, ${left} skipped` : ""}\n`);
    });
  }
}

function hasFailure(module: TestModule): boolean {
  return [...module.children.allTests("failed")].length > 0;
}
