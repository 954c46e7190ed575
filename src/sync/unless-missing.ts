import { NotFoundError } from "../opencode/index.ts";

/** What was read; undefined when the daemon does not have the session or the message. */
export async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFoundError && error.tag !== "") return undefined;
    throw error;
  }
}
