/** What an error says, for a person. It may quote the daemon: it is foreign text. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
