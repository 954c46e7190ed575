import {
  type Connection,
  connect,
  NotFoundError,
  type OpenCodeClient,
  type Session,
} from "../opencode/index.ts";
import { CommandFailure } from "./failure.ts";

/** Options that every command takes. */
export interface GlobalOptions {
  /** The address of a server; without it the background service is used. */
  readonly server?: string;
  readonly insecure?: boolean;
}

export function openConnection(options: GlobalOptions, signal?: AbortSignal): Promise<Connection> {
  return connect({ server: options.server, insecure: options.insecure, environment: process.env, signal });
}

/** The session with that id, or a failure that says how to find one. */
export async function findSession(
  client: OpenCodeClient,
  sessionID: string,
  signal?: AbortSignal,
): Promise<Session> {
  const unknown = `There is no session ${sessionID}; list them with \`opencode-prune sessions\`.`;
  if (!sessionID.startsWith("ses")) throw new CommandFailure(unknown);
  try {
    return await client.session.get({ sessionID }, { signal });
  } catch (error) {
    throw error instanceof NotFoundError ? new CommandFailure(unknown) : error;
  }
}
