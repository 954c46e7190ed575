import { cut, sanitise } from "../text/index.ts";
import { quantities } from "./words.ts";

const BAR_CELLS = 24;
const PAUSE = 100;

/** A bar on the terminal while something takes its time; nothing at all in a pipe. */
export interface ProgressLine {
  /** `done` of `total`, and what is being done. */
  show(done: number, total: number, text: string): void;
  /** Leaves the line empty for what is printed next. */
  clear(): void;
}

export function createProgressLine(output: NodeJS.WriteStream = process.stderr): ProgressLine {
  if (!output.isTTY || process.env.TERM === "dumb") return { show() {}, clear() {} };
  let drawnAt = 0;
  let isDrawn = false;
  return {
    show(done, total, text) {
      const now = performance.now();
      if (isDrawn && now - drawnAt < PAUSE && done < total) return;
      drawnAt = now;
      isDrawn = true;
      output.write(`\r\u001b[K${barLine(done, total, text, (output.columns || 80) - 1)}`);
    },
    clear() {
      if (isDrawn) output.write("\r\u001b[K");
      isDrawn = false;
    },
  };
}

/** `[#####     ]  42%  text`, at most `cells` wide. */
export function barLine(done: number, total: number, text: string, cells: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const filled = Math.round(share * BAR_CELLS);
  const bar = `[${"#".repeat(filled)}${" ".repeat(BAR_CELLS - filled)}] ${quantities.share(share).padStart(4)}`;
  return cut(`${bar}  ${sanitise(text)}`, cells);
}
