/**
 * History: the states that paths have had, and the changes that wrote them.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { versionNamedBy } from '../../audit/change-note.ts'
import { COLUMNS, entryOf, type FileRow } from './entries.ts'
import { GONE, WORKSPACE_LAYER, type Layer } from '../layer.ts'
import { encodingAt } from '../../texts/encoding.ts'
import { intersectRanges, rangesWithin, WHOLE, type PathRanges } from '../path-ranges.ts'
import { selectTouched } from '../touched-paths.ts'
import type {
  AppliedChange,
  ChangeRecord,
  Content,
  Entry,
  FileEntry,
  Span,
  ChangesQuery,
  Version,
} from '../store.ts'

interface ChangeRow extends Record<string, SqlStorageValue> {
  version: number
  id: string
  tool: string
  intent: string
  principal: string
  session: string | null
  label: string | null
  at: number
  approval: string | null
  approver: string | null
}

const CHANGE =
  'c.version, c.id, c.tool, c.intent, c.principal, c.session, c.label, c.at, c.approval, c.approver'

/** A database, and the relations of a layer in it. */
interface Source {
  readonly sql: SqlStorage
  readonly versions: string
  readonly changes: string
  /** The draft of the layer; null for the workspace. */
  readonly draft: number | null
}

/** Creates the queries of the history of a layer. */
export function createHistory(sql: SqlStorage, { draft, read }: Layer = WORKSPACE_LAYER) {
  const source = { sql, draft, versions: read.versions, changes: read.changes }
  return {
    history: (path: StorePath, limit: number) => listVersions(source, path, limit),
    stateAt: (path: StorePath, version: number) => findState(source, path, version),
    contentOf: (file: Pick<FileEntry, 'blob' | 'size'>) => findContent(sql, file),
    changesOf: (id: string, within?: PathRanges) => findChanges(source, id, within),
    resolveVersion: (version: number) => resolveVersion(source, version),
    listChanges: (query: ChangesQuery) => listChanges(source, query),
    changedPaths: (span: Span) => listChangedPaths(source, span),
  }
}

function listVersions(
  { sql, versions, changes }: Source,
  path: StorePath,
  limit: number,
): Version[] {
  const rows = sql.exec<FileRow & ChangeRow>(
    `SELECT v.path, v.blob, v.size, v.mime, v.mtime, ${CHANGE}
     FROM ${versions} v JOIN ${changes} c ON c.version = v.version
     WHERE v.path = ? ORDER BY v.version DESC LIMIT ?`,
    path,
    limit,
  )
  return rows.toArray().map((row) => {
    const entry = entryOf(row)
    return { ...changeOf(row), file: entry.type === 'file' ? entry : null }
  })
}

function findState(source: Source, path: StorePath, version: number): Entry | null | 'forgotten' {
  const row = source.sql
    .exec<FileRow>(
      `SELECT ${COLUMNS} FROM ${source.versions} WHERE path = ? AND version <= ?
       ORDER BY version DESC LIMIT 1`,
      path,
      version,
    )
    .toArray()[0]
  if (isDropped(source, path, { known: row?.version ?? 0, version })) return 'forgotten'
  return !row || row.mime === GONE ? null : entryOf(row)
}

/**
 * Whether a state of a path between two versions was dropped. The row after dropped ones is marked with the
 * version of the first of them.
 */
function isDropped(
  { sql, versions }: Source,
  path: StorePath,
  { known, version }: { readonly known: number; readonly version: number },
): boolean {
  const marked = sql.exec(
    `SELECT 1 FROM ${versions} WHERE path = ? AND version > ? AND trimmed > ? AND trimmed <= ? LIMIT 1`,
    path,
    version,
    known,
    version,
  )
  return marked.toArray().length > 0
}

/** The paths at and below a folder that changes wrote after one version and up to another, in path order. */
function* listChangedPaths(source: Source, span: Span): Iterable<StorePath> {
  const { sql, draft, versions, changes } = source
  const { folder, after, until, within } = span
  const all = rangesWithin([folder])
  // With ranges, what is outside must not make it slower, also if it changed: so their versions are read, and no change.
  const [query, ranges] = within
    ? [
        `SELECT path FROM ${versions} WHERE path >= ?3 AND path < ?4 AND version > ?1 AND version <= ?2`,
        intersectRanges(within, all),
      ]
    : [
        selectTouched('v.path', {
          ...{ of: draft, from: `${changes} c`, where: 'c.version > ?1 AND c.version <= ?2' },
          ...{ low: '?3', high: '?4' },
        }),
        all,
      ]
  const distinct = `SELECT DISTINCT path FROM (${query}) ORDER BY path`
  for (const { low, high } of ranges)
    for (const { path } of sql.exec<{ path: StorePath }>(distinct, after, until, low, high))
      yield path
}

function findContent(
  sql: SqlStorage,
  { blob, size }: Pick<FileEntry, 'blob' | 'size'>,
): Content | null {
  const row = sql
    .exec<{ hash: ArrayBuffer; text: number }>('SELECT hash, text FROM blobs WHERE id = ?', blob)
    .toArray()[0]
  return row
    ? {
        hash: new Uint8Array(row.hash),
        size,
        encoding: encodingAt(row.text),
        place: { type: 'blob' },
      }
    : null
}

function findChanges(source: Source, id: string, within?: PathRanges): AppliedChange[] {
  const changes = source.sql.exec<ChangeRow & { touched: number | null }>(
    `SELECT ${CHANGE}, c.paths AS touched FROM ${source.changes} c
     WHERE (c.version = ?2 AND c.id = ?1) OR (c.first = ?2 AND c.id = ?1) OR c.approval = ?1
     ORDER BY c.version`,
    id,
    versionNamedBy(id),
  )
  return changes.toArray().map((row) => {
    const { touched } = row
    const paths = touchedPaths(source, row.version, within)
    return { ...changeOf(row), paths, touched, complete: paths.length === touched }
  })
}

function resolveVersion({ sql, changes }: Source, version: number): number | null {
  const rows = sql.exec<{ version: number }>(
    `SELECT version FROM ${changes} WHERE version = ?1
     UNION ALL SELECT version FROM changes WHERE proposed = ?1 LIMIT 1`,
    version,
  )
  return rows.toArray()[0]?.version ?? null
}

function touchedPaths(source: Source, version: number, within = WHOLE): StorePath[] {
  const { sql, draft, changes } = source
  const from = { of: draft, from: `${changes} c`, where: 'c.version = ?1' }
  const query = `${selectTouched('v.path AS path', { ...from, low: '?2', high: '?3' })} ORDER BY path`
  return within.flatMap(({ low, high }) =>
    Array.from(sql.exec<{ path: StorePath }>(query, version, low, high), ({ path }) => path),
  )
}

function listChanges(source: Source, query: ChangesQuery): ChangeRecord[] {
  const { limit, before, actor, since, until, applied } = query
  const conditions: [string, ...(string | number | undefined)[]][] = [
    ['c.version < ?', before],
    ['? IN (c.principal, c.session, c.label)', actor],
    ['c.at >= ?', since],
    ['c.at <= ?', until],
    ...touches(source, query),
  ]
  const wanted = conditions.filter((condition) => !condition.includes(undefined))
  const where = wanted.length > 0 ? `WHERE ${wanted.map(([text]) => text).join(' AND ')}` : ''
  const from = applied ? WORKSPACE_LAYER.read.changes : source.changes
  const rows = source.sql.exec<ChangeRow>(
    `SELECT ${CHANGE} FROM ${from} c ${where} ORDER BY c.version DESC LIMIT ?`,
    ...wanted.flatMap(([, ...values]) => values),
    limit,
  )
  return rows.toArray().map(changeOf)
}

/** Maximum number of ranges that every change is compared with. */
const MAX_TOUCHED_RANGES = 40

/** Whether a change touched a path or something below it: of that, what lies within some ranges. */
function touches({ draft }: Source, { path, within }: ChangesQuery): [string, ...string[]][] {
  if (path === undefined) return []
  const all = rangesWithin([path])
  const seen = within ? intersectRanges(within, all) : all
  const ranges = seen.length > MAX_TOUCHED_RANGES ? all : seen
  const touched = selectTouched('1', { of: draft, low: 'r.value ->> 0', high: 'r.value ->> 1' })
  return [
    [
      `EXISTS (SELECT 1 FROM json_each(?) r WHERE EXISTS (${touched}))`,
      JSON.stringify(ranges.map(({ low, high }) => [low, high])),
    ],
  ]
}

function changeOf({ principal, session, label, approver, ...row }: ChangeRow): ChangeRecord {
  const { version, id, tool, intent, at } = row
  const approval = row.approval === null ? null : { id: row.approval, by: approver ?? '' }
  return { version, id, tool, intent, actor: { principal, session, label }, at, approval }
}
