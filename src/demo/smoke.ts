import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type MessageOutline, outlineMessage, type PartOutline } from "../contract/index.ts";
import { referenceTo } from "../pruning/index.ts";
import type { PruningPort } from "../state/ports.ts";
import type { Demo } from "./demo.ts";
import { nativeMessages, type StoredMessage } from "./native-messages.ts";
import { readStoredRows, withoutParts } from "./stored-rows.ts";

/** Says what was done, one line a step. */
export type Say = (line: string) => void;

/** Something of the demo is not as it must be. The message is one sentence. */
export class SmokeError extends Error {
  override readonly name = "SmokeError";
}

/**
 * Prunes one tool part and one reasoning part of a sample session through the app's own pruning, and checks
 * through the native API and in the database that they are gone and nothing else has changed.
 * @throws SmokeError at the first thing that is not so.
 */
export async function pruneAndCheck(demo: Demo, pruning: PruningPort, say: Say): Promise<void> {
  const before = await nativeMessages(demo.daemon);
  const rowsBefore = readStoredRows(demo.daemon.database);
  const chosen = choose(before, new Set([demo.seeded.running, demo.seeded.reverted]));
  const { sessionID, outline, parts } = chosen;
  for (const part of parts)
    say(`selected part ${part.index} of ${outline.messageID}: ${nameOf(part)}, ${part.bytes} bytes`);

  const plan = await pruning.plan(
    parts.map((part) => referenceTo({ sessionID, messageID: outline.messageID }, part)),
  );
  expect(plan.refused.length === 0, `the plan refused ${plan.refused[0]?.reason}`);
  expect(plan.parts === parts.length, `the plan has ${plan.parts} parts instead of ${parts.length}`);
  const stays = plan.messages[0]?.stays.parts;
  say(`previewed: ${plan.parts} parts go (${plan.bytes} bytes), ${stays} of the message's parts stay`);

  const report = await pruning.prune(plan, {});
  expect(report.refused.length === 0, `the prune was refused: ${report.refused[0]?.reason}`);
  expect(report.prunedParts === parts.length, `${report.prunedParts} parts were pruned`);
  say(`pruned: ${report.prunedParts} parts, ${report.prunedBytes} bytes`);

  const removed = new Set(parts.map((part) => part.index));
  const after = await nativeMessages(demo.daemon);
  const kept = compareMessages(before, after, outline.messageID, removed);
  say(`checked natively: the ${parts.length} parts are gone, ${kept} other parts are identical`);

  const rowsAfter = readStoredRows(demo.daemon.database);
  const texts = compareRows(rowsBefore, rowsAfter, demo, outline.messageID, removed);
  say(`checked in the database: every byte that stays is the same, ${texts} text parts among it`);
}

/** Checks that nothing is left of a demo that was removed. */
export function checkNothingLeft(pid: number, folder: string, say: Say): void {
  expect(!isRunning(pid), `process ${pid} still runs`);
  expect(!existsSync(folder), `the folder ${folder} is still there`);
  say(`ended: process ${pid} is gone, ${folder} is gone`);
}

interface Choice {
  readonly sessionID: string;
  readonly outline: MessageOutline;
  /** One tool part and one reasoning part. */
  readonly parts: readonly PartOutline[];
}

/** The first message that has a tool part, a reasoning part and something besides them. */
function choose(messages: readonly StoredMessage[], avoid: ReadonlySet<string>): Choice {
  for (const { sessionID, message } of messages) {
    if (message.type !== "assistant" || avoid.has(sessionID)) continue;
    const outline = outlineMessage(message);
    const tool = outline.parts.find((part) => part.type === "tool");
    const reasoning = outline.parts.find((part) => part.type === "reasoning");
    const rest = outline.parts.length + outline.kept.parts - 2;
    if (tool && reasoning && rest > 0 && outline.unprunable === undefined)
      return { sessionID, outline, parts: [tool, reasoning] };
  }
  throw new SmokeError("The samples have no message with a tool part and a reasoning part.");
}

/** Answers how many parts stayed. */
function compareMessages(
  before: readonly StoredMessage[],
  after: readonly StoredMessage[],
  prunedID: string,
  removed: ReadonlySet<number>,
): number {
  expect(before.length === after.length, `there were ${before.length} messages and now ${after.length}`);
  let parts = 0;
  before.forEach(({ message }, position) => {
    const expected =
      message.id === prunedID
        ? { ...message, content: message.content.filter((_, index) => !removed.has(index)) }
        : message;
    const found = after[position]?.message;
    expect(isDeepStrictEqual(found, expected), `message ${message.id} is not what it should be`);
    parts += expected.content?.length ?? 0;
  });
  return parts;
}

/** Answers how many text parts there are. */
function compareRows(
  before: ReturnType<typeof readStoredRows>,
  after: ReturnType<typeof readStoredRows>,
  demo: Demo,
  prunedID: string,
  removed: ReadonlySet<number>,
): number {
  let texts = 0;
  for (const [messageID, row] of before) {
    // What the held-open model has said so far is written when the daemon likes.
    if (!row.settled) continue;
    const found = after.get(messageID);
    const data = messageID === prunedID ? withoutParts(demo.daemon.database, row.data, removed) : row.data;
    expect(found?.data.equals(data) ?? false, `the stored bytes of ${messageID} are not what they should be`);
    expect(isDeepStrictEqual(found?.texts, row.texts), `the text parts of ${messageID} changed`);
    texts += row.texts.length;
  }
  return texts;
}

function nameOf(part: PartOutline): string {
  return part.type === "tool" ? `tool ${part.toolName} (${part.label})` : "reasoning";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new SmokeError(`The demo failed: ${otherwise}.`);
}
