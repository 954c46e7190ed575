import { constants } from "node:os";
import { openApp as openTerminalApp } from "../../components/index.tsx";
import { cacheFolder, MessageCache } from "../cache/index.ts";
import { createPluginPort, type OpenCodeClient } from "../opencode/index.ts";
import { createCleanup, createPruning, JobStore } from "../pruning/index.ts";
import { createEventSource, createHistory } from "../sync/index.ts";
import { chooseLanguage, LANGUAGES, type Language } from "../words/index.ts";
import { bundledPlugin } from "./bundled-plugin.ts";
import { findSession, type GlobalOptions, namedServer } from "./connection.ts";
import { createContentSearch } from "./content-search.ts";
import { writeCrashReport } from "./crash-report.ts";
import { EXIT } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { createPreferences } from "./preferences.ts";
import { historySource } from "./source.ts";
import { stateFolderPath } from "./state-folder.ts";

export interface AppOptions extends GlobalOptions {
  /** Opens this session's parts at once. */
  readonly session?: string;
  /** `en`, `fr` or `zh-CN`; the environment's language unless given. */
  readonly lang?: string;
  /** One linear view; as the environment's `INK_SCREEN_READER` says unless given. */
  readonly screenReader?: boolean;
}

/** What the app is opened on. */
export interface AppConnection {
  readonly client: OpenCodeClient;
  readonly environment: NodeJS.ProcessEnv;
  /** Where the server was not asked yet: whether it can be used at all. */
  readonly check?: () => Promise<unknown>;
}

declare const __VERSION__: string;

/** `opencode-prune` without a command: the app on the server that the options name. */
export async function tui(options: AppOptions): Promise<void> {
  const left = new AbortController();
  const { client, check } = await namedServer(options, left.signal);
  const { session } = options;
  const environment = process.env;
  try {
    if (session === undefined) return await openApp({ client, environment, check }, options);
    await check();
    await findSession(client, session);
    await openApp({ client, environment }, options);
  } finally {
    left.abort();
  }
}

/**
 * The app on a server that is known already; resolves when the user quits. What an earlier run has kept is shown at
 * once, unconfirmed; without anything to show, the server is asked before the terminal is taken.
 */
export async function openApp(
  { client, environment, check = async () => {} }: AppConnection,
  options: AppOptions = {},
): Promise<void> {
  const language = languageFor(options.lang, environment);
  const source = historySource(client);
  const cache = new MessageCache({ folder: cacheFolder(environment), server: source.server });
  const history = createHistory({ source, events: createEventSource(client), cache });
  const onPruned = history.pruned;
  const pruning = createPruning({ client, onPruned });
  const jobs = new JobStore({ folder: stateFolderPath(environment) });
  const cleanup = createCleanup({ client, jobs, onPruned });
  const plugin = createPluginPort({ client, source: bundledPlugin() });
  const search = createContentSearch({ client, history, source, cache });
  try {
    if (history.snapshot().sessions.size === 0) await check();
    const opened = openTerminalApp(
      {
        history,
        pruning,
        cleanup,
        plugin,
        search,
        preferences: createPreferences(environment),
      },
      {
        language,
        version: __VERSION__,
        usable: check,
        environment,
        writeCrashReport: (report) => writeCrashReport(environment, report),
        ...(options.session === undefined ? {} : { sessionID: options.session }),
        screenReader: options.screenReader ?? environment.INK_SCREEN_READER === "true",
      },
    );
    // What the cache has is on the screen by now.
    history.start();
    const exit = await opened;
    if (exit.kind === "failed") throw exit.error;
    if (exit.kind === "crashed") throw new CommandFailure(exit.sentence);
    if (exit.kind === "signal") process.exitCode = 128 + constants.signals[exit.signal];
  } finally {
    history.stop();
    cache.close();
    jobs.close();
  }
}

/** The language asked for, or the environment's. */
function languageFor(asked: string | undefined, environment: NodeJS.ProcessEnv): Language {
  const language = chooseLanguage(asked, environment);
  if (language) return language;
  throw new CommandFailure(
    `There is no language ${asked}; choose one of ${LANGUAGES.join(", ")}.`,
    EXIT.usage,
  );
}
