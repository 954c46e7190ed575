/** The tables of OpenCode 2.0.15 that pruning has to do with, with the columns, keys and indexes seen there. */
export const NATIVE_SCHEMA = `
CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL, owner_id text);
CREATE TABLE event (
  id text PRIMARY KEY,
  aggregate_id text NOT NULL REFERENCES event_sequence (aggregate_id) ON DELETE CASCADE,
  seq integer NOT NULL,
  created integer DEFAULT 0 NOT NULL,
  type text NOT NULL,
  data text NOT NULL
);
CREATE UNIQUE INDEX event_aggregate_seq_idx ON event (aggregate_id, seq);
CREATE TABLE kv (key text PRIMARY KEY, value text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE session_v2 (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  workspace_id text,
  parent_id text,
  slug text NOT NULL,
  directory text NOT NULL,
  title text,
  version text NOT NULL,
  revert text,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  time_idle integer,
  time_compacting integer,
  time_archived integer,
  time_suspended integer,
  resume_attempts integer DEFAULT 0 NOT NULL
);
CREATE INDEX session_v2_time_suspended_idx ON session_v2 (time_suspended) WHERE time_suspended IS NOT NULL;
CREATE TABLE session_message (
  id text PRIMARY KEY,
  session_id text NOT NULL REFERENCES session_v2 (id) ON DELETE CASCADE,
  type text NOT NULL,
  seq integer NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE UNIQUE INDEX session_message_session_seq_idx ON session_message (session_id, seq);
CREATE INDEX session_message_session_type_seq_idx ON session_message (session_id, type, seq);
`;

/** Our own guess at media kept outside messages; no runtime with such tables has been seen. */
export const MEDIA_SCHEMA = `
CREATE TABLE blob (hash TEXT PRIMARY KEY, mime TEXT NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL, time_created INTEGER NOT NULL);
CREATE TABLE blob_ref (hash TEXT NOT NULL, session_id TEXT NOT NULL, message_id TEXT NOT NULL, PRIMARY KEY (hash, message_id));
`;

/** Leased claims, as a runtime may keep them instead of \`time_suspended\`. */
export const LEASE_SCHEMA = `
CREATE TABLE session_execution (session_id TEXT PRIMARY KEY, phase TEXT NOT NULL, owner_id TEXT NOT NULL, expires_at INTEGER NOT NULL);
CREATE TABLE session_recovery (session_id TEXT PRIMARY KEY, attempts INTEGER NOT NULL);
`;
