import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Speaks the daemon's event stream as fast as it is told, in a process of its own: of every ten events eight are
 * token deltas and two change a session. Like the daemon it hangs up on whoever leaves too much unread.
 */
const [rate = 20_000, seconds = 5] = process.argv.slice(2).map(Number);
const MOST_UNREAD = 9 * 1024 * 1024;
const TICK = 5;
const SESSIONS = 200;
const text = "the quick brown fox jumps over the lazy dog. ".repeat(3);

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write('data: {"id":"evt_0","type":"server.connected","data":{}}\n\n');
  let sent = 0;
  let native = 0;
  let mostUnread = 0;
  let wasCut = false;
  const start = performance.now();
  const timer = setInterval(() => {
    const due = Math.min(rate * seconds, Math.floor((rate * (performance.now() - start)) / 1_000));
    let chunk = "";
    for (; sent < due; sent += 1) {
      const isNative = sent % 10 >= 8;
      if (isNative) native += 1;
      chunk += `data: ${isNative ? changed(sent) : delta(sent)}\n\n`;
    }
    if (chunk !== "") response.write(chunk);
    mostUnread = Math.max(mostUnread, response.writableLength);
    wasCut ||= mostUnread > MOST_UNREAD;
    if (!wasCut && sent < rate * seconds) return;
    clearInterval(timer);
    response.end(() => {
      const took = (performance.now() - start) / 1_000;
      process.stdout.write(`${JSON.stringify({ sent, native, mostUnread, wasCut, rate: sent / took })}\n`);
      server.close();
    });
  }, TICK);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function delta(n: number): string {
  return `{"id":"evt_${n}","created":1700000000000,"type":"session.text.delta","location":{"directory":"/work/project"},"data":{"sessionID":"ses_${n % SESSIONS}","assistantMessageID":"msg_${n % SESSIONS}","ordinal":0,"delta":${JSON.stringify(text)}}}`;
}

function changed(n: number): string {
  const sessionID = `ses_${n % SESSIONS}`;
  return `{"id":"evt_${n}","created":1700000000000,"type":"session.step.ended","location":{"directory":"/work/project"},"data":{"sessionID":"${sessionID}","assistantMessageID":"msg_${n % SESSIONS}","finish":"stop","cost":0,"tokens":{"input":5,"output":5,"reasoning":0,"cache":{"read":0,"write":0}}},"durable":{"aggregateID":"${sessionID}","seq":${n},"version":1}}`;
}
