import { EventEmitter } from "node:events";

/** A terminal that nobody looks at: it takes keys and counts what is written. */
export class TerminalInMemory {
  bytes = 0;
  readonly columns: number;
  readonly rows: number;
  readonly #input = new EventEmitter();
  readonly #output = new EventEmitter();
  #typed: string | null = null;
  #written: () => void = () => undefined;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  get stdout(): NodeJS.WriteStream {
    const write = (text: string): boolean => {
      this.bytes += Buffer.byteLength(text, "utf8");
      this.#written();
      return true;
    };
    const { columns, rows } = this;
    return Object.assign(this.#output, {
      columns,
      rows,
      isTTY: true,
      write,
    }) as unknown as NodeJS.WriteStream;
  }

  get stdin(): NodeJS.ReadStream {
    const nothing = () => undefined;
    const read = (): string | null => {
      const typed = this.#typed;
      this.#typed = null;
      return typed;
    };
    return Object.assign(this.#input, {
      isTTY: true,
      setEncoding: nothing,
      setRawMode: nothing,
      ref: nothing,
      unref: nothing,
      read,
    }) as unknown as NodeJS.ReadStream;
  }

  type(key: string): void {
    this.#typed = key;
    this.#input.emit("readable");
  }

  /** Types a key and resolves when something was written after it. */
  drawnAfter(key: string): Promise<void> {
    const drawn = new Promise<void>((resolve) => {
      this.#written = resolve;
    });
    this.type(key);
    return drawn;
  }
}
