/**
 * The tables of a new workspace. Those of features that most workspaces never use are in `rare-tables.ts`.
 *
 * A released baseline never changes: `schema.ts` has the migrations after it. `SCHEMA.md` describes the tables.
 *
 * @module
 */

/** Statements for a store that has only the table `meta`, without rows. */
export const BASELINE = `
  CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    text INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    path TEXT NOT NULL,
    key TEXT,
    bytes BLOB
  ) STRICT;
  CREATE TABLE blob_paths (
    blob INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (blob, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blobs_large ON blobs (id) WHERE indexed = 2;
  CREATE INDEX blobs_binary ON blobs (id) WHERE text = 0;
  CREATE TABLE files (
    path TEXT PRIMARY KEY,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    version INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    executable INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE versions (
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    mtime INTEGER NOT NULL,
    executable INTEGER NOT NULL DEFAULT 0,
    trimmed INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (path, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE changes (
    version INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    first INTEGER,
    tool TEXT NOT NULL,
    intent TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT,
    at INTEGER NOT NULL,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    folders INTEGER NOT NULL,
    paths INTEGER NOT NULL,
    touched TEXT,
    approval TEXT,
    approver TEXT,
    amended INTEGER,
    proposed INTEGER,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    applied INTEGER NOT NULL,
    share TEXT,
    entry TEXT
  ) STRICT;
  CREATE INDEX changes_by_first ON changes (first) WHERE first IS NOT NULL;
  CREATE TABLE touched_paths (
    draft INTEGER NOT NULL,
    version INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (draft, version, path)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    entry TEXT NOT NULL,
    hash TEXT NOT NULL,
    budget TEXT,
    first_seq INTEGER,
    share TEXT
  ) STRICT;
  CREATE TABLE trash (
    key TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    secret BLOB,
    parent TEXT,
    principal TEXT NOT NULL,
    label TEXT NOT NULL,
    config TEXT,
    policy TEXT,
    scopes TEXT,
    initialize TEXT,
    created INTEGER NOT NULL,
    expires INTEGER,
    seen INTEGER NOT NULL,
    inherited TEXT,
    budget TEXT NOT NULL DEFAULT '',
    transfer TEXT,
    uses INTEGER NOT NULL DEFAULT 0,
    allowed TEXT,
    token TEXT
  ) STRICT;
  CREATE UNIQUE INDEX sessions_by_secret ON sessions (secret) WHERE secret IS NOT NULL;
  CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE trigrams USING fts5(
    text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram'
  );
  CREATE INDEX sessions_by_budget ON sessions (budget, seen);
  CREATE INDEX audit_by_budget ON audit (budget, seq) WHERE budget IS NOT NULL;
  CREATE TABLE audit_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL,
    hash TEXT NOT NULL,
    applied INTEGER NOT NULL,
    notes INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    trimmed INTEGER NOT NULL,
    moved INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX changes_by_approval ON changes (approval) WHERE approval IS NOT NULL;
  CREATE INDEX versions_held ON versions (path) WHERE held = 1;
  CREATE INDEX changes_by_proposed ON changes (proposed) WHERE proposed IS NOT NULL;
  CREATE TABLE index_again (
    blob INTEGER PRIMARY KEY
  ) STRICT;
  INSERT INTO meta (name, value) VALUES ('indexed_to', 0);
  INSERT INTO audit_state (id, head, hash, applied, notes, dropped, trimmed, moved) VALUES (1, 0, '', 0, 0, 0, 0, 0);
`
