import type { Random } from "./random.ts";
import { edit, failed, grep, read, shell } from "./tools.ts";
import { type Step, think } from "./transcript.ts";

/** What the steps of a longer search are made of. */
export interface Material {
  readonly files: readonly string[];
  readonly source: (lines: number) => string;
  readonly found: (text: string, count: number) => string;
  readonly symbols: readonly string[];
  readonly command: string;
  readonly log: () => string;
}

/** The middle of a longer piece of work: `count` messages that look, change something and run it again. */
export function rounds(count: number, random: Random, material: Material): Step[] {
  return Array.from({ length: count }, () => {
    const file = random.pick(material.files);
    const symbol = random.pick(material.symbols);
    const thought = think(random.pick(THOUGHTS)(file, symbol));
    const look = read(file, material.source(random.between(60, 240)));
    const search = grep(symbol, material.found(`${symbol}(${random.hex(4)})`, random.between(5, 60)));
    const run = shell(material.command, material.log(), random.between(0, 3) === 0 ? 1 : 0);
    return random.pick<Step>([
      [thought, look],
      [thought, search, look],
      [search, look, read(random.pick(material.files), material.source(90))],
      [thought, edit(file, `return ${symbol}(all);`, `return ${symbol}(all.filter(isCurrent));`), run],
      [run, thought],
      [
        thought,
        failed("read", { path: `${file}.orig` }, `File not found: ${file}.orig`),
        shell(`git log --oneline -40 -- ${file}`, history(symbol, random)),
      ],
    ]);
  });
}

const THOUGHTS: readonly ((file: string, symbol: string) => string)[] = [
  (file, symbol) =>
    `${symbol} is called from more places than I thought. If I change what it returns, ${file} has to change with it; otherwise the tests pass and the nightly job breaks. I will read the callers before I touch anything.`,
  (file) =>
    `The result is different from what I predicted, so my picture of ${file} is wrong somewhere. Which of my assumptions have I not checked? That the list is sorted. It is sorted when it comes from the store, but not when it comes from the import.`,
  (file, symbol) =>
    `I could guard against this inside of ${symbol}, or make the caller pass only what is valid. The second is better: a guard would hide the next caller that gets it wrong. There are four callers, ${file} being the only one outside of this folder.`,
  (_file, symbol) =>
    `Before changing it, a test that fails for the right reason. The smallest case is two items with the same key and different times: ${symbol} keeps the first one that it sees, and which one that is depends on the order of the input.`,
  (file) =>
    `That went through. I want to be sure that it is because of the change, so I take the change out of ${file} and run it once more. If it still passes, then the test tests nothing.`,
  (file, symbol) =>
    `History says that ${symbol} was written for one caller and got its second parameter when ${file} needed an exception. The exception is gone since last spring, and the parameter is always the default now. It can go, and half of the branches with it.`,
];

function history(symbol: string, random: Random): string {
  const subjects = [
    `Let ${symbol} take a signal`,
    `Count what ${symbol} leaves out`,
    "Read the limit once",
    "Name the two states",
    "Close the file when the reader stops",
    "Say which row was wrong",
  ];
  return Array.from({ length: 40 }, () => `${random.hex(9)} ${random.pick(subjects)}`).join("\n");
}
