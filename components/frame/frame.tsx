import { Box, Text, useIsScreenReaderEnabled } from "ink";
import type { ReactNode } from "react";
import { type AppState, LINES_FREE } from "../../src/state/index.ts";
import { fillMark } from "./fill.ts";
import { InfoLine } from "./info-line.tsx";
import { KeyLine } from "./key-line.tsx";
import type { Segment } from "./layout-line.ts";
import { Line } from "./line.tsx";
import { StatusLine } from "./status-line.tsx";
import { useView } from "./view-context.ts";

interface FrameProps {
  readonly state: AppState;
  readonly title: readonly Segment[];
  readonly head: readonly Segment[];
  readonly children: ReactNode;
  /** Lines below the body. */
  readonly foot?: ReactNode;
}

/** What every screen has around its body: a title, column heads, the info line, the status and the keys. */
export function Frame({ state, title, head, children, foot }: FrameProps) {
  const { isLinear } = useView();
  // Ink then puts one line below the other and lays nothing out, so that the frame has to say where it stretches.
  const isPlainOutput = useIsScreenReaderEnabled();
  const { columns, rows } = state.size;
  if (isLinear) {
    return (
      <Box flexDirection="column">
        <Line segments={title} />
        {children}
        {foot}
        <InfoLine state={state} />
        <StatusLine state={state} />
        <KeyLine state={state} />
      </Box>
    );
  }
  return (
    <Box flexDirection="column" width={columns} height={rows - LINES_FREE}>
      <Line segments={title} />
      <Line segments={head} />
      <Box flexDirection="column" flexGrow={1}>
        {children}
        {isPlainOutput ? <Text>{fillMark(rows - LINES_FREE)}</Text> : null}
      </Box>
      {foot}
      <InfoLine state={state} />
      <StatusLine state={state} />
      <KeyLine state={state} />
    </Box>
  );
}
