import { stat } from "node:fs/promises";
import {
  type Connection,
  DiscoveryError,
  isLoopback,
  readServiceFile,
  serviceFile,
  UnauthorisedError,
} from "../../opencode/index.ts";
import { type GlobalOptions, openConnection } from "../connection.ts";
import { type Area, findingOf } from "./check.ts";

/** The service file, where it is what names the server. */
export async function checkServiceFile(area: Area, options: GlobalOptions): Promise<void> {
  if (options.server !== undefined) {
    area.ok("service file", "not used, since --server names the server");
    return;
  }
  const path = serviceFile(process.env);
  try {
    const { version } = await readServiceFile(path);
    const { mode } = await stat(path);
    area.ok("service file", `${path}, mode ${modeText(mode)}, written by OpenCode ${version}`);
  } catch (error) {
    const { detail, todo } = findingOf(error);
    area.fail("service file", detail, todo);
  }
}

/** Connection, authentication and version; undefined when there is nothing to go on with. */
export async function checkConnection(
  area: Area,
  options: GlobalOptions,
  signal: AbortSignal,
): Promise<Connection | undefined> {
  let connection: Connection;
  try {
    connection = await openConnection(options, signal);
  } catch (error) {
    const { detail, todo } = findingOf(error);
    if (error instanceof UnauthorisedError) {
      area.ok("connection", "a server answers");
      area.fail("authentication", detail, todo);
    } else if (!(error instanceof DiscoveryError)) area.fail("connection", detail, todo);
    // What is wrong with the service file is told already, unless it is fine and the server is not.
    else if (area.checks.every(({ status }) => status === "ok")) area.fail("connection", detail, todo);
    return undefined;
  }
  const { client, info } = connection;
  const { hostname, protocol } = new URL(client.baseUrl);
  area.ok(
    "connection",
    isLoopback(hostname) ? client.baseUrl : `another machine, over ${protocol.slice(0, -1)}`,
  );
  area.ok("authentication", "the password is accepted");
  area.ok("server version", `OpenCode ${info.version}; no version is required, the storage decides`);
  return connection;
}

export function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}
