/**
 * The table of page links, of which the secrets are stored as hashes. `test/worker/page-links/page-links.test.ts` tests it
 * through the service.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { PageScope } from '../access/page-scope.ts'
import { tablesOf } from '../database/table-groups.ts'

/** A link to a page for people. Times are in milliseconds since 1970. */
export interface PageLink extends PageScope {
  readonly id: string
  /** Whether it shows the files of now, and not those that it keeps. */
  readonly isLive: boolean
  /** The version of the file or the workspace when the link was made. */
  readonly version: number
  readonly created: number
  readonly expires: number
  /** How often a page was opened. */
  readonly opened: number
  /** When one was opened last; null if none was. */
  readonly lastOpened: number | null
}

interface Row extends Record<string, SqlStorageValue> {
  id: string
  path: string
  kind: string
  live: number
  version: number
  created: number
  expires: number
  opened: number
  last_opened: number | null
}

const COLUMNS = 'id, path, kind, live, version, created, expires, opened, last_opened'

/** The table of one workspace. */
export type PageLinkTable = ReturnType<typeof createPageLinkTable>

/** Opens the table. */
export function createPageLinkTable(database: SqlStorage) {
  const sql = tablesOf(database, 'pages')
  return {
    /** All rows, the newest first. Sorted here: SQLite counts a row as read where it sorts the rows of no table. */
    all: (): PageLink[] =>
      Array.from(sql.exec<Row>(`SELECT ${COLUMNS} FROM page_links`), linkOf).sort(byAge),
    findBySecret: (hash: Uint8Array): PageLink | null => {
      const query = `SELECT ${COLUMNS} FROM page_links WHERE secret = ?`
      const [row] = sql.exec<Row>(query, hash).toArray()
      return row ? linkOf(row) : null
    },
    add: (secret: Uint8Array, link: PageLink): void => {
      const { id, path, kind, isLive, version, created, expires } = link
      sql.exec(
        `INSERT INTO page_links (secret, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, NULL)`,
        ...[secret, id, path, kind, isLive ? 1 : 0, version, created, expires],
      )
    },
    countOpenings: (id: string, count: number, last: number): void => {
      const query = 'UPDATE page_links SET opened = opened + ?, last_opened = ? WHERE id = ?'
      sql.exec(query, count, last, id)
    },
    remove: (id: string): PageLink | null => {
      const query = `DELETE FROM page_links WHERE id = ? RETURNING ${COLUMNS}`
      const [row] = sql.exec<Row>(query, id).toArray()
      return row ? linkOf(row) : null
    },
  }
}

const byAge = (one: PageLink, other: PageLink): number =>
  other.created - one.created || (one.id < other.id ? -1 : 1)

/** Only {@link createPageLinkTable} writes the rows, with parsed paths. */
function linkOf({ path, kind, live, last_opened: lastOpened, ...row }: Row): PageLink {
  return {
    ...row,
    path: path as StorePath,
    kind: kind === 'file' ? 'file' : 'folder',
    isLive: live === 1,
    lastOpened,
  }
}
