import { createContext, useContext } from "react";
import type { Words } from "../../src/words/index.ts";
import type { Theme } from "./theme.ts";

/** What every line needs to know about the terminal and its reader. */
export interface View {
  readonly columns: number;
  readonly theme: Theme;
  readonly words: Words;
  /** One thing after the other, for a screen reader, instead of a screen to look at. */
  readonly isLinear: boolean;
}

const ViewContext = createContext<View | undefined>(undefined);

export const ViewProvider = ViewContext.Provider;

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === undefined) throw new Error("a line was drawn outside of the app");
  return view;
}
