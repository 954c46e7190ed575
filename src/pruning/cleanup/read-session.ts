import { type Candidate, type MessageOutline, outlineMessage, revisionOf } from "../../contract/index.ts";
import {
  isAssistant,
  MalformedError,
  messagePages,
  NotFoundError,
  type OpenCodeClient,
  ServerError,
} from "../../opencode/index.ts";
import { type Deliveries, type Delivery, isNoDelivery, wait } from "../sending/index.ts";
import { isInUse } from "../session-place.ts";
import { type PluginPlace, type Scanned, scanCandidates, scanOutlines } from "./plugin-reading.ts";
import { isTechnical, type SessionReading, SessionSorter } from "./session-reading.ts";

export interface Reading {
  readonly client: OpenCodeClient;
  readonly deliveries: Deliveries;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds before each further attempt when the database is busy. */
  readonly retries: readonly number[];
}

/**
 * Reads afresh what a session holds, and the revision of each of its messages. The plugin does both without sending
 * any content; where it does not have the methods, whole messages come over the wire, a page at a time.
 */
export async function readSession(reading: Reading, sessionID: string): Promise<SessionReading> {
  const { client, deliveries, signal } = reading;
  try {
    const session = await client.session.get({ sessionID }, { signal });
    const place = { sessionID, directory: session.location.directory };
    const delivery = await deliveries.of(place.directory);
    if (isNoDelivery(delivery)) return { refused: delivery };
    const throughPlugin = await readThroughPlugin(reading, place, delivery);
    if (throughPlugin !== undefined) return throughPlugin;
    if (await isInUse(client, session, signal)) return { refused: "maintenance_required" };
    return await readContent(reading, place, delivery);
  } catch (error) {
    if (error instanceof NotFoundError) return { refused: "vanished" };
    if (error instanceof MalformedError) return { refused: "not_deletable" };
    // One session that the daemon cannot read itself does not keep the others from being cleaned.
    if (error instanceof ServerError) return { refused: "unavailable" };
    throw error;
  }
}

/** Undefined where the plugin does not have the methods. */
async function readThroughPlugin(
  reading: Reading,
  place: PluginPlace,
  delivery: Delivery,
): Promise<SessionReading | undefined> {
  const { client, signal } = reading;
  // In this order: what an outline calls complete is complete when the candidates are looked for.
  const outlines = await patiently(reading, () => scanOutlines(client, place, signal));
  if (!("found" in outlines)) return "refused" in outlines ? outlines : undefined;
  if (!outlines.found.some(isTechnical)) return readingOf(place, delivery, new SessionSorter(delivery));
  const candidates = await patiently(reading, () => scanCandidates(client, place, signal));
  if (!("found" in candidates)) return "refused" in candidates ? candidates : undefined;

  const sorter = new SessionSorter(delivery);
  for (const outline of outlines.found) {
    if (!isTechnical(outline)) continue;
    const candidate = candidates.found.get(outline.messageID);
    if (outline.unprunable !== undefined) sorter.skip(outline, outline.unprunable);
    else if (candidate && isOf(candidate, outline)) sorter.ask(outline, candidate.revision);
    else await sortAgain(reading, place, outline, sorter);
  }
  return readingOf(place, delivery, sorter);
}

/** A message that is not what it was when it was outlined, or that the plugin will not prune. */
async function sortAgain(
  { client, signal }: Reading,
  { sessionID }: PluginPlace,
  before: MessageOutline,
  sorter: SessionSorter,
): Promise<void> {
  const { messageID } = before;
  const message = await unlessMissing(() => client.session.message({ sessionID, messageID }, { signal }));
  if (message === undefined || !isAssistant(message)) return;
  const outline = outlineMessage(message);
  if (outline.parts.length === 0) return;
  if (outline.unprunable !== undefined) sorter.skip(outline, outline.unprunable);
  else if (outline.parts.length === before.parts.length) sorter.skip(outline, "malformed");
  else sorter.ask(outline, revisionOf(message.content));
}

async function readContent(
  { client, signal }: Reading,
  place: PluginPlace,
  delivery: Delivery,
): Promise<SessionReading> {
  const sorter = new SessionSorter(delivery);
  for await (const page of messagePages(
    client,
    { sessionID: place.sessionID, type: "assistant" },
    { signal },
  )) {
    for (const message of page) {
      if (!isAssistant(message)) continue;
      const outline = outlineMessage(message);
      if (!isTechnical(outline)) continue;
      if (outline.unprunable !== undefined) sorter.skip(outline, outline.unprunable);
      else sorter.ask(outline, revisionOf(message.content));
    }
  }
  return readingOf(place, delivery, sorter);
}

function readingOf({ directory }: PluginPlace, delivery: Delivery, sorter: SessionSorter): SessionReading {
  return { directory, delivery, requests: sorter.requests, skipped: sorter.skipped };
}

function isOf(candidate: Candidate, { parts }: MessageOutline): boolean {
  const tools = parts.filter((part) => part.type === "tool").length;
  return candidate.toolCount === tools && candidate.reasoningCount === parts.length - tools;
}

/** Scans again from the beginning while what stands against it passes. */
async function patiently<Found>(
  { signal, retries }: Reading,
  scan: () => Promise<Scanned<Found>>,
): Promise<Exclude<Scanned<Found>, { passing: unknown }>> {
  for (let attempt = 0; ; attempt += 1) {
    const scanned = await scan();
    if (!("passing" in scanned)) return scanned;
    const delay = retries[attempt];
    if (delay === undefined) return { refused: scanned.passing };
    await wait(delay, signal);
  }
}

async function unlessMissing<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
