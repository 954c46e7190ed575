import { Text } from "ink";
import { type FunctionComponent, useMemo } from "react";
import { type App, type ScreenName, topScreen } from "../src/state/index.ts";
import type { Words } from "../src/words/index.ts";
import { CrashBoundary } from "./crash-boundary.tsx";
import { type Theme, themeFor } from "./frame/theme.ts";
import { ViewProvider } from "./frame/view-context.ts";
import { CleanupScreen } from "./screens/cleanup-screen.tsx";
import { DetailScreen } from "./screens/detail-screen.tsx";
import { EventsScreen } from "./screens/events-screen.tsx";
import { FoundScreen } from "./screens/found-screen.tsx";
import { HelpScreen } from "./screens/help-screen.tsx";
import { InterruptedScreen } from "./screens/interrupted-screen.tsx";
import { PartsScreen } from "./screens/parts-screen.tsx";
import { PluginScreen } from "./screens/plugin-screen.tsx";
import { PreviewScreen } from "./screens/preview-screen.tsx";
import { ProgressScreen } from "./screens/progress-screen.tsx";
import type { ScreenProps } from "./screens/screen.ts";
import { SelectScreen } from "./screens/select-screen.tsx";
import { SessionsScreen } from "./screens/sessions-screen.tsx";
import { SummaryScreen } from "./screens/summary-screen.tsx";
import { useFrameState } from "./use-frame-state.ts";
import { useKeys } from "./use-keys.ts";

export interface AppViewProps {
  readonly app: App;
  readonly words: Words;
  /** False where the user asked for no colour. */
  readonly colour: boolean;
  /** One linear view, for a screen reader. */
  readonly isLinear?: boolean;
  readonly onCrash?: (error: unknown) => void;
}

const SCREENS: Readonly<Record<ScreenName, FunctionComponent<ScreenProps>>> = {
  sessions: SessionsScreen,
  parts: PartsScreen,
  detail: DetailScreen,
  select: SelectScreen,
  preview: PreviewScreen,
  cleanup: CleanupScreen,
  interrupted: InterruptedScreen,
  progress: ProgressScreen,
  summary: SummaryScreen,
  found: FoundScreen,
  events: EventsScreen,
  plugin: PluginScreen,
  help: HelpScreen,
};

/** The least that a frame can be drawn in. */
const LEAST = { columns: 40, rows: 10 };

/** The whole app on a screen. A fault while drawing is reported and draws nothing. */
export function AppView({ onCrash = rethrow, ...props }: AppViewProps) {
  return (
    <CrashBoundary onCrash={onCrash}>
      <TopScreen {...props} />
    </CrashBoundary>
  );
}

function rethrow(error: unknown): never {
  throw error;
}

/** The topmost of the open screens, and nothing of the others. */
function TopScreen({ app, words, colour, isLinear = false }: Omit<AppViewProps, "onCrash">) {
  const state = useFrameState(app.store);
  useKeys(app);
  const { columns, rows } = state.size;
  const theme: Theme = useMemo(() => themeFor(colour), [colour]);
  const view = useMemo(() => ({ columns, theme, words, isLinear }), [columns, theme, words, isLinear]);
  if (!isLinear && (columns < LEAST.columns || rows < LEAST.rows)) {
    return <Text>{words.tooSmall(LEAST.columns, LEAST.rows)}</Text>;
  }
  const Screen = SCREENS[topScreen(state)];
  return (
    <ViewProvider value={view}>
      <Screen state={state} words={words} />
    </ViewProvider>
  );
}
