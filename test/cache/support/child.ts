import { MessageCache } from "../../../src/cache/index.ts";
import { session } from "./sessions.ts";

/**
 * Another process on the cache. It says `ready`, waits for a line, and then does what it is for:
 * `once` keeps one session of its own and reports how it went; `forever` rewrites sessions until it is killed.
 */
const [folder = "", task = "once", name = "ses_child"] = process.argv.slice(2);

process.stdout.write("ready\n");
process.stdin.once("data", () => {
  const cache = new MessageCache({ folder, server: "http://one" });
  if (task === "once") {
    let written = cache.keep([session(name, ["msg_1", "msg_2"])]);
    while (written === "busy") written = cache.keep([session(name, ["msg_1", "msg_2"])]);
    process.stdout.write(
      `${JSON.stringify({ state: cache.state, problems: cache.problems, written, sessions: cache.sessions().length })}\n`,
    );
    cache.close();
    process.stdin.destroy();
    return;
  }
  for (let round = 0; ; round += 1) {
    const ids = Array.from({ length: 1 + (round % 50) }, (_, n) => `msg_${(n * 7 + round) % 90}`);
    cache.keep([session(name, [...new Set(ids)], `f${round}`)]);
    if (round === 20) process.stdout.write("writing\n");
  }
});
