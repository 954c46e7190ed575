export interface ProcessEvents {
  /** The process is asked to end. */
  readonly onEnd: (signal: NodeJS.Signals) => void;
  /** The process is to stop until it is continued. */
  readonly onSuspend: () => void;
  /** The process goes on after it was stopped, by whomever. */
  readonly onResume: () => void;
  readonly onCrash: (error: unknown) => void;
  /** The last moment before the process is gone; only what is synchronous happens. */
  readonly onExit: () => void;
}

const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/** Listens to everything that can take the terminal away from the app. Returns the way to stop it. */
export function listenToProcess({ onEnd, onSuspend, onResume, onCrash, onExit }: ProcessEvents): () => void {
  process.on("exit", onExit);
  process.on("SIGTSTP", onSuspend);
  process.on("SIGCONT", onResume);
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
  for (const signal of ENDING_SIGNALS) process.on(signal, onEnd);
  return () => {
    process.off("exit", onExit);
    process.off("SIGTSTP", onSuspend);
    process.off("SIGCONT", onResume);
    process.off("uncaughtException", onCrash);
    process.off("unhandledRejection", onCrash);
    for (const signal of ENDING_SIGNALS) process.off(signal, onEnd);
  };
}

/** Asks the shell's whole job to stop, this process with it, as Ctrl-Z does outside of raw mode. */
export function suspendJob(): void {
  process.kill(0, "SIGTSTP");
}

/** Stops this process here and now, until it is continued. */
export function stopProcess(): void {
  process.kill(process.pid, "SIGSTOP");
}
