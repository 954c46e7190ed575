import type { RefusalReason } from "../state/ports.ts";
import { createQuantities } from "../words/quantities.ts";

export const quantities = createQuantities("en");

/** Why a message was not pruned. */
export const REFUSAL_WORDS: Readonly<Record<RefusalReason, string>> = {
  unavailable: "the plugin did not answer",
  maintenance_required: "the session is in use, or a revert is staged",
  conflict: "the message changed meanwhile",
  not_deletable: "OpenCode's rules do not allow it",
  unsupported_storage: "the server's storage is not one that the plugin knows",
  ambiguous: "several parts look the same",
  vanished: "it is gone already",
  incomplete: "it is not finished yet",
  unknown_outcome: "no answer came, so it may or may not have been pruned",
};

/** `1 message`, `12,345 messages`. */
export function counted(count: number, noun: string): string {
  return `${quantities.count(count)} ${noun}${count === 1 ? "" : "s"}`;
}
