import { renameSync, statSync } from "node:fs";

/** Renames the file and its companions, which keeps them. Answers the new path; throws when that cannot be. */
export function setAside(path: string, inode: number): string {
  const moved = `${path}.set-aside-${new Date().toISOString().replace(/[:.]/g, "-")}-${process.pid}`;
  // Another process may have set it aside meanwhile and begun a new one: that one is left alone.
  if (inodeOf(path) === inode) {
    for (const companion of ["", "-wal", "-shm"]) renameIfThere(path + companion, moved + companion);
  }
  return moved;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
