import { presentFullScreen } from "../../../components/terminal/presentation.tsx";
import { createApp } from "../../../src/state/index.ts";
import { wordsFor } from "../../../src/words/index.ts";
import { FakePlugin } from "../../components/fake-plugin.ts";
import { FakePruning } from "../../components/fake-ports.ts";
import { historyOfParts } from "./histories.ts";
import { TerminalInMemory } from "./terminal-in-memory.ts";

/** Resident memory with a session of that many parts open after a walk through it; `all`: with everything selected. */
const parts = Number(process.argv[2]);
const all = process.argv[3] === "all";
const history = historyOfParts(parts);
const terminal = new TerminalInMemory(120, 40);
const app = createApp(
  { history, pruning: new FakePruning(history), plugin: new FakePlugin() },
  { size: { columns: 120, rows: 40 }, sessionID: "ses_0" },
);
const presentation = presentFullScreen({
  app,
  words: wordsFor("en"),
  colour: true,
  stdin: terminal.stdin,
  stdout: terminal.stdout,
  onCrash(error) {
    throw error;
  },
});
for (const key of [...(all ? ["A"] : []), ...Array.from({ length: 100 }, () => "\x1b[6~")]) {
  terminal.type(key);
  await new Promise((resolve) => setTimeout(resolve, 34));
}
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 200));
globalThis.gc?.();
const { rss, heapUsed, heapTotal } = process.memoryUsage();
process.stdout.write(
  `${parts} parts${all ? ", all selected" : ""}: resident ${(rss / 2 ** 20).toFixed(0)} MiB, heap ${(heapUsed / 2 ** 20).toFixed(0)} of ${(heapTotal / 2 ** 20).toFixed(0)} MiB\n`,
);
presentation.close();
app.close();
