import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** An address of its own for a daemon, whose connections a test can cut while the daemon goes on. */
export interface Gateway {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Cuts every connection and takes no new one, until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** `port` is where the daemon listens on loopback. */
export async function startGateway(port: number): Promise<Gateway> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    if (isCut) {
      client.on("error", () => {}).destroy();
      return;
    }
    const daemon = connect(port, "127.0.0.1");
    keep(client, daemon);
    keep(daemon, client);
    client.pipe(daemon).pipe(client);
  });
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend() {
      isCut = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
