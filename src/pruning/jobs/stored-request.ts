import * as z from "zod";
import { BulkRequest } from "../../contract/index.ts";
import type { SizedRequest } from "../sending/index.ts";
import type { OpenRequest, OpenRequests, UnreadableRequest } from "./job.ts";

/** A row of table `request`, as far as it is written once. */
export interface RequestRow {
  readonly message: string;
  readonly revision: string;
  readonly tools: number | null;
  readonly reasoning: number | null;
  readonly indexes: string | null;
  readonly parts: number;
  readonly bytes: number;
}

export interface OpenRequestRow extends RequestRow {
  readonly position: number;
  readonly session: string;
  readonly directory: string;
  readonly state: string;
}

export function requestToRow({ request, parts, bytes }: SizedRequest): RequestRow {
  const named = { message: request.messageID, revision: request.revision, parts, bytes };
  return "indexes" in request
    ? { ...named, tools: null, reasoning: null, indexes: JSON.stringify(request.indexes) }
    : { ...named, tools: request.toolCount, reasoning: request.reasoningCount, indexes: null };
}

export function openRequests(rows: readonly OpenRequestRow[]): OpenRequests {
  const requests: OpenRequest[] = [];
  const unreadable: UnreadableRequest[] = [];
  for (const row of rows) {
    const request = requestFromRow(row);
    if (!("problem" in request)) requests.push(request);
    else {
      const { position, session: sessionID, message: messageID } = row;
      unreadable.push({ position, sessionID, messageID, problem: request.problem });
    }
  }
  return { requests, unreadable };
}

const Amount = z.number().int().min(0);

/** The request that a row holds, or why it holds none. */
function requestFromRow(row: OpenRequestRow): OpenRequest | { readonly problem: string } {
  const request = BulkRequest.safeParse({
    messageID: row.message,
    revision: row.revision,
    ...(row.tools === null ? {} : { toolCount: row.tools }),
    ...(row.reasoning === null ? {} : { reasoningCount: row.reasoning }),
    ...(row.indexes === null ? {} : { indexes: fromJson(row.indexes) }),
  });
  if (!request.success) return { problem: "it is not a request of the contract" };
  const amounts = z.object({ parts: Amount, bytes: Amount }).safeParse(row);
  if (!amounts.success) return { problem: "its amounts are not amounts" };
  if (row.directory === "") return { problem: "it has no directory" };
  return {
    position: row.position,
    sessionID: row.session,
    directory: row.directory,
    request: request.data,
    ...amounts.data,
    wasSent: row.state === "sent",
  };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
