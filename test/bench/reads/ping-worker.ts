import { request } from "node:http";
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";

/** Asks `/api/info` over and over on one connection, and tells how long the answers took since it was asked last. */
const { url, authorization } = workerData as { url: string; authorization: string };
const delays: number[] = [];
const agent = new (await import("node:http")).Agent({ keepAlive: true, maxSockets: 1 });

// What this thread itself waits for a processor is no delay of the daemon's. Only root may go before others.
try {
  if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_HIGH);
} catch {}

function ping(): Promise<void> {
  return new Promise((resolve) => {
    const started = performance.now();
    const asking = request(`${url}/api/info`, { agent, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.once("end", () => {
        delays.push(performance.now() - started);
        resolve();
      });
    });
    asking.once("error", () => resolve());
    asking.end();
  });
}

parentPort?.on("message", () => parentPort?.postMessage(delays.splice(0)));

for (;;) {
  await ping();
  await new Promise((resolve) => setTimeout(resolve, 3));
}
