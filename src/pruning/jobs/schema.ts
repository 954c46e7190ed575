/** Marks a file of cleanup jobs, in its header (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x6f63706a;

/**
 * What brings a file from one version to the next. Published ones are never edited.
 *
 * Ids, hashes and counts only, never content. A job is claimed by (owner, expires), both or neither; while it is
 * claimed its state is `unknown`, since that is what it is when the owner dies. A request names all technical parts
 * of its message by their numbers (`tools`, `reasoning`), or some of them by `indexes`, a JSON array.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE job (
    id TEXT PRIMARY KEY NOT NULL CHECK (id <> ''),
    server TEXT NOT NULL CHECK (server <> ''),
    created INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('finished', 'more_to_do', 'unknown')),
    owner TEXT,
    expires INTEGER,
    quarantined TEXT,
    CHECK ((owner IS NULL) = (expires IS NULL)),
    CHECK (owner IS NULL OR state = 'unknown')
  ) STRICT;

  CREATE INDEX open_job ON job (server, created, id) WHERE state <> 'finished' AND quarantined IS NULL;

  CREATE TABLE job_session (
    job TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    session TEXT NOT NULL CHECK (length(session) BETWEEN 1 AND 256),
    directory TEXT NOT NULL,
    PRIMARY KEY (job, session)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE request (
    job TEXT NOT NULL,
    position INTEGER NOT NULL,
    session TEXT NOT NULL,
    message TEXT NOT NULL CHECK (length(message) BETWEEN 1 AND 256),
    revision TEXT NOT NULL,
    tools INTEGER,
    reasoning INTEGER,
    indexes TEXT,
    parts INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('to_do', 'sent', 'pruned', 'refused', 'quarantined')),
    reason TEXT,
    PRIMARY KEY (job, position),
    FOREIGN KEY (job, session) REFERENCES job_session (job, session) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX open_request ON request (job, position) WHERE state IN ('to_do', 'sent');
  `,
];
