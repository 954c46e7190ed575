import type { MessageOutline, Unprunable } from "../contract/index.ts";
import type { CachedListing, CachedOutline, CachedSession, CachedTotals } from "./cached-session.ts";
import { checkedID } from "./checked-id.ts";
import { partsFromText, partsToText } from "./stored-parts.ts";

export interface ListingRow {
  readonly id: string;
  readonly title: string;
  readonly directory: string;
  readonly project: string;
  readonly parent: string | null;
  readonly created: number;
  readonly updated: number;
}

/** The totals of a session; all null until its messages were read. */
export interface ContentRow {
  readonly messages: number | null;
  readonly stored_bytes: number | null;
  readonly technical_parts: number | null;
  readonly technical_bytes: number | null;
  readonly other_messages: number | null;
  readonly other_bytes: number | null;
  readonly fingerprint: string | null;
}

export interface MessageRow {
  readonly id: string;
  readonly position: number;
  readonly created: number;
  readonly completed: number | null;
  readonly stored_bytes: number;
  readonly unprunable: string | null;
  readonly kept_parts: number;
  readonly kept_bytes: number;
  readonly parts: string;
}

export function listingToRow(listing: CachedListing): ListingRow {
  return {
    id: checkedID(listing.sessionID, "session"),
    title: listing.title,
    directory: listing.directory,
    project: listing.projectID,
    parent: listing.parentID === undefined ? null : checkedID(listing.parentID, "session"),
    created: Math.round(listing.created),
    updated: Math.round(listing.updated),
  };
}

export function contentToRow(totals: CachedTotals, { others }: CachedOutline): ContentRow {
  return {
    messages: totals.messages,
    stored_bytes: totals.storedBytes,
    technical_parts: totals.technical.parts,
    technical_bytes: totals.technical.bytes,
    other_messages: others.messages,
    other_bytes: others.bytes,
    fingerprint: totals.fingerprint ?? null,
  };
}

export function messageToRow(message: MessageOutline, position: number): MessageRow {
  return {
    id: checkedID(message.messageID, "message"),
    position,
    created: Math.round(message.created),
    completed: message.completed === undefined ? null : Math.round(message.completed),
    stored_bytes: message.storedBytes,
    unprunable: message.unprunable ?? null,
    kept_parts: message.kept.parts,
    kept_bytes: message.kept.bytes,
    parts: partsToText(message.parts),
  };
}

export function sessionFromRow(row: ListingRow & ContentRow): CachedSession {
  const { messages, stored_bytes, technical_parts, technical_bytes, fingerprint } = row;
  const isRead =
    messages !== null && stored_bytes !== null && technical_parts !== null && technical_bytes !== null;
  return {
    sessionID: row.id,
    title: row.title,
    directory: row.directory,
    projectID: row.project,
    ...(row.parent === null ? {} : { parentID: row.parent }),
    created: row.created,
    updated: row.updated,
    ...(isRead
      ? {
          totals: {
            messages,
            storedBytes: stored_bytes,
            technical: { parts: technical_parts, bytes: technical_bytes },
            ...(fingerprint === null ? {} : { fingerprint }),
          },
        }
      : {}),
  };
}

/** The outline again; undefined when a row of it cannot be understood. */
export function outlineFromRows(content: ContentRow, rows: readonly MessageRow[]): CachedOutline | undefined {
  const { other_messages, other_bytes } = content;
  if (other_messages === null || other_bytes === null) return undefined;
  const messages: MessageOutline[] = [];
  for (const row of rows) {
    const parts = partsFromText(row.parts);
    if (!parts) return undefined;
    messages.push({
      messageID: row.id,
      created: row.created,
      ...(row.completed === null ? {} : { completed: row.completed }),
      storedBytes: row.stored_bytes,
      ...(row.unprunable === null ? {} : { unprunable: row.unprunable as Unprunable }),
      parts,
      kept: { parts: row.kept_parts, bytes: row.kept_bytes },
    });
  }
  return { messages, others: { messages: other_messages, bytes: other_bytes } };
}
