import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { cacheFolder, MessageCache } from "../../../src/cache/index.ts";
import { processorTime } from "./processor-time.ts";
import { median, note, report } from "./report.ts";
import { seedDaemon } from "./seeded-daemon.ts";

const SESSIONS = 5_000;
const MESSAGES = 5;
const RUNS = 15;

/** From the start of the process to the frame with the heaviest session on it, beside an Ink hello world. */
const CLI = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));
const HELLO = fileURLToPath(new URL("hello-world.mjs", import.meta.url));
const { daemon } = await seedDaemon(1, 1, 100);
const home = mkdtempSync(join(tmpdir(), "opencode-prune-bench-"));
const environment: NodeJS.ProcessEnv = {
  ...daemon.environment,
  XDG_CACHE_HOME: home,
  TERM: "xterm-256color",
};
// Where the environment says CI, Ink draws nothing until it ends.
delete environment.CI;

try {
  const frames: Shown[] = [];
  const hellos: Shown[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    fill();
    hellos.push(await untilShown([HELLO], "Hello, world"));
    frames.push(await untilShown([CLI, "--server", daemon.url], "Session number 4999"));
  }
  const middle = (shown: readonly Shown[], of: keyof Shown) => median(shown.map((one) => one[of]));
  const [frame, hello] = [middle(frames, "wall"), middle(hellos, "wall")];
  report(
    `first useful frame with ${SESSIONS} cached sessions, beside an Ink hello world`,
    `${frame.toFixed(0)} ms beside ${hello.toFixed(0)} ms, medians of ${RUNS}: ${(frame / hello).toFixed(2)} x`,
    "within 2 x",
    frame <= 2 * hello,
  );
  const [frameCpu, helloCpu] = [middle(frames, "cpu"), middle(hellos, "cpu")];
  note(
    `processor time until then, which a busy machine changes less: ${frameCpu.toFixed(0)} ms beside ${helloCpu.toFixed(0)} ms: ${(frameCpu / helloCpu).toFixed(2)} x`,
  );
} finally {
  await daemon.remove();
  rmSync(home, { recursive: true });
}

/** What an earlier run left: sessions that the daemon does not have, which the app finds out after its first frame. */
function fill(): void {
  const cache = new MessageCache({ folder: cacheFolder({ XDG_CACHE_HOME: home }), server: daemon.url });
  cache.keep(
    Array.from({ length: SESSIONS }, (_, n) => ({
      listing: {
        sessionID: `ses_cached_${n}`,
        title: `Session number ${n}`,
        directory: "/work/project",
        projectID: "global",
        created: 1_700_000_000_000 + n,
        updated: 1_700_000_000_000 + n,
      },
      content: {
        totals: {
          messages: MESSAGES,
          storedBytes: 1_000 * n,
          technical: { parts: 2 * MESSAGES, bytes: 900 * n },
          fingerprint: `f${n}`,
        },
        outline: {
          messages: Array.from({ length: MESSAGES }, (_, at) => ({
            messageID: `msg_${n}_${at}`,
            created: 1_700_000_000_000,
            completed: 1_700_000_000_100,
            storedBytes: 200 * n,
            parts: [
              { index: 0, type: "reasoning" as const, bytes: 90 * n, label: "" },
              {
                index: 1,
                type: "tool" as const,
                bytes: 90 * n,
                label: "",
                toolID: "call_1",
                toolName: "read",
              },
            ],
            kept: { parts: 1, bytes: 20 },
          })),
          others: { messages: 0, bytes: 0 },
        },
      },
    })),
  );
  cache.close();
}

interface Shown {
  /** Milliseconds from the start of the process. */
  readonly wall: number;
  /** Milliseconds that it took of the processors. */
  readonly cpu: number;
}

function untilShown(args: readonly string[], text: string): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [...args], { cols: 120, rows: 40, cwd: home, env: environment });
    let output = "";
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`"${text}" was not shown within 30 s; last: ${output.slice(-2_000)}`));
    }, 30_000);
    let shown: Shown | undefined;
    child.onData((data) => {
      output += data;
      if (shown !== undefined || !output.includes(text)) return;
      shown = { wall: performance.now() - start, cpu: processorTime(child.pid) };
      child.kill("SIGKILL");
    });
    child.onExit(() => {
      clearTimeout(limit);
      if (shown === undefined)
        reject(new Error(`It ended without showing "${text}": ${output.slice(-2_000)}`));
      else resolve(shown);
    });
  });
}
