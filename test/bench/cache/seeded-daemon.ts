import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OpenCode, type OpenCodeClient, passwordHeaders } from "#opencode/client";
import {
  callDaemon,
  findRuntime,
  startThrowawayDaemon,
  type ThrowawayDaemon,
} from "../../../src/demo/index.ts";

const PLUGIN = fileURLToPath(new URL("../../../dist/plugin", import.meta.url));

export interface SeededDaemon {
  readonly daemon: ThrowawayDaemon;
  readonly directory: string;
  clientOf(baseUrl: string): OpenCodeClient;
}

/** A real daemon with the built plugin and so many sessions, each of so many messages with a tool output. */
export async function seedDaemon(
  sessions: number,
  messages: number,
  outputBytes: number,
): Promise<SeededDaemon> {
  const found = await findRuntime();
  if ("missing" in found) throw new Error(found.missing);
  const daemon = await startThrowawayDaemon({ binary: found.binary, config: { plugins: [PLUGIN] } });
  const directory = join(daemon.home, "project");
  await mkdir(directory);
  for (let session = 0; session < sessions; session += 1) {
    await callDaemon(daemon, "POST", "/api/experimental/session/import", {
      info: {
        id: `ses_${session}`,
        projectID: "global",
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: 1_700_000_000_000 + session, updated: 1_700_000_000_000 + session },
        title: `Session number ${session}`,
        location: { directory },
      },
      messages: Array.from({ length: messages }, (_, n) => message(`msg_${session}_${n}`, outputBytes)),
      location: { directory },
    });
  }
  return {
    daemon,
    directory,
    clientOf: (baseUrl) => OpenCode.make({ baseUrl, headers: passwordHeaders(daemon.password) }),
  };
}

function message(id: string, outputBytes: number) {
  const created = 1_700_000_000_000;
  return {
    id,
    type: "assistant",
    agent: "build",
    model: { id: "fixture", providerID: "fixture" },
    time: { created, completed: created + 10 },
    finish: "stop",
    content: [
      { type: "reasoning", text: `thinking about ${id}`, time: { created, completed: created + 1 } },
      {
        type: "tool",
        id: `call_${id}`,
        name: "read",
        state: {
          status: "completed",
          input: { filePath: `/project/${id}.ts` },
          content: [{ type: "text", text: "x".repeat(outputBytes) }],
        },
        time: { created, ran: created, completed: created + 5 },
      },
      { type: "text", text: `answer of ${id}` },
    ],
  };
}
