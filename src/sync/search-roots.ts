import type { SearchedSession } from "./content-search.ts";

/** A location to search at, and the sessions that a search there covers. */
export interface SearchRoot {
  readonly directory: string;
  readonly sessions: readonly SearchedSession[];
}

/**
 * As few locations as cover the sessions: a search at one covers the sessions of its folder and of those below it
 * that are of its project, or of none (`global`). Without `nested`, each session is searched at its own location.
 */
export function searchRoots(sessions: readonly SearchedSession[], nested: boolean): SearchRoot[] {
  const roots: { directory: string; projectID: string; sessions: SearchedSession[] }[] = [];
  const outerFirst = [...sessions].sort((one, other) => one.directory.length - other.directory.length);
  for (const session of outerFirst) {
    const root = nested ? roots.find((one) => covers(one, session)) : undefined;
    if (root) root.sessions.push(session);
    else roots.push({ directory: session.directory, projectID: session.projectID, sessions: [session] });
  }
  return roots;
}

function covers(root: { directory: string; projectID: string }, session: SearchedSession): boolean {
  if (session.directory === root.directory) return true;
  const inside = root.directory.endsWith("/") ? root.directory : `${root.directory}/`;
  return (
    session.directory.startsWith(inside) &&
    (session.projectID === root.projectID || session.projectID === "global")
  );
}
