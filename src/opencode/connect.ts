import { parseAddress } from "./address.ts";
import {
  type ClientOptions,
  OpenCode,
  type OpenCodeClient,
  passwordHeaders,
  type ServerInfo,
} from "./client.ts";
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

/** A server that was named, before anything was asked of it. */
export interface NamedServer {
  /** Checks the server before its first request, and sends none where it is of no use. */
  readonly client: OpenCodeClient;
  /** Asks it, once, whether it is an OpenCode 2 that takes our password, and the one that was meant. */
  check(): Promise<ServerInfo>;
}

/** Finds the server, checks that it is an OpenCode 2 that takes our password, and gives the client for it. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { client, check } = await nameServer(options);
  return { client, info: await check() };
}

/** The server of the options, or of the service file. Sends nothing. */
export async function nameServer(options: ConnectOptions): Promise<NamedServer> {
  return options.server === undefined ? nameService(options) : nameAddress(options.server, options);
}

async function nameService({ environment, signal }: ConnectOptions): Promise<NamedServer> {
  const path = serviceFile(environment);
  const registration = await readServiceFile(path);
  const baseUrl = parseAddress(registration.url, { insecure: false });
  return named({ baseUrl, headers: passwordHeaders(registration.password) }, () =>
    checkRegistration(path, registration, { timeout: FIRST_ANSWER_LIMIT, signal }),
  );
}

function nameAddress(server: string, { insecure, environment, signal }: ConnectOptions): NamedServer {
  const baseUrl = parseAddress(server, { insecure: insecure ?? false });
  const password = environment.OPENCODE_SERVER_PASSWORD;
  const headers = password ? passwordHeaders(password) : {};
  const probe = OpenCode.make({ baseUrl, headers, timeout: FIRST_ANSWER_LIMIT });
  return named({ baseUrl, headers }, () => probe.server.info({ signal }));
}

function named(options: ClientOptions, ask: () => Promise<ServerInfo>): NamedServer {
  let checked: Promise<ServerInfo> | undefined;
  const check = () => {
    checked ??= asOpenCode(options.baseUrl, ask);
    return checked;
  };
  return { client: OpenCode.make({ ...options, usable: check }), check };
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
