import type { AppContext } from "./app-context.ts";
import { bodyHeight, detailWidth } from "./screens.ts";

/** Finding text in a part's content. */
export function searchingActions({ get, change, tell }: AppContext) {
  function find(direction: 1 | -1, from: number, search: string): void {
    const { detail, size } = get();
    if (detail?.document === undefined) return;
    const line = detail.document.find(search, from, direction);
    if (line === undefined) {
      change({ detail: { ...detail, search } });
      tell({ kind: "not_found" });
      return;
    }
    const height = bodyHeight(get(), "detail");
    const position = detail.document.move({ line, row: 0 }, 0, detailWidth(size), height);
    change({ detail: { ...detail, search, position, found: line } });
  }

  function again(direction: 1 | -1): void {
    const { detail } = get();
    if (detail !== undefined) find(direction, detail.found ?? detail.position.line, detail.search);
  }

  return {
    /** From the first line that is shown on. An empty text ends the search. */
    search(text: string): void {
      const { detail } = get();
      if (detail === undefined) return;
      const { found: _, ...rest } = detail;
      change({ detail: { ...rest, search: text } });
      if (text !== "") find(1, detail.position.line - 1, text);
    },
    nextMatch: () => again(1),
    previousMatch: () => again(-1),
  };
}
