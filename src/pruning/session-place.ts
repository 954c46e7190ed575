import type { OpenCodeClient, Session } from "../opencode/index.ts";
import type { RefusalReason } from "../state/ports.ts";
import type { Deliveries } from "./sending/index.ts";

/** Whether a session runs, or a revert is staged: the plugin would refuse every message of it. */
export async function isInUse(
  client: OpenCodeClient,
  { id, revert }: Session,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const isReverted = revert !== undefined && revert !== null;
  return isReverted || Object.hasOwn(await client.session.active({ signal }), id);
}

/** Where the plugin is asked for a session's messages, or why it would refuse all of them. */
export type SessionPlace = { readonly directory: string } | { readonly refused: RefusalReason };

/** Throws the client's errors. A plugin that is not there yet is no refusal. */
export async function readPlace(
  client: OpenCodeClient,
  deliveries: Deliveries,
  sessionID: string,
  signal: AbortSignal | undefined,
): Promise<SessionPlace> {
  const session = await client.session.get({ sessionID }, { signal });
  if (await isInUse(client, session, signal)) return { refused: "maintenance_required" };
  const { directory } = session.location;
  const delivery = await deliveries.of(directory, { signal });
  return delivery === "folder_unusable" ? { refused: delivery } : { directory };
}
