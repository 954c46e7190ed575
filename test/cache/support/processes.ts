import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Bundles a child's program into a fresh folder, since Node 20 runs no TypeScript. Answers its path. */
export async function bundleChild(entry = join(import.meta.dirname, "child.ts")): Promise<string> {
  const sqlite = pathToFileURL(createRequire(import.meta.url).resolve("better-sqlite3")).href;
  const outfile = join(mkdtempSync(join(tmpdir(), "opencode-prune-child-")), "child.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    plugins: [
      {
        name: "sqlite-from-here",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: sqlite, external: true })),
      },
    ],
  });
  return outfile;
}

export interface Child {
  readonly process: ChildProcess;
  /** Resolves with the next line of its output that was not taken yet. */
  line(): Promise<string>;
  go(): void;
  ended(): Promise<void>;
}

export function startChild(
  program: string,
  args: readonly string[],
  options: { readonly uid?: number; readonly gid?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    ...options,
  });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const next = waiting.shift();
      if (next) next(part);
      else lines.push(part);
    }
  });
  const end = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    process: child,
    line: () => {
      const next = lines.shift();
      return next === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(next);
    },
    go: () => child.stdin.write("go\n"),
    ended: () => end,
  };
}
