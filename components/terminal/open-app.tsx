import { render } from "ink";
import { createApp, type Ports, type Size } from "../../src/state/index.ts";
import { type Language, wordsFor } from "../../src/words/index.ts";
import { AppView } from "../app-view.tsx";
import { crashReport } from "./crash-report.ts";
import { createPainter } from "./painter.ts";
import { ENTER_SCREEN, LEAVE_SCREEN, type TerminalOutput } from "./terminal-modes.ts";

export interface OpenOptions {
  readonly language: Language;
  /** Opens this session's parts at once. */
  readonly sessionID?: string;
  /** One linear view, for a screen reader: no alternate screen, no columns. */
  readonly screenReader?: boolean;
  /** Writes a crash's report, which holds no content and no secret, and returns where it is. */
  readonly writeCrashReport?: (report: string) => string;
  readonly version?: string;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
  /** `NO_COLOR` is read from it; the process's own unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** How the app was left. */
export type AppExit =
  | { readonly kind: "quit" }
  | { readonly kind: "signal"; readonly signal: NodeJS.Signals }
  /** One sentence for the user, in their language. */
  | { readonly kind: "crashed"; readonly sentence: string };

const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/**
 * Opens the app on the terminal and resolves when it is left, with the terminal as it was before. The process goes
 * on: how it ends, and with which exit code, is for the caller to decide.
 */
export async function openApp(ports: Ports, options: OpenOptions): Promise<AppExit> {
  const { stdin = process.stdin, stdout = process.stdout, environment = process.env } = options;
  const words = wordsFor(options.language);
  const app = createApp(ports, {
    size: sizeOf(stdout),
    ...(options.sessionID === undefined ? {} : { sessionID: options.sessionID }),
    onSuspend: () => process.kill(0, "SIGTSTP"),
  });
  const painter = createPainter(stdout);
  let leave: (exit: AppExit) => void = () => undefined;
  const left = new Promise<AppExit>((resolve) => {
    leave = resolve;
  });

  const restore = () => {
    painter.pause();
    stdout.write(LEAVE_SCREEN);
  };
  const suspend = () => {
    restore();
    stdin.setRawMode?.(false);
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = () => {
    stdin.setRawMode?.(true);
    stdout.write(ENTER_SCREEN);
    painter.resume();
    app.resize(sizeOf(stdout));
  };
  const resize = () => {
    app.resize(sizeOf(stdout));
    painter.repaint();
  };
  const end = (signal: NodeJS.Signals) => leave({ kind: "signal", signal });
  const crash = (error: unknown) => {
    const { screens, size } = app.store.getState();
    const report = crashReport(error, { version: options.version ?? "unknown", screens, size });
    leave({ kind: "crashed", sentence: crashSentence(report, options, words) });
  };
  const unsubscribe = app.store.subscribe((state) => {
    if (state.leaving === "left") leave({ kind: "quit" });
  });

  stdout.write(ENTER_SCREEN);
  process.on("exit", restore);
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", resume);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  stdout.on("resize", resize);
  const ink = render(<AppView app={app} words={words} colour={!environment.NO_COLOR} />, {
    stdin,
    stdout: painter.stream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  ink.waitUntilExit().catch(crash);
  try {
    return await left;
  } finally {
    unsubscribe();
    app.close();
    painter.pause();
    ink.unmount();
    restore();
    stdout.off("resize", resize);
    process.off("exit", restore);
    process.off("SIGTSTP", suspend);
    process.off("SIGCONT", resume);
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  }
}

function sizeOf(stdout: TerminalOutput): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}

function crashSentence(report: string, options: OpenOptions, words: ReturnType<typeof wordsFor>): string {
  try {
    const path = options.writeCrashReport?.(report);
    return path === undefined ? words.crashedWithoutLog : words.crashed(path);
  } catch {
    return words.crashedWithoutLog;
  }
}
