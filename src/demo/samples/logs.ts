import type { Random } from "./random.ts";

/** Long outputs of builds and test runs, as a shell tool stores them. */

/** A bundler that lists every module, then the chunks. */
export function bundlerLog(modules: readonly string[], count: number, random: Random): string {
  const lines = ["building for production..."];
  for (let index = 1; index <= count; index++) {
    const name = `${random.pick(modules)}/${random.hex(5)}.ts`;
    lines.push(
      `[${String(index).padStart(4)}/${count}] transform ${name}  ${random.between(1, 90)} ms  ${random.between(1, 80)} kB -> ${random.between(1, 40)} kB`,
    );
    if (index % 37 === 0)
      lines.push(
        `warning: ${name}: "${random.pick(["assert", "buffer", "path"])}" was made external for the browser`,
      );
  }
  for (let index = 0; index < 40; index++)
    lines.push(
      `dist/assets/${random.pick(modules).split("/").at(-1)}-${random.hex(8)}.js   ${random.between(2, 480)}.${random.between(10, 99)} kB | gzip: ${random.between(1, 120)}.${random.between(10, 99)} kB`,
    );
  lines.push(`built in ${random.between(9, 70)}.${random.between(10, 99)} s`);
  return lines.join("\n");
}

/** A test runner that names every test, and shows the ones that failed. */
export function testLog(
  suites: readonly string[],
  count: number,
  failures: readonly string[],
  random: Random,
): string {
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    const suite = random.pick(suites);
    lines.push(
      ` ok   ${suite} > ${random.pick(CASES)} (${random.pick(CONDITIONS)})  ${random.between(1, 400)} ms`,
    );
  }
  for (const failure of failures) lines.push(` FAIL ${failure}`);
  lines.push(
    "",
    `${count} passed, ${failures.length} failed in ${random.between(3, 90)}.${random.between(1, 9)} s`,
  );
  return lines.join("\n");
}

const CASES = [
  "keeps the order of what was stored",
  "refuses an empty list",
  "reads the newest first",
  "survives a restart",
  "counts each item once",
  "rounds half to even",
  "leaves the input untouched",
  "answers the same twice",
];
const CONDITIONS = [
  "no rows",
  "one row",
  "ten thousand rows",
  "a slow disk",
  "two writers",
  "the last day of the month",
  "an empty name",
];

/** A compiler that names every crate, with warnings in between. */
export function cargoLog(crates: readonly string[], count: number, random: Random): string {
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    lines.push(
      `   Compiling ${random.pick(crates)}-${random.pick(["core", "io", "macros", "types", "net"])} v0.${random.between(1, 40)}.${random.between(0, 19)}`,
    );
    if (index % 9 === 0) lines.push(...cargoWarning(crates, random));
  }
  lines.push(
    `    Finished \`release\` profile [optimized] target(s) in ${random.between(1, 6)}m ${random.between(10, 59)}s`,
  );
  return lines.join("\n");
}

function cargoWarning(crates: readonly string[], random: Random): string[] {
  const line = random.between(4, 900);
  const name = random.pick(["window", "offset", "lease", "frame", "cursor"]);
  return [
    `warning: unused variable: \`${name}\``,
    `   --> crates/${random.pick(crates)}/src/lib.rs:${line}:9`,
    "    |",
    `${line} |     let ${name} = self.next_${name}()?;`,
    `    |         ${"^".repeat(name.length)} help: if this is intentional, prefix it with an underscore: \`_${name}\``,
    "",
  ];
}

/** A service's own log: one line an event. */
export function serviceLog(events: readonly string[], count: number, random: Random): string {
  let seconds = random.between(0, 40_000);
  return Array.from({ length: count }, () => {
    seconds += random.between(0, 9);
    const clock = new Date(seconds * 1000).toISOString().slice(11, 19);
    const level = random.pick(["INFO ", "INFO ", "INFO ", "DEBUG", "WARN "]);
    return `${clock}.${String(random.between(0, 999)).padStart(3, "0")} ${level} [worker-${random.between(1, 8)}] ${random.pick(events)} trace=${random.hex(16)} took=${random.between(1, 1900)}ms`;
  }).join("\n");
}
