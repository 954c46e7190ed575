import type { AppContext } from "./app-context.ts";
import type { Prompt } from "./app-state.ts";
import { topScreen } from "./screens.ts";

const MAX_INPUT = 200;

/** What happens with a prompt's text once it is accepted. Answering false keeps the prompt open. */
export type Accept = (text: string, kind: Prompt["kind"]) => boolean;

/** The line at the bottom that asks for a text. A filter takes effect while it is typed. */
export function promptingActions({ get, change }: AppContext, accept: Accept) {
  function open(kind: Prompt["kind"], text = ""): void {
    change({ prompt: { kind, text, before: text, refused: false } });
  }

  function write(text: string): void {
    const { prompt } = get();
    if (prompt === undefined) return;
    change({ prompt: { ...prompt, text, refused: false } });
    if (prompt.kind === "filter") applyFilter(text);
  }

  function applyFilter(filter: string): void {
    const { parts } = get();
    if (topScreen(get()) === "parts" && parts !== undefined) change({ parts: { ...parts, filter } });
    else change({ sessionFilter: filter });
  }

  return {
    open,
    applyFilter,
    type(characters: string) {
      const { prompt } = get();
      if (prompt !== undefined) write((prompt.text + characters).slice(0, MAX_INPUT));
    },
    erase: () => write([...(get().prompt?.text ?? "")].slice(0, -1).join("")),
    eraseAll: () => write(""),
    cancel() {
      const { prompt } = get();
      if (prompt === undefined) return;
      if (prompt.kind === "filter") applyFilter(prompt.before);
      change({ prompt: undefined });
    },
    accept() {
      const { prompt } = get();
      if (prompt === undefined) return;
      if (prompt.kind === "filter") change({ prompt: undefined });
      else if (accept(prompt.text, prompt.kind)) change({ prompt: undefined });
      else change({ prompt: { ...prompt, refused: true } });
    },
  };
}
