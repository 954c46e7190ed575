import type { AppState } from "../../src/state/index.ts";
import type { Words } from "../../src/words/index.ts";
import { Frame } from "../frame/frame.tsx";
import type { Segment } from "../frame/layout-line.ts";
import { Line } from "../frame/line.tsx";
import { MARGIN } from "../frame/list.tsx";
import type { ScreenProps } from "./screen.ts";

/** How far a prune is, and how to stop it. */
export function ProgressScreen({ state, words }: ScreenProps) {
  return (
    <Frame state={state} title={[{ text: words.screens.progress, style: "heading" }]} head={[]}>
      {progressLines(state, words).map((segments) => (
        <Line key={segments[1]?.text} segments={segments} />
      ))}
    </Frame>
  );
}

const MAX_BAR = 60;

function progressLines({ work, size }: AppState, words: Words): readonly (readonly Segment[])[] {
  if (work.kind !== "running") return [];
  const { progress, stopping } = work;
  const done = progress?.messagesDone ?? 0;
  const total = progress?.messagesTotal ?? 0;
  const fraction = total === 0 ? 0 : done / total;
  const elapsed = progress?.elapsed ?? 0;
  const bytes = progress?.bytesPruned ?? 0;
  const rate = elapsed > 0 ? words.progress.rate((bytes / elapsed) * 1000) : "";
  const left =
    done > 0 && done < total
      ? words.progress.left(words.say.duration((elapsed / done) * (total - done)))
      : "";
  return [
    [
      MARGIN,
      { text: bar(fraction, Math.min(MAX_BAR, size.columns - 10)), spoken: "" },
      { text: words.say.share(fraction) },
    ],
    [MARGIN, { text: words.progress.line(done, total), style: "strong" }],
    [
      MARGIN,
      {
        text: [words.progress.pruned(progress?.partsPruned ?? 0, bytes), rate, left]
          .filter(Boolean)
          .join(" · "),
      },
    ],
    [MARGIN, { text: stopping ? words.progress.stopping : words.progress.howToStop, style: "warning" }],
  ];
}

function bar(fraction: number, cells: number): string {
  const filled = Math.round(Math.min(1, fraction) * cells);
  return `[${"#".repeat(filled)}${"-".repeat(cells - filled)}]`;
}
