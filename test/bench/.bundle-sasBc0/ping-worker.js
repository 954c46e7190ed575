// test/bench/reads/ping-worker.ts
import { request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

var { url, authorization } = workerData;
var delays = [];
var agent = new (await import("node:http")).Agent({ keepAlive: true, maxSockets: 1 });
function ping() {
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
