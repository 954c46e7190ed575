import type { AppState } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";

/** What a screen is drawn from, and nothing else. */
export interface ScreenProps {
  readonly state: AppState;
  readonly words: Words;
}
