/**
 * Layers: the tables that a store reads and writes, of the workspace or of a draft laid over it.
 *
 * A draft has a row for each path that it concerns, and its rows cover those of the workspace. So the queries of
 * the store serve both: they read relations, which for a draft merge two tables by their keys, and write tables.
 * `test/worker/store/draft.test.ts` runs the contract of the store on a draft.
 *
 * @module
 */

import { selectTouched } from './touched-paths.ts'

/** The `mime` of a state at which the path was deleted. */
export const GONE = ''

/** SQL that can follow `FROM` or `INTO`, by what the rows are. */
export interface Relations {
  /** The current state of each path. */
  readonly files: string
  /** The states that each path has had. */
  readonly versions: string
  readonly changes: string
  /** The paths that the index of names may not know: those written after version `?1`, and those of a draft. */
  readonly unindexed: string
}

/** Where a store reads and writes. */
export interface Layer {
  /** The draft; null for the workspace. */
  readonly draft: number | null
  /** Relations that show the layer with everything below it. */
  readonly read: Relations
  /** Tables with the rows of this layer alone. */
  readonly write: Omit<Relations, 'unindexed'>
  /** The columns and values that every written row begins with. */
  readonly key: { readonly columns: string; readonly values: string }
  /** The condition that selects the rows of this layer in its tables. */
  readonly own: string
}

const WORKSPACE_TABLES = { files: 'files', versions: 'versions', changes: 'changes' }

const UNINDEXED = selectTouched('v.path', { where: 'c.version > ?1' })

/** The layer of the workspace itself. */
export const WORKSPACE_LAYER: Layer = {
  draft: null,
  read: { ...WORKSPACE_TABLES, unindexed: `(${UNINDEXED})` },
  write: WORKSPACE_TABLES,
  key: { columns: '', values: '' },
  own: '',
}

const FILE = 'path, blob, size, mime, version, mtime, executable'
const CHANGE =
  'version, id, first, tool, intent, principal, session, label, at, files, folders, bytes, paths, touched, approval, approver, amended'

/**
 * SQL: the drafts with rows in a table whose key begins with the draft, by one step for each in that key: an index of the
 * rows by path would be one row more for each file that a draft writes.
 */
export const draftsIn = (table: 'draft_files' | 'draft_versions'): string =>
  `(WITH RECURSIVE found (draft) AS (
     SELECT min(draft) FROM ${table} UNION ALL
     SELECT (SELECT min(draft) FROM ${table} t WHERE t.draft > found.draft) FROM found
     WHERE found.draft IS NOT NULL)
   SELECT draft FROM found WHERE draft IS NOT NULL)`

/** Returns the layer of a draft. `draft` is a row id, so it can be part of the SQL. */
export function draftLayer(draft: number): Layer {
  const own = `draft = ${draft} AND `
  const merge = (table: keyof Relations, columns: string) =>
    `(SELECT ${columns} FROM ${table} UNION ALL SELECT ${columns} FROM draft_${table} WHERE draft = ${draft})`
  return {
    draft,
    read: {
      files: `(SELECT ${FILE} FROM files AS below WHERE NOT EXISTS (
          SELECT 1 FROM draft_files AS above WHERE above.draft = ${draft} AND above.path = below.path)
        UNION ALL SELECT ${FILE} FROM draft_files WHERE ${own}mime <> '${GONE}')`,
      versions: merge('versions', `${FILE}, trimmed`),
      changes: merge('changes', CHANGE),
      unindexed: `(${UNINDEXED} UNION ALL SELECT path FROM draft_files WHERE ${own}mime <> '${GONE}')`,
    },
    write: { files: 'draft_files', versions: 'draft_versions', changes: 'draft_changes' },
    key: { columns: 'draft, ', values: `${draft}, ` },
    own,
  }
}
