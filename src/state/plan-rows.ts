import type { PlannedMessage, PlannedPart, PrunePlan, Refusal } from "./ports.ts";

/** The rows of a preview: what will be refused first, then each message and, where it is opened, its parts. */
export type PlanRow =
  | { readonly kind: "refused"; readonly key: string; readonly refusal: Refusal }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: PlannedMessage;
      readonly open: boolean;
    }
  | {
      readonly kind: "part";
      readonly key: string;
      readonly message: PlannedMessage;
      readonly part: PlannedPart;
    };

/** Every message is open at first; `closed` names those that the user closed. */
export function planRows(plan: PrunePlan, closed: ReadonlySet<string>): readonly PlanRow[] {
  const rows: PlanRow[] = refusalRows(plan.refused);
  for (const message of plan.messages) {
    const open = !closed.has(message.messageID);
    rows.push({ kind: "message", key: message.messageID, message, open });
    if (!open) continue;
    for (const part of message.goes) {
      rows.push({ kind: "part", key: `${message.messageID} ${part.index}`, message, part });
    }
  }
  return rows;
}

export function refusalRows(refused: readonly Refusal[]): (PlanRow & { kind: "refused" })[] {
  return refused.map((refusal, index) => ({
    kind: "refused",
    key: `refused ${index} ${refusal.messageID}`,
    refusal,
  }));
}
