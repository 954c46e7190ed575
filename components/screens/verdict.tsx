import { Line } from "../frame/line.tsx";
import { MARGIN } from "../frame/list.tsx";

/** What a plan will do, and what it takes to do it. */
export function Verdict({ lines: [what, how] }: { readonly lines: readonly [string, string] }) {
  return (
    <>
      <Line segments={[MARGIN, { text: what, style: "strong" }]} />
      <Line segments={[MARGIN, { text: how, style: "danger" }]} />
    </>
  );
}
