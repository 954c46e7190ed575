/** Marks a SQLite file as ours, in its header (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x6f637072;

/**
 * What brings a file from one version to the next; the version is how many of them were applied
 * (`PRAGMA user_version`). Published ones are never edited.
 *
 * Metadata only. Each row names its server and its session, and the foreign keys are composite, so that a
 * message of another session or another server cannot be stored. `parts` is a JSON array with one array a
 * technical part: index, type, bytes, tool id, tool name, status, created.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE server (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE CHECK (address <> '')
  ) STRICT;

  CREATE TABLE session (
    server INTEGER NOT NULL REFERENCES server (id) ON DELETE CASCADE,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
    title TEXT NOT NULL,
    directory TEXT NOT NULL,
    project TEXT NOT NULL,
    parent TEXT,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    messages INTEGER,
    stored_bytes INTEGER,
    technical_parts INTEGER,
    technical_bytes INTEGER,
    other_messages INTEGER,
    other_bytes INTEGER,
    fingerprint TEXT,
    PRIMARY KEY (server, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE message (
    server INTEGER NOT NULL,
    session TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
    position INTEGER NOT NULL,
    created INTEGER NOT NULL,
    completed INTEGER,
    stored_bytes INTEGER NOT NULL,
    unprunable TEXT,
    kept_parts INTEGER NOT NULL,
    kept_bytes INTEGER NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (server, session, id),
    FOREIGN KEY (server, session) REFERENCES session (server, id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  `,
  // The first frame asks for the heaviest sessions.
  "CREATE INDEX session_by_weight ON session (server, technical_bytes DESC);",
];
