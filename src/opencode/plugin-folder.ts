import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** The name of our folder below the daemon's `plugins`, and of the package in it. */
const FOLDER = "opencode-prune";
const ASIDE = ".opencode-prune-";
const PACKAGE = "opencode-prune-plugin";

/**
 * `absent`: nothing there. `same`: our files, unchanged. `different`: our plugin with other files, such as another
 * version. `foreign`: something that we did not put there.
 */
export type FolderContent = "absent" | "same" | "different" | "foreign";

/** Where our plugin lies below a configuration folder. */
export function pluginFolder(configurationFolder: string): string {
  return join(configurationFolder, "plugins", FOLDER);
}

export function configurationFolderOf(target: string): string {
  return dirname(dirname(target));
}

/** Compares what is installed with the plugin that we bring, byte by byte. */
export async function inspectFolder(source: string, target: string): Promise<FolderContent> {
  const there = await lstat(target).catch(absentAsUndefined);
  if (there === undefined) return "absent";
  if (!there.isDirectory() || (await packageName(target)) !== PACKAGE) return "foreign";
  const [ours, installed] = await Promise.all([filesBelow(source), filesBelow(target)]);
  if (ours.join("\n") !== installed.join("\n")) return "different";
  for (const file of ours) {
    const [wanted, found] = await Promise.all([readFile(join(source, file)), readFile(join(target, file))]);
    if (!wanted.equals(found)) return "different";
  }
  return "same";
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

async function packageName(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, "package.json"), "utf8")).name;
  } catch {
    return undefined;
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
