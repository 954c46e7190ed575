import { type Key, useInput } from "ink";
import { useCallback, useRef } from "react";
import type { App } from "../src/state/index.ts";
import { keyNames } from "./key-names.ts";

/** How a terminal marks what was pasted rather than typed, once Ink took the escape character off. */
const PASTE_STARTS = "[200~";
const PASTE_ENDS = "[201~";

/** Hands what is typed to the app as keys, and what is pasted as text: no paste ever confirms anything. */
export function useKeys(app: App): void {
  const pasted = useRef<string | undefined>(undefined);
  const handle = useCallback(
    (input: string, key: Key) => {
      if (input === PASTE_STARTS) pasted.current = "";
      else if (input === PASTE_ENDS) {
        app.paste(pasted.current ?? "");
        pasted.current = undefined;
      } else if (pasted.current !== undefined) pasted.current += input;
      else for (const name of keyNames(input, key)) app.press(name);
    },
    [app],
  );
  useInput(handle);
}
