import { OpenCodeError } from "./errors.ts";

/** The address of a server cannot be used. The message never repeats credentials. */
export class AddressError extends OpenCodeError {
  override readonly name = "AddressError";
}

export interface AddressOptions {
  /** Allows plain http beyond loopback, where anybody on the way can read the password. */
  readonly insecure: boolean;
}

/** The base URL that an address given by a user means. Throws an `AddressError` with the reason and what to do. */
export function parseAddress(text: string, options: AddressOptions): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== "")) {
    throw new AddressError(
      "The server's address holds a user name or a password; leave them out and set OPENCODE_SERVER_PASSWORD.",
    );
  }
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new AddressError(
      `${quoted(text)} is not the address of a server; give one such as http://127.0.0.1:4096.`,
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !options.insecure) {
    throw new AddressError(
      `${url.origin} is plain http to another machine, which would send the password readable; use https, a tunnel to 127.0.0.1, or --insecure if you accept that.`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** What the user typed, unless it could hold a password; without characters that a terminal would obey. */
function quoted(text: string): string {
  if (text.includes("@")) return "What was given";
  return `"${text.slice(0, 200).replace(/[^\x20-\x7e]/g, "?")}"`;
}
