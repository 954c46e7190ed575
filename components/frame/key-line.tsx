import { type AppState, type Binding, offeredBindings } from "../../src/state/index.ts";
import { cellsOf } from "../../src/text/index.ts";
import type { Words } from "../../src/words/index.ts";
import type { Segment } from "./layout-line.ts";
import { Line } from "./line.tsx";
import { useView } from "./view-context.ts";

/** What the keys do now: as much of it as fits, the way out always. */
export function KeyLine({ state }: { readonly state: AppState }) {
  const { columns, words } = useView();
  return <Line segments={fittingKeys(offeredBindings(state), words, columns)} />;
}

/** Bindings from here on are kept however narrow the line is. */
const KEPT_RANK = 90;

export function fittingKeys(bindings: readonly Binding[], words: Words, columns: number): readonly Segment[] {
  const kept = bindings.filter((binding) => (binding.rank ?? 0) >= KEPT_RANK);
  let left = columns - kept.reduce((sum, binding) => sum + cellsOfBinding(binding, words), 0);
  const fitting = bindings.filter((binding) => {
    if (kept.includes(binding)) return true;
    left -= cellsOfBinding(binding, words);
    return left >= 0;
  });
  return fitting.flatMap((binding) => {
    const name = keyName(binding.keys[0] ?? "", words);
    const what = words.keys[binding.action];
    return [
      { text: name, spoken: `${name} ${what}`, style: "key" },
      { text: `${what} `, spoken: "" },
    ];
  });
}

function cellsOfBinding(binding: Binding, words: Words): number {
  return cellsOf(keyName(binding.keys[0] ?? "", words)) + cellsOf(words.keys[binding.action]) + 3;
}

export function keyName(key: string, words: Words): string {
  return key in words.keyNames ? words.keyNames[key as keyof Words["keyNames"]] : key;
}
