import type { MessageOutline, PartOutline } from "../contract/index.ts";
import type { AppContext } from "./app-context.ts";
import { isSelectable, type PartListRow } from "./part-rows.ts";
import { rowAtCursor } from "./screens.ts";

/** Choosing parts, one by one or many at once. Only what is shown is ever chosen. */
export function selectingActions({ get, selectionChanged, tell, pop }: AppContext) {
  function sessionID(): string {
    return get().parts?.sessionID ?? "";
  }

  function areAllSelected(message: MessageOutline, parts: readonly PartOutline[]): boolean {
    const { model } = get().selection;
    return parts.every((part) => model.has(sessionID(), message.messageID, part));
  }

  function toggleParts(message: MessageOutline, parts: readonly PartOutline[]): void {
    if (message.unprunable !== undefined) {
      tell({ kind: "unselectable", reason: message.unprunable });
      return;
    }
    const { model } = get().selection;
    if (areAllSelected(message, parts)) model.remove(sessionID(), message.messageID, parts);
    else model.add(sessionID(), message, parts);
    selectionChanged();
  }

  function selectWhere(wanted: (part: PartOutline, message: MessageOutline) => boolean): void {
    const { model } = get().selection;
    const before = model.totals(sessionID()).parts;
    for (const { message, parts } of selectableGroups(get().rows.parts)) {
      model.add(
        sessionID(),
        message,
        parts.filter((part) => wanted(part, message)),
      );
    }
    const added = model.totals(sessionID()).parts - before;
    selectionChanged(added === 0 ? { message: { kind: "nothing_added" } } : {});
  }

  function unselectAll(): void {
    const { model } = get().selection;
    model.clear(sessionID());
    selectionChanged();
  }

  function invert(): void {
    const { model } = get().selection;
    for (const { message, parts } of selectableGroups(get().rows.parts)) {
      const isSelected = (part: PartOutline) => model.has(sessionID(), message.messageID, part);
      const selected = parts.filter(isSelected);
      const others = parts.filter((part) => !isSelected(part));
      model.remove(sessionID(), message.messageID, selected);
      model.add(sessionID(), message, others);
    }
    selectionChanged();
  }

  return {
    unselectAll,
    invert,
    toggle() {
      const row = rowAtCursor(get(), "parts");
      if (row !== undefined) toggleParts(row.message, row.kind === "part" ? [row.part] : row.parts);
    },
    toggleMessage() {
      const rows = get().rows.parts;
      let index = get().lists.parts.cursor;
      while (rows[index]?.kind === "part") index -= 1;
      const head = rows[index];
      if (head?.kind === "message") toggleParts(head.message, head.parts);
    },
    selectShown: () => selectWhere(() => true),
    selectLargerThan: (bytes: number) => selectWhere((part) => part.bytes > bytes),
    /** Keeps the newest messages of the session and selects what is shown of the others. */
    selectOlderThanNewest(kept: number) {
      const messages = get().history.outlines.get(sessionID())?.messages ?? [];
      const old = new Set(messages.slice(0, Math.max(0, messages.length - kept)));
      selectWhere((_, message) => old.has(message));
    },
    /** What the row of the selection menu says. Answers whether a question must be asked first. */
    chooseRow(): "size" | "age" | undefined {
      const row = rowAtCursor(get(), "select");
      if (row === undefined) return undefined;
      pop();
      switch (row.kind) {
        case "tools":
          selectWhere((part) => part.type === "tool");
          break;
        case "reasoning":
          selectWhere((part) => part.type === "reasoning");
          break;
        case "tool":
          selectWhere((part) => part.toolName === row.toolName);
          break;
        case "invert":
          invert();
          break;
        case "none":
          unselectAll();
          break;
        default:
          return row.kind;
      }
      return undefined;
    },
  };
}

interface Group {
  readonly message: MessageOutline;
  readonly parts: readonly PartOutline[];
}

function selectableGroups(rows: readonly PartListRow[]): Group[] {
  const groups: Group[] = [];
  for (const row of rows) {
    if (row.kind === "message" && isSelectable(row.message)) groups.push(row);
  }
  return groups;
}
