/**
 * The tables of a workspace. `SCHEMA.md` describes each of them and how long its rows are kept.
 *
 * @module
 */

import { NEW_STORE, NEW_STORE_VERSION } from './new-store.ts'
import { addShares } from './add-shares.ts'
import { dropUnusedTables, forgetGroups, transaction, type Tables } from './table-groups.ts'

/** Statements, or what runs them where they depend on the rows. */
export type Migration = string | ((sql: SqlStorage) => void)

/** What migrates a store from version n to n + 1. Never edit one that has been released. */
export const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE blobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    text INTEGER NOT NULL,
    indexed INTEGER NOT NULL,
    bytes BLOB,
    key TEXT
  ) STRICT;
  CREATE INDEX blobs_waiting ON blobs (id) WHERE indexed = 0;
  CREATE INDEX blobs_large ON blobs (id) WHERE indexed = 3;
  CREATE TABLE files (
    path TEXT PRIMARY KEY,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    version INTEGER NOT NULL,
    mtime INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_blob ON files (blob) WHERE blob IS NOT NULL;
  CREATE TABLE versions (
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    blob INTEGER,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    mtime INTEGER NOT NULL,
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
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX changes_by_id ON changes (id);
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    entry TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE trash (key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
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
    seen INTEGER NOT NULL
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
    used INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX previews_by_use ON previews (used);
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE subscriptions (
    session TEXT NOT NULL,
    uri TEXT NOT NULL,
    PRIMARY KEY (session, uri)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE trigrams USING fts5(
    text, content = '', contentless_delete = 1, detail = 'none', tokenize = 'trigram'
  );
  `,
  `
  ALTER TABLE changes ADD COLUMN folders INTEGER NOT NULL DEFAULT 0;
  UPDATE changes SET folders = (SELECT count(*) FROM files WHERE blob IS NULL)
    WHERE version = (SELECT max(version) FROM changes);
  `,
  // The number of paths that an earlier change touched is known only if none of its rows can have been
  // dropped. Rows before the oldest row of a path may have been dropped, unless the change of that row
  // created the path: a folder is only written when it is new, and a change that adds as many files as it
  // writes overwrites none.
  `
  ALTER TABLE changes ADD COLUMN paths INTEGER;
  ALTER TABLE versions ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;
  UPDATE versions SET trimmed = 1
    WHERE mime <> 'inode/directory'
    AND NOT EXISTS (
      SELECT 1 FROM versions o WHERE o.path = versions.path AND o.version < versions.version)
    AND (blob IS NULL OR version NOT IN (
      SELECT c.version FROM changes c
        JOIN (SELECT version, count(blob) AS files FROM versions GROUP BY version) w
          ON w.version = c.version
        LEFT JOIN changes b ON b.version = c.version - 1
        WHERE c.files - ifnull(b.files, 0) = w.files));
  UPDATE changes SET paths = (SELECT count(*) FROM versions w WHERE w.version = changes.version)
    WHERE version >= ifnull((SELECT max(version) FROM versions WHERE trimmed = 1), 0);
  `,
  `
  ALTER TABLE sessions ADD COLUMN inherited TEXT;
  ALTER TABLE sessions ADD COLUMN budget TEXT NOT NULL DEFAULT '';
  CREATE INDEX sessions_by_budget ON sessions (budget, seen);
  ALTER TABLE previews ADD COLUMN budget TEXT NOT NULL DEFAULT '';
  CREATE INDEX previews_by_budget ON previews (budget, used);
  ALTER TABLE subscriptions ADD COLUMN budget TEXT NOT NULL DEFAULT '';
  CREATE INDEX subscriptions_by_budget ON subscriptions (budget);
  CREATE TABLE listeners (key TEXT PRIMARY KEY, request TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // In a chain whose oldest entries were deleted, the hash of the first remaining entry cannot be checked. It
  // becomes a tombstone with the deleted ones, and the chain continues from its hash.
  `
  ALTER TABLE audit ADD COLUMN budget TEXT;
  ALTER TABLE audit ADD COLUMN first_seq INTEGER;
  UPDATE audit SET first_seq = 1, entry = '{}', principal = '', session = NULL
    WHERE seq = (SELECT min(seq) FROM audit) AND seq > 1;
  UPDATE audit SET budget = ifnull(session, principal)
    WHERE iif(json_valid(entry), entry ->> 'outcome', NULL) IN ('previewed', 'refused');
  CREATE INDEX audit_by_budget ON audit (budget, seq) WHERE budget IS NOT NULL;
  CREATE TABLE audit_shares (budget TEXT PRIMARY KEY, entries INTEGER NOT NULL) STRICT;
  INSERT INTO audit_shares (budget, entries)
    SELECT budget, count(*) FROM audit WHERE budget IS NOT NULL GROUP BY budget ORDER BY min(seq);
  CREATE TABLE audit_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    head INTEGER NOT NULL,
    hash TEXT NOT NULL,
    applied INTEGER NOT NULL,
    notes INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    trimmed INTEGER NOT NULL
  ) STRICT;
  INSERT INTO audit_state (id, head, hash, applied, notes, dropped, trimmed)
    SELECT 1, ifnull(max(seq), 0),
      ifnull((SELECT hash FROM audit ORDER BY seq DESC LIMIT 1), ''),
      ifnull(sum(budget IS NULL AND first_seq IS NULL), 0),
      count(budget), ifnull(sum(seq - first_seq + 1), 0), 0 FROM audit;
  `,
  `
  ALTER TABLE sessions ADD COLUMN transfer TEXT;
  ALTER TABLE sessions ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
  `,
  `
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
    PRIMARY KEY (draft, version)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_changes_by_id ON draft_changes (draft, id);
  `,
  // Nothing could use drafts before.
  `
  DELETE FROM draft_files;
  DELETE FROM draft_versions;
  DELETE FROM draft_changes;
  ALTER TABLE changes ADD COLUMN approval TEXT;
  ALTER TABLE changes ADD COLUMN approver TEXT;
  CREATE INDEX changes_by_approval ON changes (approval) WHERE approval IS NOT NULL;
  ALTER TABLE draft_changes ADD COLUMN approval TEXT;
  ALTER TABLE draft_changes ADD COLUMN approver TEXT;
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
    reported INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX decisions_by_owner ON decisions (owner, id);
  CREATE TABLE notified (version INTEGER PRIMARY KEY) STRICT;
  `,
  // At most 100 rows, so no index is needed.
  `
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
  `,
  // `trimmed` was 1 where older rows had been dropped, which means the same as "from version 1 on".
  `
  CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL,
    session TEXT,
    label TEXT
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE versions ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX versions_held ON versions (path) WHERE held = 1;
  `,
  `
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
  `,
  `
  ALTER TABLE sessions ADD COLUMN allowed TEXT;
  ALTER TABLE proposals ADD COLUMN allowed TEXT;
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
    used INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX access_requests_by_owner ON access_requests (owner, seq);
  CREATE INDEX access_requests_by_budget ON access_requests (budget, state);
  `,
  `
  CREATE TABLE apps (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    seal TEXT NOT NULL,
    manifest TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    principal TEXT NOT NULL
  ) STRICT;
  `,
  // What the call of a request names.
  `
  ALTER TABLE access_requests ADD COLUMN paths TEXT NOT NULL DEFAULT '[]';
  `,
  `
  ALTER TABLE sessions ADD COLUMN token TEXT;
  ALTER TABLE decisions ADD COLUMN ids TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE changes ADD COLUMN proposed INTEGER;
  CREATE INDEX changes_by_proposed ON changes (proposed) WHERE proposed IS NOT NULL;
  `,
  'ALTER TABLE previews ADD COLUMN draft TEXT;',
  // At most 20 passkeys and 100 challenges, so no index is needed.
  `
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
  `,
  // `versions_by_blob` finds the files of a blob as well: the current state of a file is its newest version.
  'DROP INDEX files_by_blob;',
  // What a write would otherwise note in rows of their own: the newest id of a blob and the end of the audit chain are
  // in the row of its change, and a blob waits for the index if its id is larger than a number in `meta`. SQLite
  // writes the largest id that it has given only if a larger one is used, which therefore never happens.
  `
  ALTER TABLE changes ADD COLUMN newest_blob INTEGER;
  ALTER TABLE changes ADD COLUMN audit_head INTEGER;
  ALTER TABLE changes ADD COLUMN audit_hash TEXT;
  ALTER TABLE changes ADD COLUMN audit_applied INTEGER;
  INSERT INTO meta (name, value)
    SELECT 'newest_blob', ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'blobs'), 0);
  INSERT INTO meta (name, value)
    SELECT 'indexed_to', ifnull((SELECT min(id) - 1 FROM blobs WHERE indexed = 0),
      (SELECT value FROM meta WHERE name = 'newest_blob'));
  DELETE FROM sqlite_sequence WHERE name = 'blobs';
  INSERT INTO sqlite_sequence (name, seq) VALUES ('blobs', 4503599627370496);
  DROP INDEX blobs_waiting;
  CREATE TABLE index_again (blob INTEGER PRIMARY KEY) STRICT;
  `,
  // Tables of features that were never used are created when they are: `rare-tables.ts`.
  dropUnusedTables,
  addShares,
  // A search counts the files that it cannot read, and most workspaces have few.
  'CREATE INDEX blobs_binary ON blobs (id) WHERE text = 0;',
]

/** Runs one migration. */
export function runMigration(sql: SqlStorage, migration: Migration): void {
  if (typeof migration === 'string') sql.exec(migration)
  else migration(sql)
}

/**
 * Migrates the tables to the current version, in one transaction.
 *
 * @throws Error if a newer release wrote the store, whose tables this release cannot interpret.
 */
export function migrate(storage: DurableObjectStorage): void {
  transaction(storage, () => {
    const { sql } = storage
    sql.exec(
      'CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT',
    )
    const at = readMeta(sql, 'schema')
    if (at > MIGRATIONS.length) throw new Error(tooNew(at))
    const isNew = at === 0
    if (isNew) sql.exec(NEW_STORE)
    for (const one of MIGRATIONS.slice(isNew ? NEW_STORE_VERSION : at)) runMigration(sql, one)
    if (at < MIGRATIONS.length) writeMeta(sql, { schema: MIGRATIONS.length })
  })
  forgetGroups(storage.sql)
}

/** Whether nothing was ever written to this database. */
export function isUnused(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'meta'").toArray().length === 0
}

/** The start of the message of {@link migrate} for a store of a newer release. */
export const NEWER_RELEASE = 'This workspace was written by a newer release'

const tooNew = (at: number) =>
  `${NEWER_RELEASE}: its schema is ${at}, and this one knows ` +
  `${MIGRATIONS.length}. Nothing was changed. Deploy the newer release again`

/** The values of `blobs.indexed`: whether a blob is in the trigram index, and if not, why. */
export const INDEX = {
  /** It waits for its turn until {@link INDEXED_TO} has reached its id, and was indexed or passed over then. */
  inTurn: 0,
  /** It cannot be searched, or was indexed before schema 19. */
  done: 1,
  /** It was no longer the content of a file when it was to be indexed, before schema 19. */
  passed: 2,
  /** It is text, but too large to be searched. A search counts it as skipped. */
  large: 3,
} as const

/** SQL: the blob up to which all had their turn to be indexed. Blobs are indexed in the order of their ids. */
export const INDEXED_TO = "(SELECT value FROM meta WHERE name = 'indexed_to')"

/** Reads a number from `meta`; 0 if it was never written. */
export function readMeta(sql: Tables, name: string): number {
  const row = sql
    .exec<{ value: number }>('SELECT value FROM meta WHERE name = ?', name)
    .toArray()[0]
  return row?.value ?? 0
}

/** Writes numbers to `meta`, by their names. */
export function writeMeta(sql: SqlStorage, numbers: Readonly<Record<string, number>>): void {
  const rows = Object.entries(numbers)
  sql.exec(
    `INSERT INTO meta (name, value) VALUES ${rows.map(() => '(?, ?)').join(', ')}
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
    ...rows.flat(),
  )
}

/** Reads a setting of the workspace; null if it was never written. */
export function readSetting(sql: SqlStorage, name: string): string | null {
  const rows = sql.exec<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)
  return rows.toArray()[0]?.value ?? null
}

/** Writes a setting of the workspace. */
export function writeSetting(sql: SqlStorage, name: string, value: string): void {
  sql.exec('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value)
}
