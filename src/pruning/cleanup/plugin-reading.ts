import type * as z from "zod";
import {
  appendOutlines,
  type Candidate,
  HISTORY_METHOD,
  HistoryOutput,
  type MessageOutline,
  OUTLINE_METHOD,
  OutlineOutput,
  PRUNING_RPC,
  READING_RPC,
  type ReadingRefusal,
} from "../../contract/index.ts";
import { answerPages, type OpenCodeClient, type PagedMethod, RpcRefusedError } from "../../opencode/index.ts";
import type { RefusalReason } from "../../state/ports.ts";

export interface PluginPlace {
  readonly sessionID: string;
  readonly directory: string;
}

/** What a scan of several pages came to. `absent`: the daemon's plugin has no such method. */
export type Scanned<Found> =
  | { readonly found: Found }
  | { readonly refused: RefusalReason }
  | { readonly passing: RefusalReason }
  | { readonly absent: true };

/** The outlines of a session's assistant messages, read inside the daemon; refused when nothing of it can be pruned now. */
export async function scanOutlines(
  client: OpenCodeClient,
  place: PluginPlace,
  signal: AbortSignal | undefined,
): Promise<Scanned<readonly MessageOutline[]>> {
  const messages: MessageOutline[] = [];
  const pages = paged(client, READING_RPC, OUTLINE_METHOD, place, {}, OutlineOutput);
  for await (const page of answerPages(pages, signal)) {
    if (page === undefined) return { absent: true };
    if (page.status === "refused") return meaningOf(page.reason);
    if (page.blocked !== null) return { refused: page.blocked };
    appendOutlines(messages, page.messages);
  }
  return { found: messages };
}

/** The messages of a session that may be pruned, each with its revision and how many technical parts it has. */
export async function scanCandidates(
  client: OpenCodeClient,
  place: PluginPlace,
  signal: AbortSignal | undefined,
): Promise<Scanned<ReadonlyMap<string, Candidate>>> {
  const candidates = new Map<string, Candidate>();
  const input = { query: "", includeTechnical: true, purpose: "prune" };
  const pages = paged(client, PRUNING_RPC, HISTORY_METHOD, place, input, HistoryOutput);
  for await (const page of answerPages(pages, signal)) {
    if (page === undefined) return { absent: true };
    if (page.status === "blocked") {
      // A conflict is a cursor that the daemon no longer takes: from the beginning, then.
      if (page.reason === "conflict") return { passing: "maintenance_required" };
      return page.reason === "maintenance_required" ? { passing: page.reason } : { refused: page.reason };
    }
    for (const candidate of page.candidates) candidates.set(candidate.messageID, candidate);
  }
  return { found: candidates };
}

/** A method of the plugin's as it is asked page by page; what refuses it there counts as its absence. */
function paged<Output>(
  client: OpenCodeClient,
  rpcID: string,
  method: string,
  { sessionID, directory }: PluginPlace,
  input: object,
  schema: z.ZodType<Output>,
): PagedMethod<Output> {
  return {
    ask: async (cursor, signal) => {
      const whole = { sessionID, ...input, ...(cursor === undefined ? {} : { cursor }) };
      try {
        const request = { rpcID, method, input: whole, location: { directory } };
        return (await client.rpc.call(request, { signal })).output;
      } catch (error) {
        if (error instanceof RpcRefusedError) return undefined;
        throw error;
      }
    },
    check: (answer) => schema.safeParse(answer).data,
  };
}

function meaningOf(
  reason: ReadingRefusal,
): { readonly refused: RefusalReason } | { readonly passing: RefusalReason } {
  switch (reason) {
    case "missing":
      return { refused: "vanished" };
    case "other_location":
      return { refused: "not_deletable" };
    case "unavailable":
    case "unsupported_storage":
      return { refused: reason };
    case "maintenance_required":
    case "cursor_foreign":
    case "cursor_stale":
    case "cursor_forged":
      return { passing: "maintenance_required" };
  }
}
