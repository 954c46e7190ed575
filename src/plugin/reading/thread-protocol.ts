import type { StoredMessage } from "../stored-message.ts";
import type { ProofRequest, ReadRequest, StoredRequest } from "./reader.ts";

/**
 * What the daemon's thread and the reading thread say to each other. Raise the number with every change: a plugin
 * that was loaded before an update may start the thread of the version after it.
 */
export const THREAD_PROTOCOL = 2;

export type Question =
  | { readonly kind: "read"; readonly id: number; readonly request: ReadRequest }
  | { readonly kind: "prove"; readonly id: number; readonly request: ProofRequest }
  | { readonly kind: "stored"; readonly id: number; readonly request: StoredRequest }
  /** Nobody waits for this answer any more. */
  | { readonly kind: "abort"; readonly id: number };

export type Reply =
  /** Said once, first. */
  | { readonly kind: "ready"; readonly protocol: number }
  /** `answer` is JSON: cheaper to take in than a cloned object, on the thread that must stay free. */
  | { readonly kind: "read"; readonly id: number; readonly answer: string }
  | { readonly kind: "proved"; readonly id: number; readonly visible: boolean }
  | { readonly kind: "stored"; readonly id: number; readonly messages: readonly (StoredMessage | null)[] }
  /** A fault of the plugin's own; the thread goes on. */
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
