import { EventEmitter } from "node:events";
import xterm from "@xterm/headless";

/** A terminal that keeps what it shows, and every byte that it was sent. */
export class FakeTerminal {
  readonly written: string[] = [];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** While true, the terminal says that it cannot take more. */
  slow = false;
  readonly #screen: xterm.Terminal;
  readonly #output = new EventEmitter();
  readonly #input = new EventEmitter();
  #typed: string | null = null;

  constructor(columns: number, rows: number) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    const screen = this.#screen;
    this.stdout = Object.defineProperties(
      Object.assign(this.#output, {
        isTTY: true,
        write: (text: string) => {
          this.written.push(text);
          screen.write(text);
          return !this.slow;
        },
      }),
      { columns: { get: () => screen.cols }, rows: { get: () => screen.rows } },
    ) as unknown as NodeJS.WriteStream;
    this.stdin = Object.assign(this.#input, {
      isTTY: true,
      setEncoding() {},
      setRawMode() {},
      ref() {},
      unref() {},
      read: () => {
        const typed = this.#typed;
        this.#typed = null;
        return typed;
      },
    }) as unknown as NodeJS.ReadStream;
  }

  /** What the person in front of it sees. */
  async lines(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#screen.write("", resolve));
    const buffer = this.#screen.buffer.active;
    return Array.from(
      { length: this.#screen.rows },
      (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "",
    );
  }

  async text(): Promise<string> {
    return (await this.lines()).join("\n");
  }

  get buffer(): "normal" | "alternate" {
    return this.#screen.buffer.active.type;
  }

  get modes(): xterm.IModes {
    return this.#screen.modes;
  }

  type(bytes: string): void {
    this.#typed = bytes;
    this.#input.emit("readable");
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#output.emit("resize");
  }

  drain(): void {
    this.slow = false;
    this.#output.emit("drain");
  }

  /** Something else writes to the terminal. */
  scribble(text: string): void {
    this.#screen.write(text);
  }
}
