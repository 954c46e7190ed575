import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseAddress } from "./address.ts";
import { OpenCode, passwordHeaders, type ServerInfo } from "./client.ts";
import { OpenCodeError, UnauthorisedError, UnreachableError } from "./errors.ts";
import { describeIssue } from "./issue.ts";

/** No background service can be used; the message says why and what to do. */
export class DiscoveryError extends OpenCodeError {
  override readonly name = "DiscoveryError";
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** What `opencode service start` writes down about the service. Holds the password: not for logs. */
export interface ServiceRegistration {
  readonly url: string;
  readonly password: string;
  readonly pid: number;
  readonly version: string;
}

const Registration = z.looseObject({
  version: z.string(),
  url: z.string(),
  pid: z.number(),
  password: z.string().min(1),
});

const RESTART = "start OpenCode again with `opencode service restart`";

/** `$XDG_STATE_HOME/opencode/service.json`, by default below `~/.local/state` on every system. */
export function serviceFile(environment: NodeJS.ProcessEnv): string {
  const home = environment.HOME || homedir();
  return join(environment.XDG_STATE_HOME || join(home, ".local", "state"), "opencode", "service.json");
}

/** Reads the service file. Refuses one that other users of this machine could read or have written. */
export async function readServiceFile(path: string): Promise<ServiceRegistration> {
  const text = await readPrivately(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DiscoveryError(path, `The service file ${path} is not JSON; ${RESTART}.`);
  }
  const result = Registration.safeParse(value);
  if (!result.success) {
    const { path: member, reason } = describeIssue(result.error);
    throw new DiscoveryError(
      path,
      `The service file ${path} is damaged at ${member} (${reason}); ${RESTART}.`,
    );
  }
  return result.data;
}

/** Asks the server that a service file names, which has to prove with pid and version that it is the one that wrote it. */
export async function checkRegistration(
  path: string,
  registration: ServiceRegistration,
  options: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<ServerInfo> {
  const baseUrl = parseAddress(registration.url, { insecure: false });
  const client = OpenCode.make({
    baseUrl,
    headers: passwordHeaders(registration.password),
    timeout: options.timeout,
  });
  let info: ServerInfo;
  try {
    info = await client.server.info(options);
  } catch (error) {
    if (error instanceof UnreachableError) {
      throw new DiscoveryError(
        path,
        `The service file ${path} names a server at ${baseUrl} that cannot be reached (${error.reason}); ${RESTART}.`,
      );
    }
    if (error instanceof UnauthorisedError) throw anotherServer(path, baseUrl);
    throw error;
  }
  if (info.pid !== registration.pid || info.version !== registration.version) {
    throw anotherServer(path, baseUrl);
  }
  return info;
}

function anotherServer(path: string, baseUrl: string): DiscoveryError {
  return new DiscoveryError(
    path,
    `The service file ${path} is out of date: another server answers at ${baseUrl} now; ${RESTART}, or name the server with --server.`,
  );
}

async function readPrivately(path: string): Promise<string> {
  try {
    const { mode, uid } = await stat(path);
    const user = process.getuid?.();
    if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) {
      throw new DiscoveryError(
        path,
        `The service file ${path} can be read or changed by other users; make it yours alone with \`chmod 600\`, then ${RESTART} for a new password.`,
      );
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof DiscoveryError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new DiscoveryError(
      path,
      missing
        ? `No OpenCode service runs (${path} does not exist); start it with \`opencode service start\`, or name a server with --server.`
        : `The service file ${path} could not be read (${(error as NodeJS.ErrnoException).code}); check its owner and mode, or name a server with --server.`,
    );
  }
}
