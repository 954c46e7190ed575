import type { AppContext } from "./app-context.ts";
import { DOCUMENT_START } from "./detail-document.ts";
import { type ListShape, type ListView, moveBy, moveTo } from "./list-view.ts";
import { bodyHeight, detailWidth, isListName, listShape, topScreen } from "./screens.ts";

/** Moving the cursor of a list, and the view of a part's content. */
export function movingActions({ get, change }: AppContext) {
  function move(to: (list: ListView, shape: ListShape) => ListView): void {
    const state = get();
    const screen = topScreen(state);
    if (!isListName(screen)) return;
    const list = to(state.lists[screen], listShape(state, screen, state.rows));
    change({ lists: { ...state.lists, [screen]: list } });
  }

  function scroll(rows: number): void {
    const { detail, size } = get();
    if (detail?.document === undefined) return;
    const position = detail.document.move(
      detail.position,
      rows,
      detailWidth(size),
      bodyHeight(get(), "detail"),
    );
    change({ detail: { ...detail, position } });
  }

  function step(rows: number): void {
    if (topScreen(get()) === "detail") scroll(rows);
    else move((list, shape) => moveBy(list, rows, shape));
  }

  function page(direction: 1 | -1): void {
    const state = get();
    step(direction * Math.max(1, bodyHeight(state, topScreen(state)) - 1));
  }

  return {
    up: () => step(-1),
    down: () => step(1),
    pageUp: () => page(-1),
    pageDown: () => page(1),
    first() {
      const { detail } = get();
      if (topScreen(get()) === "detail") {
        if (detail !== undefined) change({ detail: { ...detail, position: DOCUMENT_START } });
      } else move((list, shape) => moveTo(list, 0, shape));
    },
    last() {
      const { detail, size } = get();
      if (topScreen(get()) === "detail") {
        if (detail?.document === undefined) return;
        const position = detail.document.last(detailWidth(size), bodyHeight(get(), "detail"));
        change({ detail: { ...detail, position } });
      } else move((list, shape) => moveTo(list, shape.length - 1, shape));
    },
    /** From now on the cursor holds on to the row that it is on. */
    hold() {
      move((list, shape) =>
        list.key === undefined && shape.length > 0 ? moveTo(list, list.cursor, shape) : list,
      );
    },
  };
}
