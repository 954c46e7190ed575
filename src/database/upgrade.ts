import type { Database } from "better-sqlite3";
import type { DatabaseFile } from "./database-file.ts";
import { isBusy } from "./failure.ts";

/** Milliseconds to wait for another process that upgrades the same file. */
export const UPGRADE_PATIENCE = 10_000;

type Schema = Pick<DatabaseFile, "applicationID" | "migrations">;

type DatabaseState =
  | { readonly kind: "new" }
  | { readonly kind: "ours"; readonly version: number }
  | { readonly kind: "newer"; readonly version: number }
  | { readonly kind: "foreign" };

/** Read in one transaction: what another process does in between would look like somebody else's file. */
export function stateOf(database: Database, schema: Schema): DatabaseState {
  return database.transaction(() => readState(database, schema))();
}

function readState(database: Database, { applicationID, migrations }: Schema): DatabaseState {
  const application = database.pragma("application_id", { simple: true });
  const version = Number(database.pragma("user_version", { simple: true }));
  if (application === applicationID) {
    return version > migrations.length ? { kind: "newer", version } : { kind: "ours", version };
  }
  const tables = database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
  return application === 0 && version === 0 && tables === 0 ? { kind: "new" } : { kind: "foreign" };
}

export class NewerVersion extends Error {
  constructor(readonly version: number) {
    super(`version ${version}`);
  }
}

/**
 * Applies the migrations that the file lacks, in one transaction. What the file is gets read again under the
 * write lock, since another process may have upgraded it while this one waited.
 */
export function upgrade(database: Database, schema: Schema): void {
  const { applicationID, migrations } = schema;
  const apply = database.transaction(() => {
    const state = stateOf(database, schema);
    if (state.kind === "newer") throw new NewerVersion(state.version);
    if (state.kind === "foreign") throw new Error("it became somebody else's file");
    const version = state.kind === "ours" ? state.version : 0;
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.pragma(`application_id = ${applicationID}`);
    database.pragma(`user_version = ${migrations.length}`);
  });
  const state = stateOf(database, schema);
  // The common case, which needs no write lock.
  if (state.kind === "ours" && state.version === migrations.length) return;
  retryWhileBusy(() => apply.immediate());
}

/** Changing the journal mode does not wait for others, whatever the busy timeout. */
export function retryWhileBusy(run: () => unknown): void {
  const end = Date.now() + UPGRADE_PATIENCE;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      run();
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
      Atomics.wait(sleeper, 0, 0, 5 + Math.random() * 20);
    }
  }
}
