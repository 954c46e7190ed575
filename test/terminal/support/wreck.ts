import { assistantMessage, reasoningPart, textPart, toolPart } from "../../native/support/messages.ts";
import type { AppDaemon } from "./app-daemon.ts";

/** A session of many messages, each with a text, a reasoning and a tool part: `ses_wreck`, "Raise the wreck". */
export function importWreck(native: AppDaemon, messages: number): Promise<void> {
  return native.importSession(
    "ses_wreck",
    "Raise the wreck",
    Array.from({ length: messages }, (_, n) =>
      assistantMessage(`msg_wreck_${n}`, [
        textPart(`Kept ${n}.`),
        reasoningPart(`Thought ${n}.`),
        toolPart(`call_${n}`, "timber ".repeat(100)),
      ]),
    ),
  );
}
