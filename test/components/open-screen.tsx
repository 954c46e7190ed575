import { render } from "ink-testing-library";
import { afterEach } from "vitest";
import { AppView } from "../../components/app-view.tsx";
import {
  type App,
  type AppState,
  type CleanupPort,
  createApp,
  type PreferencesPort,
  type SearchPort,
} from "../../src/state/index.ts";
import { type Language, wordsFor } from "../../src/words/index.ts";
import { FakePlugin } from "./fake-plugin.ts";
import { FakeHistory, FakePruning, NOW } from "./fake-ports.ts";

export interface OpenedScreen {
  readonly app: App;
  readonly history: FakeHistory;
  readonly pruning: FakePruning;
  readonly plugin: FakePlugin;
  /** What is on the screen now. */
  readonly frame: () => string;
  /** Types keys, one after the other, as a terminal sends them, and waits until they are drawn. */
  readonly type: (...keys: string[]) => Promise<void>;
  /** Waits until everything that has happened is drawn. */
  readonly drawn: () => Promise<void>;
  readonly clock: { now: number };
}

export interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly language?: Language;
  readonly sessionID?: string;
  readonly isLinear?: boolean;
  readonly cleanup?: CleanupPort;
  readonly search?: SearchPort;
  readonly preferences?: PreferencesPort;
  readonly prepare?: (ports: { history: FakeHistory; pruning: FakePruning; plugin: FakePlugin }) => void;
}

const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** The bytes that a terminal sends for a key. */
const BYTES: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  home: "\x1b[H",
  end: "\x1b[F",
  space: " ",
  tab: "\t",
  backspace: "\x7f",
  "ctrl-c": "\x03",
  "ctrl-d": "\x04",
  "ctrl-f": "\x06",
  "ctrl-u": "\x15",
  "ctrl-z": "\x1a",
};

/** The app, and the state that its screen has read last. */
function watchReads(app: App): { app: App; seen: () => AppState | undefined } {
  let seen: AppState | undefined;
  const getState = () => {
    seen = app.store.getState();
    return seen;
  };
  return { app: { ...app, store: { ...app.store, getState } }, seen: () => seen };
}

/** The app on a screen of its own, over ports in memory. */
export async function openScreen(options: ScreenOptions = {}): Promise<OpenedScreen> {
  const history = new FakeHistory();
  const pruning = new FakePruning(history);
  const plugin = new FakePlugin();
  options.prepare?.({ history, pruning, plugin });
  const clock = { now: NOW };
  const size = { columns: options.columns ?? 100, rows: options.rows ?? 20 };
  const app = createApp(
    {
      history,
      pruning,
      plugin,
      ...(options.cleanup === undefined ? {} : { cleanup: options.cleanup }),
      ...(options.search === undefined ? {} : { search: options.search }),
      ...(options.preferences === undefined ? {} : { preferences: options.preferences }),
    },
    {
      size,
      now: () => clock.now,
      onSuspend: () => undefined,
      ...(options.sessionID === undefined ? {} : { sessionID: options.sessionID }),
    },
  );
  const words = wordsFor(options.language ?? "en", "UTC");
  const watched = watchReads(app);
  const ink = render(
    <AppView app={watched.app} words={words} colour={false} isLinear={options.isLinear === true} />,
  );
  // ink-testing-library's terminal is always 100 wide.
  Object.defineProperty(ink.stdout, "columns", { get: () => app.store.getState().size.columns });
  app.resize({ ...size });
  opened.push(() => {
    ink.unmount();
    app.close();
  });
  const drawn = async () => {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      quiet = watched.seen() === app.store.getState() ? quiet + 1 : 0;
    }
  };
  await drawn();
  return {
    app,
    history,
    pruning,
    plugin,
    clock,
    drawn,
    frame: () => ink.lastFrame() ?? "",
    async type(...keys) {
      for (const key of keys) {
        ink.stdin.write(BYTES[key] ?? key);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await drawn();
    },
  };
}
