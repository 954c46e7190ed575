/**
 * A signal that aborts on the first SIGINT or SIGTERM, for work that stops at its next safe point. A second one
 * ends the process as usual. Call `release` when the work is over.
 */
export function untilInterrupted(): { readonly signal: AbortSignal; readonly release: () => void } {
  const stop = new AbortController();
  const interrupt = () => {
    stop.abort();
    release();
  };
  const release = () => {
    process.removeListener("SIGINT", interrupt);
    process.removeListener("SIGTERM", interrupt);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return { signal: stop.signal, release };
}
