import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeDaemon, MESSAGE, SESSION } from "./support/fake-daemon.ts";
import { MEDIA_SCHEMA } from "./support/native-schema.ts";
import { revisionOfStored, stored, TEXT, TOOL } from "./support/stored.ts";

// The blob tables are a fixture of our own: no runtime that has them was at hand.
const hash = (digit: string) => digit.repeat(64);
const naming = (part: string, digit: string) => part.replace(/output|kept/, `media:${hash(digit)}`);

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = new FakeDaemon();
  daemon.database.exec(MEDIA_SCHEMA);
  daemon.insertSession();
  await daemon.load();
});
afterEach(() => daemon.remove());

function holdBlob(digit: string, messageIDs: readonly string[] = [MESSAGE]): void {
  daemon.database.prepare("INSERT INTO blob VALUES (?, 'image/png', 3, x'010203', 1)").run(hash(digit));
  for (const messageID of messageIDs)
    daemon.database.prepare("INSERT INTO blob_ref VALUES (?, ?, ?)").run(hash(digit), SESSION, messageID);
}

async function prune(data: string, indexes: readonly number[]) {
  daemon.insertMessage(data);
  return daemon.call("prune", {
    sessionID: SESSION,
    messageID: MESSAGE,
    revision: revisionOfStored(data),
    indexes,
  });
}

const blobs = () => daemon.database.prepare("SELECT hash FROM blob ORDER BY hash").pluck().all();
const references = () =>
  daemon.database.prepare("SELECT hash, message_id FROM blob_ref ORDER BY 1, 2").raw().all();

describe("media that the removed parts name", () => {
  it("is released, and its blob deleted when nobody else keeps it", async () => {
    holdBlob("a");
    expect(await prune(stored([TEXT, naming(TOOL, "a")]), [1])).toMatchObject({ status: "pruned" });
    expect(references()).toEqual([]);
    expect(blobs()).toEqual([]);
  });

  it("stays while another message refers to it", async () => {
    holdBlob("a", [MESSAGE, "msg_2"]);
    await prune(stored([TEXT, naming(TOOL, "a")]), [1]);
    expect(references()).toEqual([[hash("a"), "msg_2"]]);
    expect(blobs()).toEqual([hash("a")]);
  });

  it("stays while a kept part names it, however that is written", async () => {
    holdBlob("a");
    holdBlob("b");
    const data = stored([
      naming(TEXT, "a").replace("media", "\\u006dedia"),
      naming(TOOL, "a"),
      naming(TOOL, "b"),
    ]);
    await prune(data, [1, 2]);
    expect(references()).toEqual([[hash("a"), MESSAGE]]);
    expect(blobs()).toEqual([hash("a")]);
  });

  it("stays while the message names it outside its content", async () => {
    holdBlob("a");
    await prune(stored([TEXT, naming(TOOL, "a")], `"snapshot":{"files":["media:${hash("a")}"]}`), [1]);
    expect(blobs()).toEqual([hash("a")]);
  });

  it("stays where a text merely mentions a blob that the message does not own", async () => {
    holdBlob("a", []);
    await prune(stored([TEXT, naming(TOOL, "a")]), [1]);
    expect(blobs()).toEqual([hash("a")]);
  });

  it("comes back with everything else when the transaction fails", async () => {
    holdBlob("a");
    daemon.database.exec("CREATE TABLE opencode_prune_receipt (request TEXT)");
    expect(await prune(stored([TEXT, naming(TOOL, "a")]), [1])).toEqual({
      status: "blocked",
      reason: "unsupported_storage",
    });
    expect(references()).toEqual([[hash("a"), MESSAGE]]);
    expect(blobs()).toEqual([hash("a")]);
  });
});
