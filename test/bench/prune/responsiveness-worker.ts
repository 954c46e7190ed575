import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/** Asks the daemon for `/api/info` again and again, and on request tells the longest answer since the last time. */
const { url, authorization } = workerData as { url: string; authorization: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longest = 0;

parentPort?.on("message", () => {
  parentPort?.postMessage(longest);
  longest = 0;
});

for (;;) {
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const asking = request(`${url}/api/info`, { agent, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.once("end", resolve);
    });
    asking.once("error", () => resolve());
    asking.end();
  });
  longest = Math.max(longest, performance.now() - started);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
