import { EventEmitter } from "node:events";
import { filledLines } from "../frame/fill.ts";
import type { TerminalOutput } from "./terminal-modes.ts";

const BEGIN_UPDATE = "\x1b[?2026h";
const END_UPDATE = "\x1b[?2026l";
const CLEAR = "\x1b[2J";

/** Puts whole frames on the terminal. */
export interface Painter {
  /** What Ink writes its frames to. */
  readonly stream: NodeJS.WriteStream;
  /** Draws the last frame again, whatever the terminal shows now. */
  readonly repaint: () => void;
  /** From now on nothing is drawn, until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Ink lays frames out; this writes what differs from the frame before, each line at its own place. Nothing depends
 * on where the cursor was left, so a resize, another program's output or a suspended process cannot shift the
 * frame. While the terminal is slow, frames are left out instead of piling up.
 */
export function createPainter(output: TerminalOutput): Painter {
  let wanted: readonly string[] = [];
  let painted: readonly string[] | undefined;
  let isPaused = false;
  let isFull = false;

  output.on("drain", () => {
    isFull = false;
    paint();
  });

  function paint(): void {
    if (isPaused || isFull || wanted === painted) return;
    const changes = painted === undefined ? CLEAR + changedLines([], wanted) : changedLines(painted, wanted);
    painted = wanted;
    if (changes !== "") isFull = !output.write(BEGIN_UPDATE + changes + END_UPDATE);
  }

  return {
    stream: frameStream(output, (frame) => {
      wanted = filledLines(frame);
      paint();
    }),
    repaint() {
      painted = undefined;
      paint();
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      painted = undefined;
      paint();
    },
  };
}

function changedLines(before: readonly string[], after: readonly string[]): string {
  let changes = "";
  for (let line = 0; line < Math.max(before.length, after.length); line += 1) {
    const text = after[line] ?? "";
    if (text !== before[line]) changes += `\x1b[${line + 1};1H\x1b[2K${text}`;
  }
  return changes;
}

/** As much of a stream as Ink asks for. It is no terminal to Ink, so Ink sends it no control sequences of its own. */
function frameStream(output: TerminalOutput, onFrame: (frame: string) => void): NodeJS.WriteStream {
  const stream = Object.assign(new EventEmitter(), {
    isTTY: false,
    writable: true,
    write(frame: string): boolean {
      onFrame(frame);
      return true;
    },
  });
  Object.defineProperties(stream, {
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  });
  return stream as unknown as NodeJS.WriteStream;
}
