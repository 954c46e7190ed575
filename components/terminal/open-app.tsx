import { createApp, type Ports } from "../../src/state/index.ts";
import { type Language, type Words, wordsFor } from "../../src/words/index.ts";
import { crashReport } from "./crash-report.ts";
import { type PresentationInput, presentFullScreen, presentLinear } from "./presentation.tsx";
import { listenToProcess, stopProcess, suspendJob } from "./process-events.ts";
import { sizeOf } from "./terminal-modes.ts";

export interface OpenOptions {
  readonly language: Language;
  /** Opens this session's parts at once. */
  readonly sessionID?: string;
  /** One linear view, for a screen reader: no alternate screen, no columns. */
  readonly screenReader?: boolean;
  /** Writes a crash's report, which holds no content and no secret, at once, and returns where it is. */
  readonly writeCrashReport?: (report: string) => string;
  /** Our own version, for the crash report. */
  readonly version?: string;
  /** Asked once the first frame is drawn. Rejects where what the app is opened on is of no use: then it is left. */
  readonly usable?: () => Promise<unknown>;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
  /** `NO_COLOR` is read from it; the process's own unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** How the app was left. */
export type AppExit =
  | { readonly kind: "quit" }
  | { readonly kind: "signal"; readonly signal: NodeJS.Signals }
  /** What `usable` rejected with. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** One sentence for the user, in their language. */
  | { readonly kind: "crashed"; readonly sentence: string };

/**
 * Opens the app on the terminal and resolves when it is left, with the terminal as it was before. The process goes
 * on: how it ends, and with which exit code, is for the caller to decide.
 */
export async function openApp(ports: Ports, options: OpenOptions): Promise<AppExit> {
  const { stdin = process.stdin, stdout = process.stdout, environment = process.env } = options;
  const words = wordsFor(options.language);
  let leave: (exit: AppExit) => void = () => undefined;
  const left = new Promise<AppExit>((resolve) => {
    leave = resolve;
  });
  const app = createApp(ports, {
    size: sizeOf(stdout),
    ...(options.sessionID === undefined ? {} : { sessionID: options.sessionID }),
    ...(process.platform === "win32" ? {} : { onSuspend: suspendJob }),
  });
  const onCrash = (error: unknown) => {
    const { screens, size } = app.store.getState();
    const report = crashReport(error, { version: options.version ?? "", screens, size });
    leave({ kind: "crashed", sentence: crashSentence(report, options, words) });
  };
  const input: PresentationInput = { app, words, colour: !environment.NO_COLOR, stdin, stdout, onCrash };
  const presentation = options.screenReader ? presentLinear(input) : presentFullScreen(input);
  const stopListening = listenToProcess({
    onEnd: (signal) => leave({ kind: "signal", signal }),
    onSuspend() {
      presentation.release();
      stdin.setRawMode?.(false);
      stopProcess();
    },
    onResume() {
      stdin.setRawMode?.(true);
      presentation.retake();
    },
    onCrash,
    onExit: presentation.release,
  });
  options.usable?.().catch((error: unknown) => leave({ kind: "failed", error }));
  const unsubscribe = app.store.subscribe((state) => {
    if (state.leaving === "left") leave({ kind: "quit" });
  });
  try {
    return await left;
  } finally {
    unsubscribe();
    app.close();
    presentation.close();
    stopListening();
  }
}

function crashSentence(report: string, { writeCrashReport }: OpenOptions, words: Words): string {
  try {
    const path = writeCrashReport?.(report);
    return path === undefined ? words.crashedWithoutLog : words.crashed(path);
  } catch {
    return words.crashedWithoutLog;
  }
}
