import { useStdin } from "ink";
import { useEffect } from "react";
import type { App } from "../src/state/index.ts";
import { keyNames } from "./key-names.ts";

/** How a terminal marks what was pasted rather than typed. */
const PASTE_STARTS = "\x1b[200~";
const PASTE_ENDS = "\x1b[201~";

/**
 * Hands what is typed to the app as keys, and what is pasted as text: no paste ever confirms anything. Ink cuts the
 * input into text and escape sequences; its `useInput` throws at sequences that it has no name for, so they are named
 * here.
 */
export function useKeys(app: App): void {
  const { setRawMode, internal_eventEmitter: input } = useStdin();
  useEffect(() => {
    let pasted: string | undefined;
    const handle = (sent: string) => {
      if (sent === PASTE_STARTS) pasted = "";
      else if (sent === PASTE_ENDS) {
        app.paste(pasted ?? "");
        pasted = undefined;
      } else if (pasted !== undefined) pasted += sent;
      else for (const name of keyNames(sent)) app.press(name);
    };
    setRawMode(true);
    input.on("input", handle);
    return () => {
      input.off("input", handle);
      setRawMode(false);
    };
  }, [app, input, setRawMode]);
}
