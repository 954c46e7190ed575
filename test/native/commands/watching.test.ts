import { afterAll, beforeAll, expect, it } from "vitest";
import { revisionOf } from "../../../src/contract/index.ts";
import { assistantMessage, reasoningPart, textPart } from "../support/messages.ts";
import { type NetworkProxy, startProxy } from "../support/proxy.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";
import { publishedDocument } from "../support/published-document.ts";
import { startCli } from "../support/run-cli.ts";

/** As many prunes as one a second makes in an hour, as fast as the daemon does them. */
const SESSIONS = 20;
const MESSAGES = 180;
const GAPS = 6;
/** Of the messages of each session between two gaps, so many go while nobody is connected. */
const IN_GAP = 2;

let native: PruningDaemon;
let proxy: NetworkProxy;

beforeAll(async () => {
  native = await startPruningDaemon();
  proxy = await startProxy(() => Number(new URL(native.daemon.url).port));
}, 60_000);

afterAll(async () => {
  await proxy?.close();
  await native?.remove();
});

const message = (session: number, at: number) =>
  assistantMessage(`msg_${session}_${String(at).padStart(3, "0")}`, [
    textPart("kept"),
    reasoningPart("gone"),
  ]);

/** Prunes some messages of a session, past the proxy, and answers their ids. */
async function prune(session: number, positions: readonly number[]): Promise<readonly string[]> {
  const requests = positions.map((at) => {
    const { id, content } = message(session, at);
    return { messageID: id, revision: revisionOf(content), indexes: [1] };
  });
  for (let left = requests; left.length > 0; ) {
    const { body } = await native.rpc("pruneBulk", { sessionID: `ses_${session}`, requests: left });
    const { results } = body.output;
    for (const { result } of results) expect(result).toMatchObject({ status: "pruned" });
    left = left.slice(results.length);
  }
  return requests.map(({ messageID }) => messageID);
}

it("watch loses none of an hour's prunes while it is connected, and reports every gap", async () => {
  for (let session = 0; session < SESSIONS; session += 1) {
    const messages = Array.from({ length: MESSAGES }, (_, at) => message(session, at));
    await native.importSession(`ses_${session}`, messages);
  }
  const watching = startCli(["watch", "--json", "--server", proxy.url], native.daemon.environment);
  const reaches = (event: string, count: number) =>
    expect
      .poll(() => watching.output().split(`"event":"${event}"`).length - 1, { timeout: 60_000 })
      .toBe(count);
  await reaches("connected", 1);

  const sent: string[] = [];
  const missed: string[] = [];
  const missedIn: string[][] = [];
  const perGap = MESSAGES / GAPS;
  for (let gap = 0; gap < GAPS; gap += 1) {
    const from = gap * perGap;
    const range = (start: number, end: number) =>
      Array.from({ length: end - start }, (_, at) => from + start + at);
    for (let session = 0; session < SESSIONS; session += 1) {
      sent.push(...(await prune(session, range(0, perGap - IN_GAP))));
    }
    await reaches("pruned", sent.length);
    proxy.refuse(true);
    proxy.cut();
    await reaches("lost", gap + 1);
    // Not in every session, so that it can be told which ones changed.
    const touched = Array.from({ length: SESSIONS }, (_, session) => session).filter(
      (session) => session % 2 === gap % 2,
    );
    for (const session of touched) missed.push(...(await prune(session, range(perGap - IN_GAP, perGap))));
    missedIn.push(touched.map((session) => `ses_${session}`));
    proxy.refuse(false);
    await reaches("reconciled", gap + 1);
  }
  watching.child.kill("SIGINT");
  const ended = await watching.ended;
  expect(ended).toMatchObject({ code: 0, stderr: "" });

  const told = ended.stdout
    .trimEnd()
    .split("\n")
    .map((line) => publishedDocument("event", line));
  const reported = told.flatMap((one) => (one.event === "pruned" ? [one.messageID] : []));
  expect(reported.toSorted()).toEqual(sent.toSorted());
  expect(sent.length + missed.length).toBeGreaterThan(3_400);
  const reconciled = told.flatMap((one) => (one.event === "reconciled" ? [one] : []));
  expect(reconciled.map(({ exact }) => exact)).toEqual(missedIn.map(() => true));
  for (const [gap, { changed }] of reconciled.entries()) {
    // What changed a moment before the loss may be told with what changed after it; nothing is left out.
    expect(changed).toEqual(expect.arrayContaining(missedIn[gap] ?? []));
  }
}, 300_000);
