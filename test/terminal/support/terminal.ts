import { resolve } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { type Cell, cellsOf } from "./cells.ts";

/** The program as `npm run build` makes it. */
export const CLI = resolve(import.meta.dirname, "../../../dist/cli.js");

export interface TerminalOptions {
  /** Arguments of `opencode-prune`; by default none, which opens the app. */
  readonly arguments?: readonly string[];
  /** 100 by default. */
  readonly columns?: number;
  /** 30 by default. */
  readonly rows?: number;
  /** Variables for the program, over those of this process. `undefined` takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  /** Runs another program than ours. */
  readonly program?: { readonly file: string; readonly arguments: readonly string[] };
}

export interface Ended {
  readonly code: number;
  /** 0 when it ended by itself. */
  readonly signal: number;
}

/** A condition on the screen: text that is on it, a pattern that matches it, or a test of its rows. */
export type Condition = string | RegExp | ((rows: readonly string[]) => boolean);

/** The program in a real pseudo-terminal, read through a real terminal emulator. */
export interface Terminal {
  readonly pid: number;
  /** What a person sees now, one string a row, without white space at the ends. */
  screen(): string[];
  /** The same with its colours, cell by cell. */
  cells(): Cell[][];
  /** The screen as one text, for messages. */
  text(): string;
  /** Types the keys, one after the other: `"j"`, `"Enter"`, `"ctrl-d"`. Resolves when the terminal has them. */
  press(...keys: string[]): Promise<void>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /**
   * Waits until the condition holds, looking again whenever something was drawn.
   * @throws with the whole screen when it does not hold in time (15 seconds by default), or the program ended.
   */
  until(condition: Condition, patience?: number): Promise<void>;
  /** Waits until nothing was drawn for a while (200 ms by default): to see that a key did nothing. */
  quiet(milliseconds?: number): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Which buffer is shown: the alternate one while a full-screen app runs. */
  buffer(): "normal" | "alternate";
  cursorHidden(): boolean;
  /** Everything that the program wrote, escape sequences included. */
  raw(): string;
  /** Resolves when the program has ended. */
  readonly ended: Promise<Ended>;
  /** Closes the terminal's own end, as a closed window does: the program hangs up and can write nowhere. */
  closeWindow(): void;
  signal(name: NodeJS.Signals): void;
  /** Kills the program if it still runs. */
  close(): Promise<void>;
}

const KEYS: Readonly<Record<string, string>> = {
  Enter: "\r",
  Esc: "\u001b",
  Tab: "\t",
  Space: " ",
  Backspace: "\u007f",
  Up: "\u001b[A",
  Down: "\u001b[B",
  Right: "\u001b[C",
  Left: "\u001b[D",
  Home: "\u001b[H",
  End: "\u001b[F",
  PgUp: "\u001b[5~",
  PgDn: "\u001b[6~",
};
const PATIENCE = 15_000;
/** A lone escape and a key pressed right behind it would be read as one sequence. */
const BETWEEN_KEYS = 60;

export function openTerminal(options: TerminalOptions = {}): Terminal {
  const { columns = 100, rows = 30 } = options;
  const program = options.program ?? {
    file: process.execPath,
    arguments: [CLI, ...(options.arguments ?? [])],
  };
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
  const pty = spawn(program.file, [...program.arguments], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: options.folder ?? process.cwd(),
    env: environmentOf(options.environment),
  });
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const look of watchers) look();
  };
  let written = "";
  let over: Ended | undefined;
  let hidden = false;
  pty.onData((data) => {
    written += data;
    for (const [, on] of data.matchAll(/\u001b\[\?25([hl])/g)) hidden = on === "l";
    emulator.write(data, notify);
  });
  // The terminal answers what a program asks it, such as where the cursor is.
  emulator.onData((answer) => pty.write(answer));
  const ended = new Promise<Ended>((done) => {
    pty.onExit(({ exitCode, signal }) => {
      over = { code: exitCode, signal: signal ?? 0 };
      emulator.write("", notify);
      done(over);
    });
  });

  const screen = () => {
    const { active } = emulator.buffer;
    return Array.from(
      { length: emulator.rows },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? "",
    );
  };
  const text = () => screen().join("\n").trimEnd();
  const send = async (sequence: string) => {
    pty.write(sequence);
    await pause(BETWEEN_KEYS);
  };

  return {
    pid: pty.pid,
    screen,
    cells: () => cellsOf(emulator),
    text,
    ended,
    raw: () => written,
    buffer: () => emulator.buffer.active.type,
    cursorHidden: () => hidden,
    async press(...keys) {
      for (const key of keys) await send(sequenceOf(key));
    },
    type: send,
    until(condition, patience = PATIENCE) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(limit);
          watchers.delete(look);
        };
        const fail = (why: string) => {
          stop();
          reject(
            new Error(`${why} while waiting for ${describe(condition)}. The screen:\n${framed(screen())}`),
          );
        };
        const look = () => {
          if (holds(condition, screen())) {
            stop();
            resolve();
          } else if (over) fail(`The program ended with code ${over.code} (signal ${over.signal})`);
        };
        const limit = setTimeout(() => fail(`Gave up after ${patience} ms`), patience);
        watchers.add(look);
        look();
      });
    },
    quiet(milliseconds = 200) {
      return new Promise((resolve) => {
        const done = () => {
          watchers.delete(again);
          resolve();
        };
        let limit = setTimeout(done, milliseconds);
        const again = () => {
          clearTimeout(limit);
          limit = setTimeout(done, milliseconds);
        };
        watchers.add(again);
      });
    },
    resize(newColumns, newRows) {
      emulator.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    closeWindow: () => (pty as IPty & { destroy(): void }).destroy(),
    signal: (name) => signal(pty, name),
    async close() {
      if (!over) {
        signal(pty, "SIGKILL");
        await ended;
      }
      emulator.dispose();
    },
  };
}

/**
 * With what a person's terminal has, and without what makes Ink and its colours think that they run in CI: a daemon's
 * environment, which tests hand in, has that from this process.
 */
function environmentOf(changes: TerminalOptions["environment"] = {}): Record<string, string> {
  const merged: Record<string, string | undefined> = {
    ...process.env,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    NODE_ENV: undefined,
    VITEST: undefined,
    COLORTERM: "truecolor",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    ...changes,
    CI: undefined,
    CONTINUOUS_INTEGRATION: undefined,
    GITHUB_ACTIONS: undefined,
    BUILD_NUMBER: undefined,
    RUN_ID: undefined,
  };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function sequenceOf(key: string): string {
  const named = KEYS[key];
  if (named !== undefined) return named;
  const control = /^ctrl-([a-z])$/.exec(key)?.[1];
  if (control) return String.fromCharCode(control.charCodeAt(0) - 96);
  if ([...key].length === 1) return key;
  throw new Error(
    `"${key}" is not a key; use one character, ctrl-x, or one of ${Object.keys(KEYS).join(", ")}.`,
  );
}

function holds(condition: Condition, rows: readonly string[]): boolean {
  if (typeof condition === "function") return condition(rows);
  const text = rows.join("\n");
  return typeof condition === "string" ? text.includes(condition) : condition.test(text);
}

function describe(condition: Condition): string {
  if (typeof condition === "string") return `“${condition}”`;
  return String(condition);
}

function framed(rows: readonly string[]): string {
  return rows.map((row) => `│${row}`).join("\n");
}

function signal(pty: IPty, name: NodeJS.Signals) {
  try {
    process.kill(pty.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
