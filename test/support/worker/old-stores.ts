/**
 * Workspaces as earlier releases wrote them, one for each version of the schema.
 *
 * All have the same content, so that one set of tests fits them all: a file with two versions, a
 * large file, a refused call, a preview, a configuration and a link. The rows were taken from a
 * real release. A new migration needs a store of the release before it.
 *
 * @module
 */

import { RARE_TABLES } from '#worker/database/rare-tables.ts'
import { MIGRATIONS, runMigration, writeMeta } from '#worker/database/schema.ts'

/** Creates the tables of an earlier release, without rows, in place of everything in a database. */
export async function createOldTables(storage: DurableObjectStorage, version: number) {
  await storage.deleteAll()
  const { sql } = storage
  sql.exec('CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT')
  for (const one of MIGRATIONS.slice(0, version)) runMigration(sql, one)
  writeMeta(sql, { schema: version })
}

/** What the file holds that lies outside SQLite, under the key `large`. */
export const LARGE = 'x'.repeat(131_073)

/** The secret of the link. The row has its hash. */
export const LINK_SECRET = 'PyfH8W34d8-EPslU82_gi0EC06A7inR_Pb6ObqHVGeU'

/** The preview of a call that writes `b` to `/docs/b.md`. */
export const PREVIEW = '99ee66cf-3ec3-427b-9ef6-62a7614ca85c'

const FIRST = `
  INSERT INTO blobs (id, hash, size, text, indexed, bytes, key) VALUES
    (1, X'cc50bd36548fa4301d3afbab7fc2faa09844f2a4bac196c307e824dcf7e9c7b5', 12, 1, 2,
      CAST('first words' || char(10) AS BLOB), NULL),
    (2, X'16a394ec8277d8c5c2275b4573cd342a68f2dd0976783e97751d37b3f7522490', 13, 1, 1,
      CAST('second words' || char(10) AS BLOB), NULL),
    (3, X'0c5c5c759aa8164f9fb53c471ff060903c99edcb520fb7d9cb4bf7a45755f1c2', 131073, 1, 0,
      NULL, 'large');
  INSERT INTO trigrams (rowid, text) VALUES (2, 'second words' || char(10));

  INSERT INTO files (path, blob, size, mime, version, mtime) VALUES
    ('/docs', NULL, 0, 'inode/directory', 1, 1795279577543),
    ('/docs/a.md', 2, 13, 'text/markdown', 2, 1795279577552),
    ('/large', 3, 131073, 'text/plain', 3, 1795279577566);
  INSERT INTO versions (path, version, blob, size, mime, mtime) VALUES
    ('/docs', 1, NULL, 0, 'inode/directory', 1795279577543),
    ('/docs/a.md', 1, 1, 12, 'text/markdown', 1795279577543),
    ('/docs/a.md', 2, 2, 13, 'text/markdown', 1795279577552),
    ('/large', 3, 3, 131073, 'text/plain', 1795279577566);
  INSERT INTO changes (version, id, tool, intent, principal, session, label, at, files, bytes) VALUES
    (1, '9fcece1c-2457-4477-b002-b4240d880ea5', 'PUT', 'Upload /docs/a.md', 'local', NULL, NULL,
      1795279577543, 1, 12),
    (2, 'afa54a62-6e02-4ca8-84b1-c4d4655b8c74', 'write_file', 'Write to /docs/a.md', 'local', NULL,
      NULL, 1795279577552, 1, 13),
    (3, 'f44eb783-e23c-4f48-90d3-18e4ae0da987', 'PUT', 'Upload /large', 'local', NULL, NULL,
      1795279577566, 2, 131086);

  INSERT INTO audit (seq, at, principal, session, entry, hash) VALUES
    (1, 1795279577543, 'local', NULL, '{"id":"9fcece1c-2457-4477-b002-b4240d880ea5","digest":"","tool":"PUT","intent":"Upload /docs/a.md","actor":{"principal":"local","session":null,"label":null},"decision":"the person","outcome":"applied","version":1,"at":1795279577543,"paths":["/docs/a.md"]}',
      '6ac62893b37e5fa4ab222e8139eeb01dd219bf1f840fa0f01014f30ed6479750'),
    (2, 1795279577552, 'local', NULL, '{"id":"afa54a62-6e02-4ca8-84b1-c4d4655b8c74","digest":"2ec90b3703fd2d13efc594a6e33fb4f3dcbe143ab7e0de8b7eadbc3199a5c35b","tool":"write_file","intent":"Write to /docs/a.md","actor":{"principal":"local","session":null,"label":null},"decision":"configuration","outcome":"applied","version":2,"at":1795279577552,"paths":["/docs/a.md"]}',
      '72c96fb0cddc8086ee3fad00d25aa373768d1bcae55bc806e917e93c6f8582d3'),
    (3, 1795279577566, 'local', NULL, '{"id":"f44eb783-e23c-4f48-90d3-18e4ae0da987","digest":"","tool":"PUT","intent":"Upload /large","actor":{"principal":"local","session":null,"label":null},"decision":"the person","outcome":"applied","version":3,"at":1795279577566,"paths":["/large"]}',
      'aed91f1f03e338cde5c8c6d16201bbc543e302390a99383192a76ec61016f322'),
    (4, 1795279577571, 'local', NULL, '{"tool":"read_file","intent":"Read /secret","actor":{"principal":"local","session":null,"label":null},"digest":"ef8caadddd0125d1b6730e1a83de06170c57977fa2e9f0ffbcba36e2d182241d","outcome":"refused","paths":["/secret"],"version":null,"at":1795279577571,"id":"","decision":"PATH_OUTSIDE_ROOT; configuration"}',
      '51ceacca53ec9381e958b6e9380bbcfa2582e41871dfaa963472f8c5e3716316'),
    (5, 1795279577576, 'local', NULL, '{"tool":"write_file","intent":"Write to /docs/b.md","actor":{"principal":"local","session":null,"label":null},"decision":"configuration","digest":"41af57c899d2c18a870c004a3a656ae4ba3bd05e69fb181f42714bf5b7a802e7","outcome":"previewed","paths":["/docs/b.md"],"version":null,"at":1795279577576,"id":"99ee66cf-3ec3-427b-9ef6-62a7614ca85c"}',
      'f499199fad0081dc3a52f3f956547d565237eb84abfb1d05095d5c7169d68be6');

  INSERT INTO settings (name, value) VALUES
    ('config', '{"roots":[{"path":"/docs"},{"path":"/large"}]}');
  -- Both would have ended by now: they end in 2100.
  INSERT INTO sessions (id, secret, parent, principal, label, config, policy, scopes, initialize,
    created, expires, seen) VALUES
    ('274d6dd0-abf5-4693-a062-edc08cc5d1c0',
      X'b873a283e43e6e6c0df1fffd161c1a9aabc1f21f9b3ae8666edcd9accb2cd151', NULL, 'local', 'helper',
      NULL, NULL, '["read:file:/docs"]', NULL, 1795279577582, 4102444800000, 1795279577582);
  INSERT INTO previews (id, session, digest, basis, facts, expires, used) VALUES
    ('99ee66cf-3ec3-427b-9ef6-62a7614ca85c', NULL,
      '[["put","/docs/b.md",[62,35,232,22,0,57,89,74,51,137,79,101,100,225,177,52,139,189,122,0,136,212,44,74,203,115,238,174,213,156,0,157]]]',
      3, '{"tool":"write_file","intent":"Write to /docs/b.md","applied":false,"paths":["/docs/b.md"],"files":[{"from":null,"to":"/docs/b.md","binary":false,"hunks":[{"oldStart":0,"oldLines":0,"newStart":1,"newLines":1,"lines":[{"kind":"insert","text":"b","noNewline":true}]}]}],"more":0}',
      4102444800000, 1);
  INSERT INTO subscriptions (session, uri) VALUES
    ('274d6dd0-abf5-4693-a062-edc08cc5d1c0', 'file:///docs/a.md');
  INSERT INTO trash (key, at) VALUES ('left-behind', 4102444800000);
  INSERT INTO chunks (key, part, bytes) VALUES ('left-behind', 0, X'00');
  `

/**
 * What a store of version 2 holds besides, whose `history_versions` was 1: a file that was made, one
 * of which only the second state is left, and one of which only its end is.
 */
export const TRIMMED = `
  INSERT INTO changes (version, id, tool, intent, principal, at, files, bytes, folders) VALUES
    (4, 'change-4', 'write_file', 'Write to made', 'local', 4, 3, 131099, 1),
    (5, 'change-5', 'write_file', 'Write to cut', 'local', 5, 4, 131112, 1),
    (6, 'change-6', 'write_file', 'Write to cut', 'local', 6, 4, 131112, 1),
    (7, 'change-7', 'write_file', 'Write to gone', 'local', 7, 5, 131125, 1),
    (8, 'change-8', 'delete_file', 'Delete gone', 'local', 8, 4, 131112, 1);
  INSERT INTO files (path, blob, size, mime, version, mtime) VALUES
    ('/docs/made', 2, 13, 'text/plain', 4, 4), ('/docs/cut', 2, 13, 'text/plain', 6, 6);
  INSERT INTO versions (path, blob, size, mime, version, mtime) VALUES
    ('/docs/made', 2, 13, 'text/plain', 4, 4), ('/docs/cut', 2, 13, 'text/plain', 6, 6),
    ('/docs/gone', NULL, 0, '', 8, 8);
  `

const SECOND = `${FIRST} UPDATE changes SET folders = 1;`

const COUNTED = `${SECOND}
  UPDATE changes SET paths = (SELECT count(*) FROM versions v WHERE v.version = changes.version);`

const AUDITED = `${COUNTED}
  UPDATE audit SET budget = 'local' WHERE seq IN (4, 5);
  INSERT INTO audit_shares (budget, entries) VALUES ('local', 2);
  UPDATE audit_state SET head = 5, applied = 3, notes = 2,
    hash = 'f499199fad0081dc3a52f3f956547d565237eb84abfb1d05095d5c7169d68be6';
  `

/** A draft that adds a file and deletes one. */
const DRAFTED = `${AUDITED}
  INSERT INTO draft_changes (draft, version, id, tool, intent, principal, at, files, folders, bytes, paths)
    VALUES (1, 4, 'draft-4', 'write_file', 'Write to /docs/draft.md', 'local', 4, 3, 1, 131112, 1);
  INSERT INTO draft_files (draft, path, blob, size, mime, version, mtime)
    SELECT 1, path, blob, size, mime, version, mtime FROM files WHERE path = '/docs';
  INSERT INTO draft_files (draft, path, blob, size, mime, version, mtime)
    VALUES (1, '/docs/draft.md', 2, 13, 'text/plain', 4, 4);
  INSERT INTO draft_versions (draft, path, blob, size, mime, version, mtime)
    VALUES (1, '/docs/draft.md', 2, 13, 'text/plain', 4, 4);
  INSERT INTO meta (name, value) VALUES ('version', 4);
  `

/** A draft with a proposal, and a decision. */
const PROPOSED = `${DRAFTED}
  INSERT INTO drafts (id, name, owner, principal, budget, opened, touched, bytes)
    VALUES (1, 'draft', 'principal local', 'local', 'local', 4, 4102444800000, 13);
  INSERT INTO proposals (draft, version, id, at, level, basis, note, steps)
    VALUES (1, 4, 'draft-4', 4, 'review', 3,
      '{"tool":"write_file","intent":"Write to /docs/draft.md","actor":{"principal":"local","session":null,"label":null},"decision":[]}',
      '[{"type":"put","path":"/docs/draft.md","blob":2,"size":13}]');
  INSERT INTO decisions (owner, draft, outcome, approver, note, at, changes, paths, reported)
    VALUES ('principal local', 'earlier', 'approved', 'owner', '', 3, 1, '["/docs/a.md"]', 1);
  `

/** A notice that is sent in 2100. */
const NOTIFIED = `${PROPOSED}
  INSERT INTO notices (id, type, workspace, draft, url, at, attempts, due)
    VALUES ('msg_1', 'draft.waiting', 'default', '1', 'https://localhost/', 4, 1, 4102444800000);
  `

/** A checkpoint, and a version that is kept for it. */
const CHECKPOINTED = `${NOTIFIED}
  INSERT INTO checkpoints (id, name, version, at, principal)
    VALUES ('0b0d2b5e-63b3-4f5c-9d0b-6ad0c6f9f3a1', 'Before the rewrite', 1, 5, 'local');
  UPDATE versions SET held = 1 WHERE path = '/docs/a.md' AND version = 1;
  `

/** A call that waits for a decision. */
const WAITED = `${CHECKPOINTED}
  INSERT INTO waiting_calls (change, owner, draft, digest, answer, legacy, answered)
    VALUES ('draft-4', 'principal local', 'draft', '', '{}', 0, 0);
  `

/** An access request that waits, and a session that was allowed more. */
const REQUESTED = `${WAITED}
  INSERT INTO access_requests (id, owner, principal, budget, tool, intent, digest, scopes, opened, state, note,
      reported, used)
    VALUES ('request', 'principal local', 'local', 'local', 'read_file', 'Read /other/a', '', '["read:file:/other"]',
      4102444800000, 'waiting', '', 1, 0);
  UPDATE sessions SET allowed = '["read:file:/other"]';
  `

/** A decision on an app whose folder is gone. */
const WITH_APP = `${REQUESTED}
  INSERT INTO apps (name, state, seal, manifest, version, at, principal)
    VALUES ('board', 'approved', '[]', '{}', 3, 4, 'local');
  `

/** A request of a call that names a path. */
const PATHED = `${WITH_APP}
  UPDATE access_requests SET paths = '["/other/a"]';
  `

/** An approved change, the ids of a decision, and the scopes of a token. */
const TRACED = `${PATHED}
  UPDATE changes SET proposed = 1, approval = 'approval', approver = 'owner' WHERE version = 2;
  UPDATE decisions SET ids = '["change"]';
  UPDATE sessions SET token = '["read"]';
  `

/** A preview of a change in a draft. */
const PREVIEWED = `${TRACED}
  UPDATE previews SET draft = 'draft';
  `

/** A passkey, and a challenge that expires in 2100. */
const WITH_PASSKEY = `${PREVIEWED}
  INSERT INTO passkeys (id, credential, public_key, counter, transports, host, label, created)
    VALUES ('passkey', 'AAAA', x'00', 0, 'internal', 'localhost', 'Phone', 5);
  INSERT INTO passkey_challenges (challenge, nonce, expires) VALUES ('AAAA', 'AAAA', 4102444800000);
  `

/** Content of which the first two had their turn to be indexed, and changes that tell its newest id. */
const NUMBERED = `${WITH_PASSKEY}
  UPDATE blobs SET indexed = 0;
  UPDATE meta SET value = 2 WHERE name = 'indexed_to';
  UPDATE changes SET newest_blob = version;
  `

/** Columns and indexes that schema 21 has added to the tables of rare features. */
const ADDED =
  /,\s+budget TEXT NOT NULL DEFAULT ''(?=\s+\) STRICT)|CREATE INDEX IF NOT EXISTS (?:decisions|waiting_calls)_by_budget [^;]*;/g

const { applied: _applied, previews, streams, ...rest } = RARE_TABLES

const OLD_TABLES = [Object.values(rest).join('').replaceAll(ADDED, ''), previews, streams]

/** The tables of all features. */
const USED = `${OLD_TABLES.join('')} ${NUMBERED}`

/** Rows that name the principal whose share they use. */
const SHARED = `${Object.values(RARE_TABLES).join('')} ${NUMBERED}
  UPDATE decisions SET budget = owner;
  UPDATE waiting_calls SET budget = owner;
  UPDATE notified SET budget = 'local';
  UPDATE checkpoints SET budget = principal;
  UPDATE audit SET share = 'link' WHERE seq = 1;
  `

/** Statements that fill the tables of a version: the first is for version 1. */
export const OLD_STORES: readonly string[] = [
  FIRST,
  SECOND,
  COUNTED,
  COUNTED,
  AUDITED,
  AUDITED,
  DRAFTED,
  PROPOSED,
  NOTIFIED,
  CHECKPOINTED,
  WAITED,
  REQUESTED,
  WITH_APP,
  PATHED,
  TRACED,
  PREVIEWED,
  WITH_PASSKEY,
  WITH_PASSKEY,
  NUMBERED,
  USED,
  SHARED,
  SHARED,
]
