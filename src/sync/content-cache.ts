import { partBytes } from "../contract/index.ts";
import type { MessageContent, MessageReference } from "../state/ports.ts";

export interface ContentLimits {
  /** Messages. */
  readonly count: number;
  /** UTF-8 bytes of their parts' JSON. */
  readonly bytes: number;
}

/** Message contents in memory, within limits; the least recently used go first. Never written to disk. */
export class ContentCache {
  readonly #limits: ContentLimits;
  readonly #contents = new Map<string, { readonly content: MessageContent; readonly bytes: number }>();
  #bytes = 0;

  constructor(limits: ContentLimits) {
    this.#limits = limits;
  }

  get size(): { readonly count: number; readonly bytes: number } {
    return { count: this.#contents.size, bytes: this.#bytes };
  }

  get(reference: MessageReference): MessageContent | undefined {
    const key = keyOf(reference);
    const held = this.#contents.get(key);
    if (!held) return undefined;
    this.#contents.delete(key);
    this.#contents.set(key, held);
    return held.content;
  }

  set(content: MessageContent): void {
    this.drop(content);
    const bytes = content.parts.reduce((sum, part) => sum + partBytes(part), 0);
    if (bytes > this.#limits.bytes) return;
    this.#contents.set(keyOf(content), { content, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#contents.values()) {
      if (this.#contents.size <= this.#limits.count && this.#bytes <= this.#limits.bytes) return;
      this.drop(oldest.content);
    }
  }

  drop(reference: MessageReference): void {
    const key = keyOf(reference);
    this.#bytes -= this.#contents.get(key)?.bytes ?? 0;
    this.#contents.delete(key);
  }

  dropSession(sessionID: string): void {
    for (const { content } of [...this.#contents.values()])
      if (content.sessionID === sessionID) this.drop(content);
  }

  clear(): void {
    this.#contents.clear();
    this.#bytes = 0;
  }
}

function keyOf({ sessionID, messageID }: MessageReference): string {
  return `${sessionID}\n${messageID}`;
}
