/**
 * History: the states that paths have had, and the changes that wrote them.
 *
 * @module
 */

import { rangeBelow, ROOT, type StorePath } from '#core/path.ts'
import { versionNamedBy } from '../../audit/change-note.ts'
import { COLUMNS, entryOf, type FileRow } from './entries.ts'
import { GONE, WORKSPACE_LAYER, type Relations } from '../layer.ts'
import { encodingAt } from '../../texts/encoding.ts'
import { intersectRanges, rangesWithin, WHOLE, type PathRanges } from '../path-ranges.ts'
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
interface Source extends Pick<Relations, 'versions' | 'changes'> {
  readonly sql: SqlStorage
}

/** Creates the queries of the history of a layer. */
export function createHistory(sql: SqlStorage, { versions, changes } = WORKSPACE_LAYER.read) {
  const source = { sql, versions, changes }
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
function* listChangedPaths(
  { sql, versions }: Source,
  { folder, after, until, within }: Span,
): Iterable<StorePath> {
  const select = `SELECT DISTINCT path FROM ${versions} WHERE`
  const query = (where: string, ...bindings: (string | number)[]) =>
    sql.exec<{ path: StorePath }>(`${select} ${where} ORDER BY path`, ...bindings)
  // The plus keeps SQLite from the index of versions, which has those of all paths.
  for (const { low, high } of within ? intersectRanges(within, rangesWithin([folder])) : [])
    for (const { path } of query(
      `path >= ? AND path < ? AND +version > ? AND +version <= ?`,
      low,
      high,
      after,
      until,
    ))
      yield path
  if (within) return
  const { low, high } = rangeBelow(folder)
  const inSpan = 'version > ? AND version <= ?'
  const rows =
    folder === ROOT
      ? query(inSpan, after, until)
      : query(
          `${inSpan} AND (path = ? OR (path >= ? AND path < ?))`,
          after,
          until,
          folder,
          low,
          high,
        )
  for (const { path } of rows) yield path
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

function touchedPaths({ sql, versions }: Source, version: number, within = WHOLE): StorePath[] {
  const query = `SELECT path FROM ${versions} WHERE version = ? AND path >= ? AND path < ? ORDER BY path`
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

/** Maximum number of ranges of one statement, which has at most 100 bindings. */
const MAX_TOUCHED_RANGES = 40

/** Whether a change touched a path or something below it: of that, what lies within some ranges. */
function touches({ versions }: Source, { path, within }: ChangesQuery): [string, ...string[]][] {
  if (path === undefined) return []
  const all = rangesWithin([path])
  const seen = within ? intersectRanges(within, all) : all
  const ranges = seen.length > MAX_TOUCHED_RANGES ? all : seen
  // One range at a time, or all paths of a change would be read.
  const touched = `EXISTS (SELECT 1 FROM ${versions} v
    WHERE v.version = c.version AND v.path >= ? AND v.path < ?)`
  const where = ['false', ...ranges.map(() => touched)].join(' OR ')
  return [[`(${where})`, ...ranges.flatMap(({ low, high }) => [low, high])]]
}

function changeOf({ principal, session, label, approver, ...row }: ChangeRow): ChangeRecord {
  const { version, id, tool, intent, at } = row
  const approval = row.approval === null ? null : { id: row.approval, by: approver ?? '' }
  return { version, id, tool, intent, actor: { principal, session, label }, at, approval }
}
