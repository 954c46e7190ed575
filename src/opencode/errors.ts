/**
 * What can go wrong between us and the daemon. Every message is one sentence that names the thing, the reason
 * and the next step. None of them ever holds the password, or content of a message.
 */
export class OpenCodeError extends Error {
  override readonly name: string = "OpenCodeError";
}

/** The server could not be reached, broke the connection, or did not answer in time. */
export class UnreachableError extends OpenCodeError {
  override readonly name = "UnreachableError";
  constructor(
    readonly baseUrl: string,
    readonly reason: string,
    /** False when the request certainly did not reach the server, so that nothing can have happened there. */
    readonly mayHaveArrived: boolean,
  ) {
    super(
      `The OpenCode server at ${baseUrl} could not be reached (${reason}); check that it runs (\`opencode service start\`), or name another with --server.`,
    );
  }
}

/** 401 or 403. */
export class UnauthorisedError extends OpenCodeError {
  override readonly name = "UnauthorisedError";
  constructor(readonly baseUrl: string) {
    super(
      `The server at ${baseUrl} refused the password; set OPENCODE_SERVER_PASSWORD to the one that it was started with.`,
    );
  }
}

/** 404: a session, a message or a whole path that the server does not have. */
export class NotFoundError extends OpenCodeError {
  override readonly name = "NotFoundError";
  constructor(
    /** The server's own tag, such as `SessionNotFoundError`; empty when the path itself is unknown. */
    readonly tag: string,
    message: string,
  ) {
    super(message);
  }
}

/** The RPC of a plugin refused: `rpc.unavailable`, `rpc.method_not_found`, `rpc.invalid_input` or `rpc.internal`. */
export class RpcRefusedError extends OpenCodeError {
  override readonly name = "RpcRefusedError";
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** The answer is not what an OpenCode 2 server gives. */
export class MalformedError extends OpenCodeError {
  override readonly name = "MalformedError";
  constructor(
    readonly baseUrl: string,
    readonly call: string,
    /** The wrong member, such as `data[3].time.created`; empty when the answer as a whole is wrong. */
    readonly path: string,
    reason: string,
  ) {
    super(
      `The server at ${baseUrl} answered ${call} with something unexpected${path === "" ? "" : ` at ${path}`} (${reason}); check that it is an OpenCode 2 server, and update opencode-prune.`,
    );
  }
}

/** The caller's own signal ended the call. What the server did with the request is unknown. */
export class AbortedError extends OpenCodeError {
  override readonly name = "AbortedError";
  constructor(readonly call: string) {
    super(`${call} was stopped before the answer came; start it again when it is wanted.`);
  }
}

/** Any other refusal of the server: a bad request or an internal error. */
export class ServerError extends OpenCodeError {
  override readonly name = "ServerError";
  constructor(
    readonly status: number,
    /** The server's own tag, such as `InvalidCursorError`; empty when it gave none. */
    readonly tag: string,
    message: string,
  ) {
    super(message);
  }
}
