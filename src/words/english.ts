import { shellWord } from "../text/index.ts";
import { englishKeys } from "./english-keys.ts";
import { englishPlugin } from "./english-plugin.ts";
import { englishRefusals } from "./english-refusals.ts";
import type { Quantities } from "./quantities.ts";

/** Every word of the screen, in English. The other languages have the same shape: a missing word does not compile. */
export function english(say: Quantities) {
  const parts = (n: number) => `${say.count(n)} ${say.plural(n, { one: "part", other: "parts" })}`;
  const messages = (n: number) => `${say.count(n)} ${say.plural(n, { one: "message", other: "messages" })}`;
  const sessions = (n: number) => `${say.count(n)} ${say.plural(n, { one: "session", other: "sessions" })}`;
  const requests = (n: number) => `${say.count(n)} ${say.plural(n, { one: "request", other: "requests" })}`;

  return {
    say,
    parts,
    messages,
    sessions,

    screens: {
      sessions: "Sessions",
      parts: "Parts",
      detail: "Part",
      select: "Select",
      preview: "Preview",
      cleanup: "Clean whole sessions",
      interrupted: "Interrupted cleanups",
      progress: "Pruning",
      summary: "Result",
      found: "Search",
      plugin: "Plugin",
      events: "Events",
      help: "Keys",
      prompt: "While typing",
      everywhere: "Everywhere",
    },
    untitled: "(untitled)",
    unknownSession: "(a session that is not in the list)",

    columns: {
      title: "title",
      location: "location",
      updated: "updated",
      messages: "msgs",
      parts: "parts",
      bytes: "technical",
      share: "share",
      state: "state",
      status: "status",
      age: "age",
      size: "size",
    },
    activity: {
      idle: "idle",
      running: "running",
      suspended: "suspended",
      reverted: "reverted",
      compacting: "compacting",
      refreshing: "refreshing",
    },
    sorts: {
      technical: "technical bytes",
      share: "share",
      parts: "technical parts",
      messages: "messages",
      updated: "last updated",
      title: "title",
      location: "location",
      oldest: "oldest first",
      newest: "newest first",
      largest: "largest first",
    },
    sortedBy: (sort: string) => `by ${sort}`,
    quoted: (text: string) => `“${text}”`,
    filteredBy: (filter: string) => `filter “${filter}”`,
    someOf: (shown: number, all: number) =>
      shown === all ? say.count(all) : `${say.count(shown)} of ${say.count(all)}`,
    shown: { technical: "tools and reasoning", tool: "tools only", reasoning: "reasoning only" },
    partTypes: { tool: "tool", reasoning: "reasoning" },
    statuses: { streaming: "streaming", running: "running", completed: "completed", error: "error" },
    inSession: (session: string, message: string) => `${message}, ${session}`,
    messageNumber: (number: number, moment: string) => `message ${say.count(number)}, ${moment}`,
    partsOf: (session: string) => `Parts of ${session}`,
    /** What a screen reader says where the eye sees a mark or a bare number. */
    spoken: {
      row: (row: number, all: number) => `Row ${say.count(row)} of ${say.count(all)}`,
      changed: "changed",
      unconfirmed: "not confirmed yet",
      selected: "selected",
      notSelected: "not selected",
      notSelectable: "cannot be selected",
      share: (share: string) => `${share} of the session`,
      messages: (n: number) => messages(n),
      updated: (ago: string) => `updated ${ago}`,
      folded: "folded",
      match: "match",
    },

    empty: {
      connecting: "Reading the list of sessions…",
      sessions: "This server has no sessions.",
      filtered: "Nothing matches the filter. Esc clears it.",
      reading: "Reading the parts…",
      parts: "This session has no technical parts. There is nothing to prune here.",
      notShown: "Nothing of the kind that is shown. x shows all technical parts.",
      events: "Nothing has happened yet. Prunes by anyone appear here as they come.",
      preview: "Nothing of the selection can be pruned.",
      content: "Reading the content…",
      vanished: "This part is no longer stored. It was pruned, or its message changed.",
    },

    connection: {
      connecting: "connecting",
      live: "live",
      lost: "reconnecting",
      reconnecting: "reconnecting",
      reconciling: "reconciling",
    },
    retryIn: (duration: string) => `next try in ${duration}`,
    reads: { plugin: "reads: plugin", native: "reads: API" },
    cache: {
      kept: "cache: kept",
      set_aside: "cache: set aside",
      off: "cache: off",
      reading: (n: number) => `reading ${sessions(n)}`,
      unconfirmed: (n: number) => `${sessions(n)} unconfirmed`,
    },

    totals: (selected: { parts: number; messages: number; bytes: number }, share: number | undefined) =>
      `Selected: ${parts(selected.parts)} in ${messages(selected.messages)}, ${say.bytes(selected.bytes)}${
        share === undefined ? "" : `, ${say.share(share)} of the session`
      }`,
    sessionTotals: (n: number, bytes: number) => `${parts(n)}, ${say.bytes(bytes)} technical`,
    selectedElsewhere: (n: number, inSessions: number) =>
      `Selected: ${parts(n)} in ${sessions(inSessions)}. p previews them.`,

    messagesToUser: {
      vanished: (n: number) =>
        `${parts(n)} left the selection: somebody else pruned or changed ${say.plural(n, { one: "it", other: "them" })}.`,
      nothingSelected: "Nothing is selected. Space selects the part under the cursor.",
      nothingAdded: "Nothing more of what is shown can be selected that way.",
      pluginMissing: "Pruning needs the plugin, and this server does not have it. i installs it.",
      notFound: "Not found.",
      noSuchSession: (id: string) => `This server has no session ${id}.`,
      busy: "Something is being pruned. Wait for it, or stop it first.",
      nothingTechnical: "That message has no technical parts, so it is not in this list.",
      discarded: "The cleanup is discarded. Nothing more of it will be pruned.",
      notInterrupted: "This cleanup is not interrupted any more: another opencode-prune has it.",
      cleanupFailed: (problem: string) => `The cleanup broke off: ${problem}`,
    },
    folderUnusable: (directory: string) =>
      `OpenCode cannot work in the session's folder, so no plugin can be asked there. Usually the folder is gone: create it again on the server's machine (mkdir -p ${shellWord(directory)}), then ask again.`,

    prompts: {
      filter: "Filter:",
      search: "Search:",
      size: "Select parts larger than (like 100k or 2 MB):",
      age: "Select all but the newest … messages:",
      content: "Search the content of all sessions:",
      sessionContent: "Search the content of this session:",
      confirm: (n: number) => `Type ${n} to prune ${parts(n)} for good:`,
      refused: {
        filter: "",
        search: "",
        content: "Type the text to look for.",
        sessionContent: "Type the text to look for.",
        size: "This is no size. Write it like 900, 100k or 2 MB.",
        age: "This is no number of messages.",
        confirm: "This is not the number. Nothing was pruned.",
      },
    },

    select: {
      tools: "All tools",
      reasoning: "All reasoning",
      tool: (name: string) => `Tool ${name}`,
      size: "Larger than…",
      age: "All but the newest messages…",
      invert: "Invert the selection",
      none: "Select nothing",
    },

    preview: {
      planning: "Reading what is selected afresh…",
      planningOf: (done: number, total: number) =>
        `Reading afresh: ${say.count(done)} of ${messages(total)}…`,
      failed: (problem: string) => `The preview could not be made: ${problem} R tries again.`,
      goes: (n: number, bytes: number) => `goes: ${parts(n)}, ${say.bytes(bytes)}`,
      stays: (n: number, bytes: number) => `stays: ${parts(n)}, ${say.bytes(bytes)}`,
      refused: (n: number) => `refused: ${parts(n)}`,
      outdated: "changed since; will be refused",
      verdict: (n: number, bytes: number, inMessages: number) =>
        `Deletes ${parts(n)} (${say.bytes(bytes)}) of ${messages(inMessages)} for good.`,
      refusals: (n: number) => `${messages(n)} will not be asked for.`,
      irreversible: "It is irreversible. y prunes; any other key does not.",
      irreversibleTyped: (n: number) => `It is irreversible. y asks for the number ${n} before it prunes.`,
      running: "Pruning…",
    },
    cleanup: {
      planningOf: (done: number, total: number) =>
        `Reading afresh: ${say.count(done)} of ${sessions(total)}…`,
      eligible: "eligible",
      skipped: "skipped",
      refused: "refused",
      nothing: "nothing to prune",
      notDurable: (problem: string) => `If it is cut off, it cannot be resumed: ${problem}`,
      totals: (eligible: number, skipped: number, refused: number) =>
        `${sessions(eligible)} eligible, ${parts(skipped)} skipped, ${sessions(refused)} refused`,
      verdict: (n: number, bytes: number, inMessages: number, sent: number) =>
        `Deletes ${parts(n)} (${say.bytes(bytes)}) of ${messages(inMessages)} for good, in ${requests(sent)}.`,
    },
    interrupted: {
      offer: (cleanups: number, n: number) =>
        cleanups === 1
          ? `An interrupted cleanup has ${messages(n)} left: press u to look at it.`
          : `${say.count(cleanups)} interrupted cleanups have ${messages(n)} left: press u to look.`,
      none: "No cleanup is interrupted.",
      left: (n: number, inSessions: number) => `${messages(n)} left in ${sessions(inSessions)}`,
      unknown: "It was cut off. Resuming reads afresh before it sends.",
      more_to_do: "It was stopped. Resuming reads afresh before it sends.",
      choices: "r resumes it, d discards it, Esc leaves it for later.",
      willDelete: (n: number, bytes: number, inMessages: number) =>
        `Deletes up to ${parts(n)} (${say.bytes(bytes)}) of ${messages(inMessages)} for good.`,
      askResume: "It is irreversible. y resumes; any other key does not.",
      willForget: (n: number) => `Forgets what was left; ${messages(n)} stay as they are.`,
      askDiscard: "No resuming then. y discards; any other key does not.",
    },
    found: {
      count: (n: number) => `${say.count(n)} found`,
      everywhere: "in all sessions",
      searching: "Searching",
      done: "Done",
      stopped: "Stopped",
      full: "Stopped, since there is more than is shown; look for something rarer",
      failed: (problem: string) => `The search broke off: ${problem}`,
      searched: (n: number) => messages(n),
      skipped: (n: number) => `${say.count(n)} skipped`,
      through: {
        plugin: "through the plugin",
        published: "through the published plugin",
        native: "through the API",
      },
      kinds: { text: "text", tool: "tool", reasoning: "reasoning" },
      nothing: "No message that was searched holds this text.",
      pruned: "pruned since",
    },
    progress: {
      line: (done: number, total: number) => `${say.count(done)} of ${messages(total)}`,
      pruned: (n: number, bytes: number) => `${parts(n)}, ${say.bytes(bytes)} pruned`,
      rate: (bytesPerSecond: number) => `${say.bytes(bytesPerSecond)}/s`,
      left: (duration: string) => `${duration} left`,
      howToStop: "Esc stops after the current request. What is pruned by then stays pruned.",
      stopping: "Stopping after the current request…",
    },
    summary: {
      pruned: (n: number, inMessages: number, bytes: number) =>
        `Pruned ${parts(n)} in ${messages(inMessages)}: ${say.bytes(bytes)}.`,
      nothing: "Nothing was pruned.",
      skipped: (n: number) => `Skipped ${messages(n)}: it stopped before them.`,
      refused: (n: number) => `Refused ${messages(n)}:`,
      allDone: "Nothing was refused.",
      again: "r previews again what can be retried.",
      failed: (problem: string) =>
        `The prune broke off: ${problem} What happened is unknown; look before you ask again.`,
    },
    events: {
      pruned: (session: string, byUs: boolean) =>
        `${byUs ? "pruned here" : "pruned elsewhere"}: a message of ${session}`,
      connected: "connected",
      lost: (problem: string) => `connection lost: ${problem}`,
      reconciled: (all: number, reread: number) =>
        `reconciled: ${sessions(all)} compared, ${say.count(reread)} read again`,
      problem: (problem: string) => `problem: ${problem}`,
    },
    detail: {
      reasoning: "Reasoning",
      input: "Input",
      output: "Output",
      error: "Error",
      metadata: "Metadata",
      attachment: (type: string, mime: string, name: string, size: string) =>
        [type || "file", name, mime, size].filter(Boolean).join(", "),
      failed: (problem: string) => `The content could not be read: ${problem}`,
      searching: (search: string) => `search “${search}”`,
    },
    leaving: {
      asked: "Something is being pruned. q stops after the current request and quits; any other key stays.",
      stopping: "Stopping after the current request, then quitting…",
    },
    tooSmall: (columns: number, rows: number) => `Make the terminal larger: at least ${columns} × ${rows}.`,
    crashed: (log: string) =>
      `opencode-prune stopped because of a fault of its own; nothing was pruned by that. Where it happened is in ${log}.`,
    crashedWithoutLog:
      "opencode-prune stopped because of a fault of its own, and the log could not be written; nothing was pruned by that.",

    ...englishRefusals,
    ...englishPlugin,
    ...englishKeys,
  };
}
