import { type Clock, systemClock } from "./clock.ts";
import { Coalescer } from "./coalescer.ts";
import { meaningOf } from "./event-meaning.ts";
import { pruneCommand } from "./prune-command.ts";
import { refreshMessages } from "./refresh-messages.ts";
import type { ScreenEvent, ScreenHost } from "./screen-host.ts";

/**
 * Keeps the messages that OpenCode's terminal UI holds true to the history, and offers `/prune`. It draws
 * nothing, and whatever fails in it stays in it. Answers the way to undo it all.
 */
export function companion(host: ScreenHost, clock: Clock = systemClock): () => void {
  const { session } = host.data;
  const isRunning = (sessionID: string) => session.status?.(sessionID) === "running";
  const isLoadingOlder = (sessionID: string) => session.message.loading?.(sessionID) === true;
  // A read during a generation takes the text streamed so far off the screen, and one while older messages
  // are on their way leaves a gap between the two.
  const isBusy = (sessionID: string) => isRunning(sessionID) || isLoadingOlder(sessionID);

  const refreshes = new Coalescer({
    clock,
    mayWork: (sessionID) => !isBusy(sessionID),
    async work(sessionID) {
      await refreshMessages(session.message, sessionID);
      if (isBusy(sessionID)) markStale(sessionID);
    },
  });
  const markStale = (sessionID: string) => {
    session.message.invalidate(sessionID);
    refreshes.request(sessionID);
  };
  const shownSession = () => {
    const route = attempt(() => host.ui.router?.current());
    return route?.type === "session" ? route.sessionID : undefined;
  };
  const isHeld = (sessionID: string) =>
    sessionID === shownSession() || session.message.list(sessionID).length > 0;
  /** False when older messages than those that are loaded were pruned: nothing of them is on the screen. */
  const mayHold = (sessionID: string, messageID: string) => {
    const loaded = session.message.list(sessionID);
    if (loaded.length === 0 || isBusy(sessionID)) return isHeld(sessionID);
    return loaded.some(({ id }) => id === messageID);
  };
  const markAllStale = () => {
    const known = new Set(session.list?.().map(({ id }) => id));
    const shown = shownSession();
    if (shown !== undefined) known.add(shown);
    for (const sessionID of known) if (isHeld(sessionID)) markStale(sessionID);
  };
  const follow = (event: ScreenEvent) => {
    const meaning = meaningOf(event);
    if (meaning?.kind === "connected") markAllStale();
    if (meaning?.kind !== "pruned") return;
    const { sessionID, messageID } = meaning;
    if (mayHold(sessionID, messageID)) markStale(sessionID);
    else session.message.invalidate(sessionID);
  };

  const unlisten = attempt(() => host.data.listen(({ details }) => attempt(() => follow(details))));
  attempt(markAllStale);
  attempt(() =>
    host.ui.slot({
      append: "app",
      render() {
        attempt(() =>
          host.keymap.layer(() => ({ mode: "global", commands: [pruneCommand(host.ui, shownSession)] })),
        );
        return null;
      },
    }),
  );
  return () => {
    refreshes.stop();
    if (typeof unlisten === "function") unlisten();
  };
}

/** An error thrown into the UI would take its other listeners, or the plugin as a whole, with it. */
function attempt<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
