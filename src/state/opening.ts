import type { MessageOutline, PartOutline } from "../contract/index.ts";
import { isTechnicalType, partBytes } from "../contract/index.ts";
import type { AppContext } from "./app-context.ts";
import type { DetailView, ScreenName } from "./app-state.ts";
import { DetailDocument, DOCUMENT_START } from "./detail-document.ts";
import { UNTOUCHED } from "./list-view.ts";
import { partIdentity } from "./part-identity.ts";
import type { MessageContent, MessageReference, PlannedMessage, PlannedPart } from "./ports.ts";
import { problemOf } from "./problem.ts";
import { rowAtCursor } from "./screens.ts";

/** Opening a session's parts and a part's content, and closing them again. */
export function openingActions({ ports, get, now, change, push, selectionChanged }: AppContext) {
  let unfollow: (() => void) | undefined;
  let reading: AbortController | undefined;

  function openSession(sessionID: string): void {
    const { parts, screens, lists, partSort, selection, found } = get();
    if (parts?.sessionID !== sessionID) {
      unfollow?.();
      unfollow = ports.history.follow(sessionID);
    }
    const view =
      parts?.sessionID === sessionID
        ? parts
        : { sessionID, shown: "technical" as const, sort: partSort, filter: "" };
    const outline = get().history.outlines.get(sessionID);
    /** What was found in all sessions stays below; what was found in one is a screen above its parts. */
    const isOfAll = (screen: ScreenName) => screen === "found" && found?.sessionID === undefined;
    if (outline !== undefined) selection.model.reconcile(sessionID, outline.messages);
    selectionChanged({
      parts: view,
      screens: [...screens.filter((screen) => screen === "sessions" || isOfAll(screen)), "parts"],
      lists: parts?.sessionID === sessionID ? lists : { ...lists, parts: UNTOUCHED },
    });
  }

  function closeSession(): void {
    unfollow?.();
    unfollow = undefined;
  }

  function openPart(
    { sessionID, messageID }: MessageReference,
    part: PartInView,
    planned?: DetailView["planned"],
  ): void {
    const detail: DetailView = {
      sessionID,
      messageID,
      identity: partIdentity(part),
      ...(planned === undefined ? {} : { planned }),
      part,
      phase: "reading",
      since: now(),
      position: DOCUMENT_START,
      search: "",
    };
    push("detail", { detail });
    readDetail();
  }

  /** Reads the opened part afresh; what was read before stays on the screen meanwhile. */
  function readDetail(): void {
    const { detail } = get();
    if (detail === undefined) return;
    reading?.abort();
    const controller = new AbortController();
    reading = controller;
    const { sessionID, messageID } = detail;
    ports.history.message({ sessionID, messageID }, controller.signal).then(
      (content) => landDetail(controller, (open) => withContent(open, content)),
      (error: unknown) =>
        landDetail(controller, (open) => ({ ...open, phase: "failed", problem: problemOf(error) })),
    );
  }

  function landDetail(controller: AbortController, land: (open: DetailView) => DetailView): void {
    const { detail } = get();
    if (detail !== undefined && !controller.signal.aborted) change({ detail: land(detail) });
  }

  function closeDetail(): void {
    reading?.abort();
    reading = undefined;
  }

  return {
    openSession,
    closeSession,
    openPart,
    readDetail,
    closeDetail,
    /** A part of a plan, whose content is read as it is now. */
    openPlanned(message: PlannedMessage, planned: PlannedPart): void {
      openPart(message, planned, { revision: message.revision, index: planned.index });
    },
    /** The session of a message, with the cursor on the message. */
    openMessage({ sessionID, messageID }: MessageReference): void {
      openSession(sessionID);
      const { lists } = get();
      change({ lists: { ...lists, parts: { ...lists.parts, key: messageID } } });
    },
    openRow() {
      const row = rowAtCursor(get(), "parts");
      const { parts } = get();
      if (row === undefined || parts === undefined) return;
      const part = row.kind === "part" ? row.part : row.parts[0];
      if (part !== undefined) openPart(referenceTo(parts.sessionID, row.message), part);
    },
  };
}

/** As much of a part as its content can be found and titled by. */
type PartInView = Pick<PartOutline, "type" | "bytes" | "toolName" | "toolID" | "created">;

function referenceTo(sessionID: string, message: MessageOutline): MessageReference {
  return { sessionID, messageID: message.messageID };
}

function withContent(open: DetailView, content: MessageContent): DetailView {
  const { planned } = open;
  const part =
    planned?.revision === content.revision
      ? content.parts[planned.index]
      : content.parts.find((candidate) => identityOfStored(candidate) === open.identity);
  if (part === undefined) return { ...open, phase: "vanished" };
  return { ...open, phase: "ready", document: new DetailDocument(part) };
}

function identityOfStored(part: Readonly<Record<string, unknown>>): string | undefined {
  if (!isTechnicalType(part.type)) return undefined;
  const time = part.time as { readonly created?: unknown } | undefined;
  return partIdentity({
    type: part.type,
    bytes: partBytes(part),
    ...(typeof part.id === "string" ? { toolID: part.id } : {}),
    ...(typeof time?.created === "number" ? { created: time.created } : {}),
  });
}
