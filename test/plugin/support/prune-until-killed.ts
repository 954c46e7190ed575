import { FakeDaemon, SESSION } from "./fake-daemon.ts";

/** A process that prunes the first technical part of one message after the other until it is killed. */
const [folder = "", messages = "0"] = process.argv.slice(2);
const daemon = new FakeDaemon(folder);
await daemon.load();
for (let turn = 0; ; turn += 1) {
  const subject = { sessionID: SESSION, messageID: `msg_${turn % Number(messages)}` };
  const preview = await daemon.call("preview", subject);
  const [first] = preview.parts;
  if (!first) break;
  const answer = await daemon.call("prune", {
    ...subject,
    revision: preview.revision,
    indexes: [first.index],
  });
  if (answer.status !== "pruned") throw new Error(`A prune answered ${JSON.stringify(answer)}.`);
  if (turn === 0) process.stdout.write("pruning\n");
}
process.stdout.write("nothing left\n");
