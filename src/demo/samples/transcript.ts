import type { Random } from "./random.ts";

/** A session as `POST /api/experimental/session/import` takes it. */
export interface ImportedSession {
  readonly info: {
    readonly id: string;
    readonly title: string;
    readonly projectID: string;
    readonly cost: number;
    readonly tokens: Tokens;
    readonly time: { readonly created: number; readonly updated: number };
    readonly location: { readonly directory: string };
  };
  readonly messages: readonly ImportedMessage[];
  readonly location: { readonly directory: string };
}

export type ImportedMessage = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: "user" | "assistant";
};

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cache: { readonly read: number; readonly write: number };
}

/** One session as the sample files write it down. */
export interface Script {
  readonly title: string;
  /** The project's folder name. */
  readonly project: string;
  /** How long ago the session ended, in minutes. */
  readonly minutesAgo: number;
  readonly turns: readonly Turn[];
}

/** What the user asked, and the assistant messages that answered it. */
export interface Turn {
  readonly ask: string;
  readonly steps: readonly Step[];
}

/** One assistant message. */
export type Step = readonly Piece[];

export type Piece =
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: object; readonly state: object };

export const think = (text: string): Piece => ({ kind: "think", text });
export const say = (text: string): Piece => ({ kind: "say", text });

const MODEL = { id: "fixture", providerID: "fixture" };
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Turns a script into a transcript that ended `minutesAgo` before `now` (milliseconds since the epoch). */
export function transcribe(script: Script, directory: string, now: number, random: Random): ImportedSession {
  const steps = script.turns.reduce((sum, turn) => sum + turn.steps.length, 0);
  const updated = now - script.minutesAgo * MINUTE;
  const created = updated - steps * 40 * SECOND - script.turns.length * 3 * MINUTE;
  let clock = created;
  const messages: ImportedMessage[] = [];
  for (const turn of script.turns) {
    messages.push({ id: messageID(clock, random), type: "user", text: turn.ask, time: { created: clock } });
    clock += random.between(1, 3) * SECOND;
    turn.steps.forEach((step, index) => {
      const written = assistantMessage(step, clock, index === turn.steps.length - 1, random);
      messages.push(written.message);
      clock = written.completed + random.between(100, 900);
    });
    clock += random.between(20, 140) * SECOND;
  }
  const tokens = { input: steps * 9000, output: steps * 450, reasoning: 0, cache: { read: 0, write: 0 } };
  const location = { directory };
  return {
    info: {
      id: sessionID(created, random),
      title: script.title,
      projectID: "global",
      cost: 0,
      tokens,
      time: { created, updated },
      location,
    },
    messages,
    location,
  };
}

function assistantMessage(step: Step, created: number, last: boolean, random: Random) {
  let clock = created + random.between(400, 1500);
  const content = step.map((piece) => {
    const began = clock;
    clock += random.between(300, 6000);
    if (piece.kind === "say") return { type: "text", text: piece.text };
    if (piece.kind === "think")
      return { type: "reasoning", text: piece.text, time: { created: began, completed: clock } };
    return {
      type: "tool",
      id: `call_${random.letters(20)}`,
      name: piece.name,
      executed: false,
      state: piece.state,
      time: { created: began, ran: began + 30, completed: clock },
    };
  });
  const message: ImportedMessage = {
    id: messageID(created, random),
    type: "assistant",
    agent: "build",
    model: MODEL,
    time: { created, streamed: clock - 20, completed: clock },
    content,
    finish: last ? "stop" : "tool-calls",
    cost: 0,
    tokens: { input: 9000, output: 450, reasoning: 0, cache: { read: 0, write: 0 } },
  };
  return { message, completed: clock };
}

/** Ids count as the runtime's do: a message's up with time, a session's down. */
function messageID(time: number, random: Random): string {
  return `msg_${timeDigits(time)}${random.letters(14)}`;
}

function sessionID(time: number, random: Random): string {
  const upside = (0xffffffffffffn - BigInt(`0x${timeDigits(time)}`)).toString(16).padStart(12, "0");
  return `ses_${upside}${random.letters(14)}`;
}

function timeDigits(time: number): string {
  return (BigInt.asUintN(36, BigInt(time)) * 4096n + 1n).toString(16).padStart(12, "0");
}
