import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  NotFoundError,
  OpenCode,
  type OpenCodeClient,
  type OpenCodeEvent,
  passwordHeaders,
  RpcRefusedError,
  ServerError,
  UnauthorisedError,
  UnreachableError,
} from "#opencode/client";
import { PRUNED_EVENT, PRUNING_RPC } from "../../../src/contract/index.ts";
import { assistantMessage, textPart, toolPart, userMessage } from "../support/messages.ts";
import { type PruningDaemon, startPruningDaemon } from "../support/pruning-daemon.ts";

let native: PruningDaemon;
let client: OpenCodeClient;

beforeAll(async () => {
  native = await startPruningDaemon();
  client = OpenCode.make({ baseUrl: native.daemon.url, headers: passwordHeaders(native.daemon.password) });
  for (const number of [1, 2, 3]) {
    await native.importSession(`ses_client_${number}`, [
      userMessage(`msg_client_${number}_1`, "hello"),
      assistantMessage(`msg_client_${number}_2`, [textPart("hi"), toolPart(`call_${number}`, "output")]),
    ]);
  }
});

afterAll(() => native?.remove());

describe("the client on the real daemon", () => {
  it("reads the server, its configuration folder and its plugins", async () => {
    const info = await client.server.info();
    expect(info).toMatchObject({ pid: native.daemon.pid });
    expect(info.version).toMatch(/^2\./);
    const location = { directory: native.directory };
    const entries = await client.config.get({ location });
    expect(entries.find((entry) => entry.type === "directory")?.path).toBe(native.daemon.configuration);
    const { data } = await client.plugin.list({ location });
    expect(data.find((plugin) => plugin.id === "opencode-prune")).toMatchObject({
      state: { status: "active" },
    });
  });

  it("reads sessions page by page, one, and those that run", async () => {
    const first = await client.session.list({ limit: 2 });
    expect(first.data).toHaveLength(2);
    const second = await client.session.list({ limit: 2, cursor: first.cursor.next ?? "" });
    const ids = [...first.data, ...second.data].map((session) => session.id);
    expect(ids.sort()).toEqual(["ses_client_1", "ses_client_2", "ses_client_3"]);
    expect(await client.session.get({ sessionID: "ses_client_1" })).toMatchObject({
      title: "ses_client_1",
      location: { directory: native.directory },
    });
    expect(await client.session.active()).toEqual({});
  });

  it("reads messages as the daemon gives them", async () => {
    const sessionID = "ses_client_1";
    const { data } = await client.message.list({ sessionID, order: "asc", limit: 200 });
    expect(data.map((message) => message.type)).toEqual(["user", "assistant"]);
    const messageID = "msg_client_1_2";
    const raw = await native.message(sessionID, messageID);
    expect(await client.session.message({ sessionID, messageID })).toEqual(raw);
    const assistants = await client.message.list({ sessionID, type: "assistant" });
    expect(assistants.data).toEqual([raw]);
  });

  it("shows events of other clients as they come", async () => {
    const stop = new AbortController();
    const seen: OpenCodeEvent[] = [];
    let connected: (() => void) | undefined;
    const ready = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const wants = (type: string) => type === "server.connected" || type === PRUNED_EVENT;
    const listening = (async () => {
      for await (const event of client.event.subscribe({ signal: stop.signal, wants })) {
        if (event.type === "server.connected") connected?.();
        else seen.push(event);
        if (seen.length === 1) return;
      }
    })();
    await ready;
    const target = { sessionID: "ses_client_2", messageID: "msg_client_2_2" };
    const preview = await native.rpc("preview", target);
    const { revision } = preview.body.output;
    const answer = await native.rpc("prune", { ...target, revision, indexes: [1] });
    await listening;
    expect(seen).toMatchObject([
      { type: PRUNED_EVENT, data: { ...target, revision: answer.body.output.revision } },
    ]);
  });

  it("ends the stream when the daemon dies, one way or the other", async () => {
    const other = await startPruningDaemon();
    const mortal = OpenCode.make({
      baseUrl: other.daemon.url,
      headers: passwordHeaders(other.daemon.password),
    });
    const end = await (async () => {
      try {
        for await (const event of mortal.event.subscribe()) {
          if (event.type === "server.connected") await other.daemon.stop("SIGKILL");
        }
        return "ended";
      } catch (error) {
        return error;
      }
    })();
    if (end !== "ended") expect(end).toBeInstanceOf(UnreachableError);
    await expect(mortal.server.info()).rejects.toMatchObject({ reason: "connection refused" });
    await other.remove();
  });

  it("tells the daemon's refusals apart", async () => {
    const location = { directory: native.directory };
    await expect(client.session.get({ sessionID: "ses_none" })).rejects.toBeInstanceOf(NotFoundError);
    await expect(
      client.session.message({ sessionID: "ses_client_1", messageID: "msg_none" }),
    ).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.session.list({ cursor: "nonsense" })).rejects.toBeInstanceOf(ServerError);
    await expect(
      client.rpc.call({ rpcID: "nobody", method: "m", input: {}, location }),
    ).rejects.toMatchObject({
      type: "rpc.unavailable",
    });
    await expect(
      client.rpc.call({ rpcID: PRUNING_RPC, method: "nothing", input: {}, location }),
    ).rejects.toMatchObject({ type: "rpc.method_not_found" });
    await expect(
      client.rpc.call({ rpcID: PRUNING_RPC, method: "preview", input: { sessionID: 1 }, location }),
    ).rejects.toBeInstanceOf(RpcRefusedError);
    const stranger = OpenCode.make({ baseUrl: native.daemon.url, headers: passwordHeaders("wrong") });
    await expect(stranger.session.list()).rejects.toBeInstanceOf(UnauthorisedError);
  });
});
