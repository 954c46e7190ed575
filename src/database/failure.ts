/** SQLite's own name of what went wrong, such as `SQLITE_BUSY`, or the system's, such as `EACCES`; else empty. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(codeOf(error));
}

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return code === "" ? message : `${message}, ${code}`;
}
