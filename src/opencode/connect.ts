import { parseAddress } from "./address.ts";
import { OpenCode, type OpenCodeClient, passwordHeaders, type ServerInfo } from "./client.ts";
import { checkRegistration, readServiceFile, serviceFile } from "./discovery.ts";
import { MalformedError, NotFoundError, OpenCodeError, ServerError } from "./errors.ts";

export interface ConnectOptions {
  /** The address of a server; without it the background service is looked for. */
  readonly server?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

export interface Connection {
  readonly client: OpenCodeClient;
  readonly info: ServerInfo;
}

/** Something answers there, but not OpenCode 2. */
export class NotOpenCodeError extends OpenCodeError {
  override readonly name = "NotOpenCodeError";
  constructor(baseUrl: string) {
    super(
      `What answers at ${baseUrl} is not an OpenCode 2 server; check the address, or start one with \`opencode service start\`.`,
    );
  }
}

const FIRST_ANSWER_LIMIT = 10_000;

/** Finds the server, checks that it is an OpenCode 2 that takes our password, and gives the client for it. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  return options.server === undefined ? connectToService(options) : connectTo(options.server, options);
}

async function connectToService({ environment, signal }: ConnectOptions): Promise<Connection> {
  const path = serviceFile(environment);
  const registration = await readServiceFile(path);
  const { baseUrl, info } = await asOpenCode(registration.url, () =>
    checkRegistration(path, registration, { timeout: FIRST_ANSWER_LIMIT, signal }),
  );
  return { client: OpenCode.make({ baseUrl, headers: passwordHeaders(registration.password) }), info };
}

async function connectTo(
  server: string,
  { insecure, environment, signal }: ConnectOptions,
): Promise<Connection> {
  const baseUrl = parseAddress(server, { insecure: insecure ?? false });
  const password = environment.OPENCODE_SERVER_PASSWORD;
  const headers = password ? passwordHeaders(password) : {};
  const probe = OpenCode.make({ baseUrl, headers, timeout: FIRST_ANSWER_LIMIT });
  const info = await asOpenCode(baseUrl, () => probe.server.info({ signal }));
  return { client: OpenCode.make({ baseUrl, headers }), info };
}

async function asOpenCode<T>(baseUrl: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const foreign =
      error instanceof NotFoundError ||
      error instanceof MalformedError ||
      (error instanceof ServerError && error.status < 500);
    throw foreign ? new NotOpenCodeError(baseUrl) : error;
  }
}
