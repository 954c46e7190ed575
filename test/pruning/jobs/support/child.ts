import { JobStore } from "../../../../src/pruning/jobs/index.ts";
import { job, SERVER } from "./jobs-data.ts";

/**
 * Another process on the file of jobs. It says `ready`, waits for a line, and then does what it is for: `once`
 * makes one job, leaves it in order and reports; `forever` makes and works through jobs until it is killed.
 */
const [folder = "", task = "once", name = "ses_child"] = process.argv.slice(2);

process.stdout.write("ready\n");
process.stdin.once("data", () => {
  const store = new JobStore({ folder });
  if (task === "once") {
    const claim = store.create(job(3, name), name);
    const state = store.end(claim);
    const { path, problems } = store;
    process.stdout.write(`${JSON.stringify({ path, problems, state, jobID: claim.jobID })}\n`);
    store.close();
    process.stdin.destroy();
    return;
  }
  for (let round = 0; ; round += 1) {
    let claim = store.create(job(40, `${name}_${round}`, SERVER), name);
    if (round === 2) process.stdout.write("working\n");
    for (let position = 0; position < 40; position += 8) {
      const positions = Array.from({ length: 8 }, (_, at) => position + at);
      claim = store.sending(claim, positions);
      claim = store.settle(
        claim,
        positions.map((at) => ({ position: at, state: "pruned" })),
      );
    }
    store.end(claim);
  }
});
