import type { Confirmation } from "./app-state.ts";
import type { CleanupPlan, PrunePlan } from "./ports.ts";

/** More parts than this are not deleted on one key press. */
export const TYPED_ABOVE_PARTS = 500;

/** What it takes to confirm a prune: `y`, and for much at once the number of parts too. */
export function pruneConfirmation(plan: PrunePlan): Confirmation {
  return { parts: plan.parts, typed: plan.parts > TYPED_ABOVE_PARTS };
}

/** A whole session never goes without the number. */
export function cleanupConfirmation(plan: CleanupPlan): Confirmation {
  return { parts: plan.parts, typed: true };
}

export function isConfirmedBy(confirmation: Confirmation, text: string): boolean {
  return text.trim() === String(confirmation.parts);
}
