import {
  type Connection,
  type ConnectOptions,
  connect,
  type NamedServer,
  NotFoundError,
  nameServer,
  type OpenCodeClient,
  type Session,
} from "../opencode/index.ts";
import type { HistorySource, SessionListing } from "../sync/index.ts";
import { CommandFailure } from "./failure.ts";

/** Options that every command takes. */
export interface GlobalOptions {
  /** The address of a server; without it the background service is used. */
  readonly server?: string;
  readonly insecure?: boolean;
  /** Prints the document instead of text for people. */
  readonly json?: boolean;
}

export function openConnection(options: GlobalOptions, signal?: AbortSignal): Promise<Connection> {
  return connect(connectOptions(options, signal));
}

/** The server that the options mean, before it is asked anything. */
export function namedServer(options: GlobalOptions, signal: AbortSignal): Promise<NamedServer> {
  return nameServer(connectOptions(options, signal));
}

function connectOptions({ server, insecure }: GlobalOptions, signal?: AbortSignal): ConnectOptions {
  return { server, insecure, environment: process.env, signal };
}

/** The session with that id, or a failure that says how to find one. */
export async function findSession(
  client: OpenCodeClient,
  sessionID: string,
  signal?: AbortSignal,
): Promise<Session> {
  if (!sessionID.startsWith("ses")) throw unknownSession(sessionID);
  try {
    return await client.session.get({ sessionID }, { signal });
  } catch (error) {
    throw error instanceof NotFoundError ? unknownSession(sessionID) : error;
  }
}

/** As `findSession`, with what the session is doing. */
export async function listSession(
  client: OpenCodeClient,
  source: HistorySource,
  sessionID: string,
  signal: AbortSignal,
): Promise<SessionListing> {
  await findSession(client, sessionID, signal);
  const listing = await source.session(sessionID, signal);
  if (!listing) throw unknownSession(sessionID);
  return listing;
}

export function unknownSession(sessionID: string): CommandFailure {
  return new CommandFailure(`There is no session ${sessionID}; list them with \`opencode-prune sessions\`.`);
}
