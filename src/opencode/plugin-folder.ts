import { createHash } from "node:crypto";
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { InspectedFolder, PluginCopy } from "../state/ports.ts";

/** The name of our folder below the daemon's `plugins`, and of the package in it. */
const FOLDER = "opencode-prune";
const ASIDE = ".opencode-prune-";
const PACKAGE = "opencode-prune-plugin";

/** What we put beside the files of a copy: the hashes that they had, so that a change can be named. */
const RECORD = "installed.json";

/** SHA-256 of each file, by its path with slashes. */
type FileHashes = Readonly<Record<string, string>>;

/** Where our plugin lies below a configuration folder. */
export function pluginFolder(configurationFolder: string): string {
  return join(configurationFolder, "plugins", FOLDER);
}

export function configurationFolderOf(target: string): string {
  return dirname(dirname(target));
}

/** Where our plugin lies for one project alone. */
export function projectPluginFolder(project: string): string {
  return pluginFolder(join(project, ".opencode"));
}

/** Compares what is installed with the plugin that we bring, by the hash of every file. */
export async function inspectFolder(source: string, target: string): Promise<InspectedFolder> {
  const there = await lstat(target).catch(absentAsUndefined);
  if (there === undefined) return { content: "absent", changedFiles: [] };
  if (!there.isDirectory() || (await manifestOf(target)).name !== PACKAGE) {
    return { content: "foreign", changedFiles: [] };
  }
  const [ours, copy, record] = await Promise.all([
    copyIn(source),
    copyIn(target),
    jsonIn(join(target, RECORD)),
  ]);
  if (ours.hash === copy.hash) return { content: "same", copy, changedFiles: [] };
  if (record.hash === copy.hash) return { content: "other_version", copy, changedFiles: [] };
  return { content: "changed", copy, changedFiles: differing(record.files, await fileHashes(target)) };
}

/** The files that are not as they were recorded; none where there is no record. */
function differing(recorded: unknown, found: FileHashes): readonly string[] {
  if (typeof recorded !== "object" || recorded === null) return [];
  const before: Readonly<Record<string, unknown>> = { ...recorded };
  const files = new Set([...Object.keys(before), ...Object.keys(found)]);
  return [...files].filter((file) => before[file] !== found[file]).sort();
}

/** Version and hash of the plugin in a folder. */
export async function copyIn(folder: string): Promise<PluginCopy> {
  const hash = createHash("sha256");
  for (const file of await pluginFiles(folder)) {
    const content = await readFile(join(folder, file));
    hash.update(JSON.stringify([slashed(file), content.length])).update(content);
  }
  const { version } = await manifestOf(folder);
  return { version: typeof version === "string" ? version : "", hash: hash.digest("hex") };
}

async function fileHashes(folder: string): Promise<FileHashes> {
  const hashes = (await pluginFiles(folder)).map(async (file) => {
    const content = await readFile(join(folder, file));
    return [slashed(file), createHash("sha256").update(content).digest("hex")] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

/**
 * Puts a copy of `source` at `target`, where nothing may be yet. The daemon watches the configuration folder, so
 * the copy is made outside of it and appears there whole, by one rename.
 */
export async function placeFolder(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const aside = await asideOf(target);
  try {
    const copy = join(aside, FOLDER);
    await cp(source, copy, { recursive: true, errorOnExist: true, force: false });
    const record = { ...(await copyIn(source)), files: await fileHashes(source) };
    await writeFile(join(copy, RECORD), `${JSON.stringify(record)}\n`);
    await rename(copy, target);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Takes the folder away as a whole, by one rename out of the watched folder, then deletes it. */
export async function removeFolder(target: string): Promise<void> {
  const aside = await asideOf(target);
  try {
    await rename(target, join(aside, FOLDER));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/**
 * A fresh folder that the target can be renamed from and to: beside the configuration folder, which is not
 * watched, or else in it.
 */
async function asideOf(target: string): Promise<string> {
  const configurationFolder = configurationFolderOf(target);
  const beside = dirname(configurationFolder);
  const [here, there] = await Promise.all([stat(configurationFolder), stat(beside)]);
  if (here.dev === there.dev) {
    try {
      return await mkdtemp(join(beside, ASIDE));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    }
  }
  return mkdtemp(join(configurationFolder, ASIDE));
}

/** Takes away folders that were made for the plugin and hold nothing any more, the innermost first. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

function manifestOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  return jsonIn(join(folder, "package.json"));
}

/** The members of a JSON file; none when there is no such file, or something else is in it. */
async function jsonIn(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { ...JSON.parse(await readFile(path, "utf8")) };
  } catch {
    return {};
  }
}

/** Paths below the folder of a copy, sorted; the record aside. */
async function pluginFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => file !== RECORD)
    .sort();
}

function slashed(file: string): string {
  return file.split(sep).join("/");
}

function absentAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
