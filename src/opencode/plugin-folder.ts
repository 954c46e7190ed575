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

/** The name of our folder below the daemon's `plugins`, and of the package in it. */
const FOLDER = "opencode-prune";
const ASIDE = ".opencode-prune-";
const PACKAGE = "opencode-prune-plugin";

/** What we put beside the files of a copy: the hash that they had, so that a change by somebody is noticed. */
const RECORD = "installed.json";

/**
 * `absent`: nothing there. `same`: our files, unchanged. `other_version`: files that another version of this program
 * put there, unchanged. `changed`: our plugin, edited by somebody. `foreign`: something that we did not put there.
 */
export type FolderContent = "absent" | "same" | "other_version" | "changed" | "foreign";

export interface PluginCopy {
  /** As its `package.json` says; empty when it says none. */
  readonly version: string;
  /** SHA-256 of its files, names and contents; the record aside. */
  readonly hash: string;
}

export interface InspectedFolder {
  readonly content: FolderContent;
  /** Of our plugin, whichever version. */
  readonly copy?: PluginCopy;
}

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
  if (there === undefined) return { content: "absent" };
  if (!there.isDirectory() || (await manifestOf(target)).name !== PACKAGE) return { content: "foreign" };
  const [ours, copy] = await Promise.all([copyIn(source), copyIn(target)]);
  if (ours.hash === copy.hash) return { content: "same", copy };
  return { content: (await recordedHash(target)) === copy.hash ? "other_version" : "changed", copy };
}

/** Version and hash of the plugin in a folder. */
export async function copyIn(folder: string): Promise<PluginCopy> {
  const hash = createHash("sha256");
  for (const file of await filesBelow(folder)) {
    if (file === RECORD) continue;
    const content = await readFile(join(folder, file));
    hash.update(JSON.stringify([file.split(sep).join("/"), content.length])).update(content);
  }
  const { version } = await manifestOf(folder);
  return { version: typeof version === "string" ? version : "", hash: hash.digest("hex") };
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
    await writeFile(join(copy, RECORD), `${JSON.stringify(await copyIn(source))}\n`);
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

/** Takes away folders that were made for the plugin and hold nothing any more. */
export async function removeEmptyParents(target: string): Promise<void> {
  for (const folder of [dirname(target), configurationFolderOf(target)]) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

async function recordedHash(target: string): Promise<unknown> {
  return (await jsonIn(join(target, RECORD))).hash;
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

/** Paths below a folder, sorted. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function absentAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
