import { homedir, userInfo } from "node:os";
import { sep } from "node:path";
import type { DocumentBody } from "../documents/index.ts";

export type Check = DocumentBody<"doctor">["checks"][number];
export type Status = Check["status"];

/** Makes the checks of one area, in words that can be pasted into a public bug report. */
export class Area {
  readonly checks: Check[] = [];

  constructor(
    readonly area: string,
    readonly privacy: Privacy,
  ) {}

  ok(name: string, detail: string): void {
    this.#add("ok", name, detail);
  }

  warn(name: string, detail: string, todo: string): void {
    this.#add("warn", name, detail, todo);
  }

  fail(name: string, detail: string, todo: string): void {
    this.#add("fail", name, detail, todo);
  }

  #add(status: Status, name: string, detail: string, todo?: string): void {
    const { area, privacy } = this;
    this.checks.push({
      area,
      name,
      status,
      detail: privacy.hide(detail),
      ...(todo === undefined ? {} : { todo: privacy.hide(todo) }),
    });
  }
}

/** Takes out of a text what tells who the user is: the home folder, the name in paths, and where a remote server is. */
export class Privacy {
  readonly #replacements: readonly (readonly [string, string])[];

  constructor(environment: NodeJS.ProcessEnv, remoteServer?: string) {
    const homes = [environment.HOME, homedir()].filter(
      (home): home is string => Boolean(home) && home !== sep,
    );
    const user = environment.USER || userInfo().username;
    this.#replacements = [
      ...homes.map((home) => [home, "~"] as const),
      [`${sep}${user}${sep}`, `${sep}<user>${sep}`],
      ...(remoteServer === undefined ? [] : [[remoteServer, "<server>"] as const]),
    ];
  }

  hide(text: string): string {
    return this.#replacements.reduce((shown, [secret, name]) => shown.replaceAll(secret, name), text);
  }
}

/** A failure as a finding: what is wrong, and what to do, which our errors put behind a semicolon. */
export function findingOf(error: unknown): { readonly detail: string; readonly todo: string } {
  const message = error instanceof Error ? error.message : String(error);
  const [detail = message, ...todo] = message.replace(/\.$/, "").split("; ");
  return { detail, todo: todo.join("; ") || "look at the server's log" };
}
