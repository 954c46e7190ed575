/** Where the cursor stands in a list, and which row is the first on the screen. */
export interface ListView {
  readonly cursor: number;
  readonly top: number;
  /** The row that the cursor holds on to when rows move. Absent until the user moved: then it keeps to the top. */
  readonly key?: string;
}

export const UNTOUCHED: ListView = { cursor: 0, top: 0 };

/** What a list must tell so that a cursor can move in it without looking at the rows. */
export interface ListShape {
  readonly length: number;
  readonly height: number;
  keyAt(index: number): string | undefined;
}

export function moveTo(list: ListView, index: number, shape: ListShape): ListView {
  const cursor = clamp(index, 0, shape.length - 1);
  const key = shape.keyAt(cursor);
  const view = { cursor, top: topThatShows(cursor, list.top, shape) };
  return key === undefined ? view : { ...view, key };
}

export function moveBy(list: ListView, rows: number, shape: ListShape): ListView {
  return moveTo(list, list.cursor + rows, shape);
}

/**
 * The view after the rows changed. The cursor stays on its row, and its row stays where it is on the screen. A row
 * that is gone leaves the cursor where it was, on what followed. While there are no rows, it is waited for.
 */
export function settle(list: ListView, shape: ListShape): ListView {
  if (list.key === undefined) return list.cursor === 0 && list.top === 0 ? list : UNTOUCHED;
  if (shape.length === 0) return { ...UNTOUCHED, key: list.key };
  const found =
    shape.keyAt(list.cursor) === list.key ? list.cursor : indexOfKey(list.key, list.cursor, shape);
  if (found === undefined) return moveTo(list, list.cursor, shape);
  return { key: list.key, cursor: found, top: topThatShows(found, list.top + found - list.cursor, shape) };
}

/** Looks outwards from where the row was: rows seldom move far. */
function indexOfKey(key: string, was: number, shape: ListShape): number | undefined {
  const near = clamp(was, 0, shape.length - 1);
  for (let distance = 1; distance <= shape.length; distance += 1) {
    if (shape.keyAt(near - distance) === key) return near - distance;
    if (shape.keyAt(near + distance) === key) return near + distance;
  }
  return shape.keyAt(near) === key ? near : undefined;
}

function topThatShows(cursor: number, top: number, shape: ListShape): number {
  const lowest = Math.max(0, cursor - shape.height + 1);
  const last = Math.max(0, shape.length - shape.height);
  return clamp(clamp(top, lowest, cursor), 0, last);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
