/**
 * The tables of features that most workspaces never use, in groups: a group is created when one of its tables gets its
 * first row (`table-groups.ts`). SQLite parses the statement of every table and index each time it opens a database, so
 * these would be more than half of what the first call of an object pays for the schema.
 *
 * A migration that changes such a table must also work where it does not exist.
 *
 * @module
 */

/** The statements that create each group. A statement that failed half way can be run again. */
export const RARE_TABLES = {
  /** Changes that wait for the owner, what was decided on them, and calls that wait for it. */
  drafts: `
    CREATE TABLE IF NOT EXISTS draft_files (
      draft INTEGER NOT NULL,
      path TEXT NOT NULL,
      blob INTEGER,
      size INTEGER NOT NULL,
      mime TEXT NOT NULL,
      version INTEGER NOT NULL,
      mtime INTEGER NOT NULL,
      executable INTEGER NOT NULL DEFAULT 0,
      covers INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (draft, path)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS draft_versions (
      draft INTEGER NOT NULL,
      path TEXT NOT NULL,
      version INTEGER NOT NULL,
      blob INTEGER,
      size INTEGER NOT NULL,
      mime TEXT NOT NULL,
      mtime INTEGER NOT NULL,
      executable INTEGER NOT NULL DEFAULT 0,
      trimmed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (draft, path, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS draft_changes (
      draft INTEGER NOT NULL,
      version INTEGER NOT NULL,
      id TEXT NOT NULL,
      first INTEGER,
      tool TEXT NOT NULL,
      intent TEXT NOT NULL,
      principal TEXT NOT NULL,
      session TEXT,
      label TEXT,
      at INTEGER NOT NULL,
      files INTEGER NOT NULL,
      folders INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      paths INTEGER NOT NULL,
      touched TEXT,
      approval TEXT,
      approver TEXT,
      amended INTEGER,
      PRIMARY KEY (draft, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS drafts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      owner TEXT NOT NULL UNIQUE,
      principal TEXT NOT NULL,
      session TEXT,
      label TEXT,
      budget TEXT NOT NULL,
      opened INTEGER NOT NULL,
      touched INTEGER NOT NULL,
      reason TEXT NOT NULL DEFAULT '',
      credential TEXT,
      ceiling TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS drafts_by_budget ON drafts (budget);
    CREATE TABLE IF NOT EXISTS proposals (
      draft INTEGER NOT NULL,
      version INTEGER NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      level TEXT NOT NULL,
      basis INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      length INTEGER NOT NULL,
      note TEXT NOT NULL,
      steps TEXT NOT NULL,
      call TEXT,
      allowed TEXT,
      PRIMARY KEY (draft, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS decisions (
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
      ids TEXT NOT NULL DEFAULT '[]',
      amended TEXT NOT NULL DEFAULT '[]',
      budget TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX IF NOT EXISTS decisions_by_owner ON decisions (owner, id);
    CREATE INDEX IF NOT EXISTS decisions_by_budget ON decisions (budget, id);
    CREATE TABLE IF NOT EXISTS waiting_calls (
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
      version INTEGER,
      budget TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX IF NOT EXISTS waiting_calls_by_budget ON waiting_calls (budget, id);
    CREATE INDEX IF NOT EXISTS waiting_calls_by_owner ON waiting_calls (owner, id);
  `,
  /** Lines that the owner took out of proposed files, or kept in them. */
  left_out: `
    CREATE TABLE IF NOT EXISTS left_out (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL,
      lines TEXT NOT NULL,
      kept INTEGER NOT NULL,
      budget TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX IF NOT EXISTS left_out_by_path ON left_out (path, id);
  `,
  /** Applied changes that the owner is notified of. */
  notified: `
    CREATE TABLE IF NOT EXISTS notified (
      version INTEGER PRIMARY KEY,
      budget TEXT NOT NULL DEFAULT '',
      trust INTEGER
    ) STRICT;
  `,
  /** The queue of what leaves the workspace. */
  notices: `
    CREATE TABLE IF NOT EXISTS notices (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      receiver TEXT NOT NULL,
      type TEXT NOT NULL,
      workspace TEXT NOT NULL,
      draft TEXT,
      outcome TEXT,
      version INTEGER,
      url TEXT NOT NULL,
      at INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      due INTEGER NOT NULL,
      budget TEXT NOT NULL DEFAULT ''
    ) STRICT;
  `,
  /** Access requests. */
  requests: `
    CREATE TABLE IF NOT EXISTS access_requests (
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
    CREATE INDEX IF NOT EXISTS access_requests_by_owner ON access_requests (owner, seq);
    CREATE INDEX IF NOT EXISTS access_requests_by_budget ON access_requests (budget, state);
  `,
  /** What the owner lets pass for a time. */
  trust: `
    CREATE TABLE IF NOT EXISTS trusts (
      id TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      folder TEXT NOT NULL,
      tools TEXT NOT NULL,
      kinds TEXT NOT NULL,
      given INTEGER NOT NULL,
      until INTEGER NOT NULL,
      passkey TEXT
    ) STRICT, WITHOUT ROWID;
  `,
  /** Who works alone at a path. */
  leases: `
    CREATE TABLE IF NOT EXISTS leases (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      path TEXT NOT NULL,
      deep INTEGER NOT NULL,
      owner TEXT NOT NULL,
      principal TEXT NOT NULL,
      session TEXT,
      label TEXT,
      client TEXT,
      budget TEXT NOT NULL,
      note TEXT NOT NULL,
      taken INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  /** Comments of the owner, and replies of agents. */
  comments: `
    CREATE TABLE IF NOT EXISTS comment_threads (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      draft TEXT,
      reader TEXT,
      path TEXT,
      side TEXT NOT NULL,
      content INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      quote TEXT NOT NULL,
      cut INTEGER NOT NULL,
      request INTEGER NOT NULL,
      at INTEGER NOT NULL,
      resolved INTEGER,
      closed INTEGER
    ) STRICT;
    CREATE INDEX IF NOT EXISTS comment_threads_by_draft ON comment_threads (draft, seq);
    CREATE INDEX IF NOT EXISTS comment_threads_by_path ON comment_threads (path, seq);
    CREATE TABLE IF NOT EXISTS comments (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      thread TEXT NOT NULL,
      text TEXT NOT NULL,
      agent INTEGER NOT NULL,
      principal TEXT NOT NULL,
      email TEXT,
      session TEXT,
      label TEXT,
      budget TEXT NOT NULL,
      at INTEGER NOT NULL,
      owner TEXT,
      reported INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS comments_by_thread ON comments (thread, seq);
    CREATE INDEX IF NOT EXISTS comments_by_owner ON comments (owner, reported);
    CREATE INDEX IF NOT EXISTS comments_by_budget ON comments (agent, budget, seq);
  `,
  /** What WebDAV clients store: properties of each link, and checksums of uploads. */
  dav: `
    CREATE TABLE IF NOT EXISTS dav_properties (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      session TEXT NOT NULL,
      budget TEXT NOT NULL,
      path TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      UNIQUE (session, path, name)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS dav_properties_by_budget ON dav_properties (budget, seq);
    CREATE TABLE IF NOT EXISTS dav_checksums (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      hash TEXT NOT NULL UNIQUE,
      md TEXT NOT NULL,
      sha TEXT NOT NULL
    ) STRICT;
  `,
  /** Links to pages for people, and the content that they keep. */
  pages: `
    CREATE TABLE IF NOT EXISTS page_links (
      id TEXT PRIMARY KEY,
      secret BLOB NOT NULL UNIQUE,
      path TEXT NOT NULL,
      kind TEXT NOT NULL,
      live INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      opened INTEGER NOT NULL,
      last_opened INTEGER
    ) STRICT;
    CREATE TABLE IF NOT EXISTS pinned_files (
      link TEXT NOT NULL,
      path TEXT NOT NULL,
      blob INTEGER NOT NULL,
      size INTEGER NOT NULL,
      mime TEXT NOT NULL,
      version INTEGER NOT NULL,
      mtime INTEGER NOT NULL,
      PRIMARY KEY (link, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS pinned_files_by_blob ON pinned_files (blob);
  `,
  /** Decisions on apps. */
  apps: `
    CREATE TABLE IF NOT EXISTS apps (
      name TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      seal TEXT NOT NULL,
      manifest TEXT NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      principal TEXT NOT NULL
    ) STRICT;
  `,
  /** Decisions on skills. */
  skills: `
    CREATE TABLE IF NOT EXISTS skills (
      name TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      seal TEXT NOT NULL,
      manifest TEXT NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      principal TEXT NOT NULL
    ) STRICT;
  `,
  /** Passkeys of the owner. */
  passkeys: `
    CREATE TABLE IF NOT EXISTS passkeys (
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
    CREATE TABLE IF NOT EXISTS passkey_challenges (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      challenge TEXT NOT NULL UNIQUE,
      nonce TEXT NOT NULL,
      expires INTEGER NOT NULL,
      budget TEXT NOT NULL DEFAULT ''
    ) STRICT;
  `,
  /** Versions with a name. */
  checkpoints: `
    CREATE TABLE IF NOT EXISTS checkpoints (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      principal TEXT NOT NULL,
      session TEXT,
      label TEXT,
      budget TEXT NOT NULL DEFAULT ''
    ) STRICT, WITHOUT ROWID;
  `,
  /** Previews of changes. */
  previews: `
    CREATE TABLE IF NOT EXISTS previews (
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
    CREATE INDEX IF NOT EXISTS previews_by_use ON previews (used);
    CREATE INDEX IF NOT EXISTS previews_by_budget ON previews (budget, used);
  `,
  /** Streams of notifications. */
  streams: `
    CREATE TABLE IF NOT EXISTS listeners (
      key TEXT PRIMARY KEY,
      request TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS subscriptions (
      session TEXT NOT NULL,
      uri TEXT NOT NULL,
      budget TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (session, uri)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS subscriptions_by_budget ON subscriptions (budget);
  `,
  /** How many applied entries of the audit log each principal has, once some had to be dropped. */
  applied: `
    CREATE TABLE IF NOT EXISTS applied_shares (
      budget TEXT PRIMARY KEY,
      entries INTEGER NOT NULL,
      dropped INTEGER NOT NULL DEFAULT 0
    ) STRICT;
  `,
  /** The texts of documents, and why others have none. */
  texts: `
    CREATE TABLE IF NOT EXISTS texts (
      blob INTEGER PRIMARY KEY,
      state TEXT NOT NULL,
      format TEXT NOT NULL,
      pages TEXT NOT NULL,
      detail TEXT NOT NULL,
      length INTEGER NOT NULL,
      attempts INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS text_parts (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL
    ) STRICT;
  `,
  /** Large objects where no bucket is bound. */
  chunks: `
    CREATE TABLE IF NOT EXISTS chunks (
      key TEXT NOT NULL,
      part INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (key, part)
    ) STRICT;
  `,
} as const
