import type { OpenCodeClient } from "../opencode/index.ts";

/** What has to be known of a session before any of its messages is asked for. */
export interface SessionPlace {
  readonly directory: string;
  /** It runs, or a revert is staged: the plugin would refuse every message of it. */
  readonly inUse: boolean;
}

/** Reads where a session is and whether it is in use. Throws the client's errors. */
export async function readPlace(
  client: OpenCodeClient,
  sessionID: string,
  signal?: AbortSignal,
): Promise<SessionPlace> {
  const { location, revert } = await client.session.get({ sessionID }, { signal });
  const isReverted = revert !== undefined && revert !== null;
  const inUse = isReverted || Object.hasOwn(await client.session.active({ signal }), sessionID);
  return { directory: location.directory, inUse };
}
