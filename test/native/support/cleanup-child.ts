import { OpenCode, passwordHeaders } from "#opencode/client";
import { createCleanup, JobStore } from "../../../src/pruning/index.ts";

/**
 * A process that cleans sessions until it is killed: it plans and runs, or resumes what it finds. It says `progress`
 * after every request, and `done` at the end. The password comes by the environment.
 */
const [server = "", folder = "", ahead = "0", ...sessionIDs] = process.argv.slice(2);
const password = process.env.OPENCODE_SERVER_PASSWORD ?? "";
const cleanup = createCleanup({
  client: OpenCode.make({ baseUrl: server, headers: passwordHeaders(password) }),
  jobs: new JobStore({ folder, now: () => Date.now() + Number(ahead) }),
});
const onProgress = () => process.stdout.write("progress\n");
const [job] = cleanup.interrupted();
const report = job
  ? await cleanup.resume(job, { onProgress })
  : await cleanup.run(await cleanup.plan(sessionIDs), { onProgress });
process.stdout.write(`done ${JSON.stringify(report)}\n`);
