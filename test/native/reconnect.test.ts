import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenCode, passwordHeaders } from "#opencode/client";
import { startThrowawayDaemon, type ThrowawayDaemon } from "../../src/demo/daemon.ts";
import { findRuntime } from "../../src/demo/runtime.ts";
import { createEventSource, createHistory, createNativeSource, type History } from "../../src/sync/index.ts";
import { assistant, importSession, until } from "./support/sessions.ts";

const runtime = await findRuntime();

describe.runIf("binary" in runtime)("a history beside a real daemon", () => {
  let daemon: ThrowawayDaemon;
  let history: History;

  beforeAll(async () => {
    if (!("binary" in runtime)) return;
    daemon = await startThrowawayDaemon({ binary: runtime.binary });
    await importSession(daemon, "ses_one", [assistant("msg_1", 2_000), assistant("msg_2", 100)]);
    await importSession(daemon, "ses_two", [assistant("msg_3", 500)]);
    const client = OpenCode.make({ baseUrl: daemon.url, headers: passwordHeaders(daemon.password) });
    history = createHistory({ source: createNativeSource(client), events: createEventSource(client) });
    history.start();
  });
  afterAll(async () => {
    history?.stop();
    await daemon?.remove();
  });

  it("becomes live, with the technical bytes of every session", async () => {
    await until(history, (snapshot) => snapshot.connection.phase === "live");
    await until(history, ({ sessions }) =>
      [...sessions.values()].every((one) => one.technical !== undefined),
    );
    const { sessions, listed } = history.snapshot();
    expect(listed).toBe(true);
    expect([...sessions.keys()].sort()).toEqual(["ses_one", "ses_two"]);
    expect(sessions.get("ses_one")).toMatchObject({ messages: 2, confirmed: true, refreshing: false });
  });

  it("shows a session that somebody creates, and forgets one that somebody deletes", async () => {
    await importSession(daemon, "ses_three", [assistant("msg_4", 10)]);
    await until(history, ({ sessions }) => sessions.get("ses_three")?.technical?.parts === 2);
    await call(daemon, "DELETE", "/api/session/ses_three");
    await until(history, ({ sessions }) => !sessions.has("ses_three"));
  });

  it("survives a restart of the daemon on the same port", async () => {
    await daemon.stop("SIGKILL");
    await until(
      history,
      ({ connection }) => connection.phase === "lost" || connection.phase === "reconnecting",
    );
    expect(history.snapshot().sessions.get("ses_one")?.confirmed).toBe(false);
    await daemon.start();
    await until(history, ({ connection }) => connection.phase === "live");
    await until(history, ({ sessions }) => [...sessions.values()].every((one) => one.confirmed));
  });
});

async function call(daemon: ThrowawayDaemon, method: string, path: string): Promise<void> {
  const answer = await fetch(`${daemon.url}${path}`, { method, headers: passwordHeaders(daemon.password) });
  expect(answer.status).toBeLessThan(300);
}
