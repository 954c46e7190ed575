import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";

/**
 * A TCP proxy on loopback in front of a daemon, for what networks do to connections. What it does concerns the
 * connections that stand; new ones pass as they should, unless it refuses them.
 */
export interface NetworkProxy {
  readonly url: string;
  /** What was asked for through it, as `METHOD path`, oldest first, queries left out. */
  readonly requests: readonly string[];
  forgetRequests(): void;
  /** Breaks every connection that stands, without a farewell. */
  cut(): void;
  /** Connections that stand stay open and pass nothing any more, in either direction. */
  mute(): void;
  /** Connections that stand pass nothing to the client, whose daemon goes on writing until its patience ends. */
  stall(): void;
  /** What was held back by `stall` is passed on. */
  resume(): void;
  /** Answers to the client pass at this many bytes a second from now on; 0 is unlimited. */
  throttle(bytesPerSecond: number): void;
  /** New connections are refused while it is true. */
  refuse(refusing: boolean): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly daemon: Socket;
  muted: boolean;
}

const REQUEST = /^(GET|POST|DELETE|PUT|PATCH) ([^ ?]+)[^ ]* HTTP\/1\.1\r\n/;

export async function startProxy(port: () => number): Promise<NetworkProxy> {
  const pairs = new Set<Pair>();
  const requests: string[] = [];
  let refusing = false;
  let rate = 0;

  const server = createServer((client) => {
    if (refusing) {
      client.destroy();
      return;
    }
    const daemon = dial(port(), "127.0.0.1");
    const pair: Pair = { client, daemon, muted: false };
    pairs.add(pair);
    client.on("data", (chunk: Buffer) => {
      if (pair.muted) return;
      const request = REQUEST.exec(chunk.subarray(0, 2_000).toString("latin1"));
      if (request) requests.push(`${request[1]} ${request[2]}`);
      daemon.write(chunk);
    });
    daemon.on("data", (chunk: Buffer) => {
      if (pair.muted) return;
      client.write(chunk);
      if (rate === 0) return;
      daemon.pause();
      setTimeout(() => daemon.resume(), (chunk.length / rate) * 1_000);
    });
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      daemon.destroy();
    };
    for (const socket of [client, daemon]) {
      socket.on("error", end);
      socket.on("close", end);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const cut = () => {
    for (const { client, daemon } of [...pairs]) {
      client.resetAndDestroy();
      daemon.resetAndDestroy();
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    forgetRequests: () => requests.splice(0),
    cut,
    mute: () => {
      for (const pair of pairs) pair.muted = true;
    },
    stall: () => {
      for (const { daemon } of pairs) daemon.pause();
    },
    resume: () => {
      for (const { daemon } of pairs) daemon.resume();
    },
    throttle: (bytesPerSecond) => {
      rate = bytesPerSecond;
    },
    refuse: (now) => {
      refusing = now;
    },
    close: async () => {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
