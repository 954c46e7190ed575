import type { HelpRow } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import { keyName } from "../frame/key-line.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { List } from "../frame/list.tsx";
import { Explanation } from "./explanation.tsx";
import type { ScreenProps } from "./screen.ts";

/** Every key, from the table that handles them. */
export function HelpScreen({ state, words }: ScreenProps) {
  return (
    <Frame
      state={state}
      title={[{ text: words.screens.help, style: "heading" }]}
      head={[]}
      foot={<Explanation state={state} words={words} />}
    >
      <List
        state={state}
        name="help"
        rows={state.rows.help}
        keyOf={(row) => row.key}
        segmentsOf={(row) => helpSegments(row, words)}
        empty=""
      />
    </Frame>
  );
}

function helpSegments({ place, binding }: HelpRow, words: Words): readonly Segment[] {
  if (binding === undefined) return [{ text: words.screens[place], style: "heading", grow: true }];
  return [
    { text: binding.keys.map((key) => keyName(key, words)).join(" "), cells: 14, style: "key", align: "end" },
    { text: words.keyHelp[binding.action], grow: true },
  ];
}
