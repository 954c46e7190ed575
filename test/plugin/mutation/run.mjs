// `npm run test:mutation`: breaks the plugin once for each entry of mutations.mjs, in a copy, and sees the named
// test fail. A word of a name as argument runs only the mutations whose name has it.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mutations } from "./mutations.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const wanted = process.argv[2] ?? "";
const list = mutations(root).filter((mutation) => mutation.what.includes(wanted));
const AT_ONCE = Number(process.env.MUTATION_WORKERS ?? 2);
// A broken plugin may well hang; the tests that must see it need a few seconds at most.
const PATIENCE = 180_000;
const HUNG = -1;
const CONFIG = `export default { test: { include: ["test/plugin/**/*.test.ts"], testTimeout: 20_000 } };\n`;

const scratch = mkdtempSync(join(tmpdir(), "opencode-prune-mutation-"));
try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main() {
  const whole = copyOfProject("whole");
  const names = [...new Set(list.map((mutation) => `${mutation.suite}\n${mutation.test}`))];
  const suites = [...new Set(list.map((mutation) => mutation.suite))];
  process.stdout.write(
    `${list.length} mutations, seen by ${names.length} tests; first all of them unbroken\n`,
  );
  const unbroken = await runTests(whole, suites, "");
  if (unbroken.code !== 0) {
    process.stdout.write(`${unbroken.output}\nThe tests fail without any mutation; nothing can be told.\n`);
    return 1;
  }

  const survivors = [];
  const queue = [...list];
  const worker = async (number) => {
    const copy = copyOfProject(`worker-${number}`);
    for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
      const survived = await tryMutation(copy, mutation);
      if (survived) survivors.push(`${mutation.what}: ${survived}`);
      process.stdout.write(`${survived ? "SURVIVED" : "seen    "} ${mutation.what} (${mutation.file})\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => worker(number)));
  process.stdout.write(
    `${list.length - survivors.length} of ${list.length} mutations were seen by their test\n`,
  );
  for (const survivor of survivors) process.stdout.write(`  not seen: ${survivor}\n`);
  return survivors.length === 0 ? 0 : 1;
}

/** Answers why the mutation was not seen, or nothing where it was. */
async function tryMutation(copy, { file, find, replace, suite, test }) {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  if (source.split(find).length !== 2)
    return "its text does not occur exactly once; bring mutations.mjs up to date";
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    const { code, output } = await runTests(copy, [suite], test);
    const total = /^\s*Tests\s+(.*)$/m.exec(output)?.[1] ?? "";
    if (code === HUNG || /\d+ failed/.test(total) || output.includes("Unhandled Rejection")) return undefined;
    if (/\d+ passed/.test(total)) return `"${test}" passed`;
    return total === "" ? `the tests did not run:\n${output}` : `no test is named "${test}"`;
  } finally {
    writeFileSync(path, source);
  }
}

function copyOfProject(name) {
  const copy = join(scratch, name);
  mkdirSync(copy);
  writeFileSync(join(copy, "vitest.config.mjs"), CONFIG);
  for (const part of ["src/contract", "src/plugin", "test/plugin", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

function runTests(folder, suites, name) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const files = suites.map((suite) => `test/plugin/${suite}.test.ts`);
  const filter = name === "" ? [] : ["-t", `^${escaped(name)}`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, "run", "--bail", "1", ...files, ...filter], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1", PRUNE_PROPERTY_RUNS: "300" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const limit = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.once("exit", (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? HUNG, output });
    });
  });
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
