import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { JobStore } from "../../../../src/pruning/index.ts";

export { job, SERVER } from "./jobs-data.ts";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "opencode-prune-jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store with a clock that stands still until it is moved. */
export function storeWithClock(folder = temporaryFolder()) {
  const clock = { now: 1_000_000 };
  const store = new JobStore({ folder, now: () => clock.now });
  onTestFinished(() => store.close());
  return { store, clock, folder };
}
