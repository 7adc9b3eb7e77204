/**
 * The tables of a new workspace: what the migrations of an empty store make, without the tables and columns on the way.
 * SQLite parses all tables again for each column that is added, which took six times as long as this.
 *
 * `test/worker/store/migrate.test.ts` compares both. A later migration needs no change here: it runs on top.
 *
 * @module
 */

/** The version of these tables: that of the migrations before it. */
export const NEW_STORE_VERSION = 19

/** Statements for a store that has only the table `meta`, without rows. */
export const NEW_STORE = `
  CREATE TABLE blobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    text INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    bytes BLOB,
    key TEXT
  ) STRICT;
  CREATE INDEX blobs_large ON blobs (id) WHERE indexed = 3;
  CREATE TABLE files (
    path TEXT PRIMARY KEY,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    version INTEGER NOT NULL,
    mtime INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE versions (
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    mtime INTEGER NOT NULL,
    trimmed INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (path, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX versions_by_version ON versions (version);
  CREATE INDEX versions_by_blob ON versions (blob) WHERE blob IS NOT NULL;
  CREATE TABLE changes (
    version INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    tool TEXT NOT NULL,
    intent TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT,
    at INTEGER NOT NULL,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    folders INTEGER NOT NULL DEFAULT 0,
    paths INTEGER,
    approval TEXT,
    approver TEXT,
    proposed INTEGER,
    newest_blob INTEGER,
    audit_head INTEGER,
    audit_hash TEXT,
    audit_applied INTEGER
  ) STRICT;
  CREATE INDEX changes_by_id ON changes (id);
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    entry TEXT NOT NULL,
    hash TEXT NOT NULL,
    budget TEXT,
    first_seq INTEGER
  ) STRICT;
  CREATE TABLE trash (
    key TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE chunks (
    key TEXT NOT NULL,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (key, part)
  ) STRICT;
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
  CREATE TABLE previews (
    id TEXT PRIMARY KEY,
    session TEXT,
    digest TEXT NOT NULL,
    basis INTEGER NOT NULL,
    facts TEXT NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER NOT NULL,
    budget TEXT NOT NULL DEFAULT '',
    draft TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX previews_by_use ON previews (used);
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE subscriptions (
    session TEXT NOT NULL,
    uri TEXT NOT NULL,
    budget TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (session, uri)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE trigrams USING fts5(
    text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram'
  );
  CREATE INDEX sessions_by_budget ON sessions (budget, seen);
  CREATE INDEX previews_by_budget ON previews (budget, used);
  CREATE INDEX subscriptions_by_budget ON subscriptions (budget);
  CREATE TABLE listeners (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_by_budget ON audit (budget, seq) WHERE budget IS NOT NULL;
  CREATE TABLE audit_shares (
    budget TEXT PRIMARY KEY,
    entries INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE audit_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL,
    hash TEXT NOT NULL,
    applied INTEGER NOT NULL,
    notes INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    trimmed INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE draft_files (
    draft INTEGER NOT NULL,
    path TEXT NOT NULL,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    version INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    covers INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (draft, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_files_by_path ON draft_files (path) WHERE covers = 1 OR blob IS NOT NULL;
  CREATE INDEX draft_files_by_blob ON draft_files (blob) WHERE blob IS NOT NULL;
  CREATE TABLE draft_versions (
    draft INTEGER NOT NULL,
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    mtime INTEGER NOT NULL,
    trimmed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (draft, path, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_versions_by_version ON draft_versions (draft, version);
  CREATE INDEX draft_versions_by_blob ON draft_versions (blob) WHERE blob IS NOT NULL;
  CREATE TABLE draft_changes (
    draft INTEGER NOT NULL,
    version INTEGER NOT NULL,
    id TEXT NOT NULL,
    tool TEXT NOT NULL,
    intent TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT,
    at INTEGER NOT NULL,
    files INTEGER NOT NULL,
    folders INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    paths INTEGER,
    approval TEXT,
    approver TEXT,
    PRIMARY KEY (draft, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_changes_by_id ON draft_changes (draft, id);
  CREATE INDEX changes_by_approval ON changes (approval) WHERE approval IS NOT NULL;
  CREATE TABLE drafts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL UNIQUE,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT,
    budget TEXT NOT NULL,
    opened INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX drafts_by_budget ON drafts (budget);
  CREATE TABLE proposals (
    draft INTEGER NOT NULL,
    version INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    level TEXT NOT NULL,
    basis INTEGER NOT NULL,
    note TEXT NOT NULL,
    steps TEXT NOT NULL,
    call TEXT,
    allowed TEXT,
    PRIMARY KEY (draft, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    draft TEXT NOT NULL,
    outcome TEXT NOT NULL,
    approver TEXT NOT NULL,
    note TEXT NOT NULL,
    at INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    paths TEXT NOT NULL,
    reported INTEGER NOT NULL,
    ids TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE INDEX decisions_by_owner ON decisions (owner, id);
  CREATE TABLE notified (
    version INTEGER PRIMARY KEY
  ) STRICT;
  CREATE TABLE notices (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    workspace TEXT NOT NULL,
    draft TEXT,
    url TEXT NOT NULL,
    at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX versions_held ON versions (path) WHERE held = 1;
  CREATE TABLE waiting_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    change TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    draft TEXT NOT NULL,
    digest TEXT NOT NULL,
    answer TEXT NOT NULL,
    legacy INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    outcome TEXT,
    note TEXT,
    at INTEGER,
    version INTEGER
  ) STRICT;
  CREATE INDEX waiting_calls_by_owner ON waiting_calls (owner, id);
  CREATE TABLE access_requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT,
    budget TEXT NOT NULL,
    tool TEXT NOT NULL,
    intent TEXT NOT NULL,
    digest TEXT NOT NULL,
    scopes TEXT NOT NULL,
    opened INTEGER NOT NULL,
    state TEXT NOT NULL,
    allowed_for TEXT,
    note TEXT NOT NULL,
    decided INTEGER,
    reported INTEGER NOT NULL,
    used INTEGER NOT NULL,
    paths TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE INDEX access_requests_by_owner ON access_requests (owner, seq);
  CREATE INDEX access_requests_by_budget ON access_requests (budget, state);
  CREATE TABLE apps (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    seal TEXT NOT NULL,
    manifest TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changes_by_proposed ON changes (proposed) WHERE proposed IS NOT NULL;
  CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    credential TEXT NOT NULL UNIQUE,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    host TEXT NOT NULL,
    label TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER,
    removal INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE passkey_challenges (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    challenge TEXT NOT NULL UNIQUE,
    nonce TEXT NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE index_again (
    blob INTEGER PRIMARY KEY
  ) STRICT;
  INSERT INTO meta (name, value) VALUES ('newest_blob', 0), ('indexed_to', 0);
  INSERT INTO audit_state (id, head, hash, applied, notes, dropped, trimmed) VALUES (1, 0, '', 0, 0, 0, 0);
  INSERT INTO sqlite_sequence (name, seq) VALUES ('blobs', 4503599627370496);
`
