import { presentFullScreen } from "../../../components/terminal/presentation.tsx";
import { createApp } from "../../../src/state/index.ts";
import { wordsFor } from "../../../src/words/index.ts";
import { FakePlugin } from "../../components/fake-plugin.ts";
import { type FakeHistory, FakePruning } from "../../components/fake-ports.ts";
import { historyOfParts, historyOfSessions } from "./histories.ts";
import { TerminalInMemory } from "./terminal-in-memory.ts";

const FRAME = 40;
const WARM_UP = 60;
const KEYS = 150;

interface Measured {
  /** Milliseconds from a key to its frame. */
  readonly median: number;
  readonly p95: number;
  /** Most bytes that one key wrote. */
  readonly bytes: number;
}

/** From a key press to the bytes on the terminal, 120 × 40: cursor movements, one by one, as a hand makes them. */
async function measure(history: FakeHistory, sessionID?: string): Promise<Measured> {
  const terminal = new TerminalInMemory(120, 40);
  const app = createApp(
    { history, pruning: new FakePruning(history), plugin: new FakePlugin() },
    { size: { columns: 120, rows: 40 }, ...(sessionID === undefined ? {} : { sessionID }) },
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
  const times: number[] = [];
  let bytes = 0;
  for (let key = 0; key < WARM_UP + KEYS; key += 1) {
    await new Promise((resolve) => setTimeout(resolve, FRAME));
    const before = terminal.bytes;
    const start = performance.now();
    await terminal.drawnAfter(key % 50 < 25 ? "j" : "k");
    const time = performance.now() - start;
    if (key < WARM_UP) continue;
    times.push(time);
    bytes = Math.max(bytes, terminal.bytes - before);
  }
  presentation.close();
  app.close();
  times.sort((one, other) => one - other);
  return { median: times[KEYS / 2] ?? 0, p95: times[Math.floor(KEYS * 0.95)] ?? 0, bytes };
}

async function compare(
  what: string,
  few: readonly [FakeHistory, string?],
  many: readonly [FakeHistory, string?],
): Promise<void> {
  const small = await measure(...few);
  const large = await measure(...many);
  const show = ({ median, p95, bytes }: Measured) =>
    `median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, at most ${bytes} bytes a key`;
  process.stdout.write(
    [
      `${what}, 50: ${show(small)}`,
      `${what}, many: ${show(large)}`,
      `${what}, many beside 50: ${(large.median / small.median).toFixed(2)} times (wanted: at most 1.5)`,
      "",
    ].join("\n"),
  );
}

await compare("sessions", [historyOfSessions(50)], [historyOfSessions(10_000)]);
await compare("parts", [historyOfParts(50), "ses_0"], [historyOfParts(50_000), "ses_0"]);
