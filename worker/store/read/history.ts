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
import { readTouched, selectTouched, type TouchedRow } from '../touched-paths.ts'
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

/** A row of `changes`, without its part of the audit log. */
export interface ChangeRow extends Record<string, SqlStorageValue> {
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
  amended: number | null
}

/** The columns of a {@link ChangeRow}. */
export const CHANGE =
  'c.version, c.id, c.tool, c.intent, c.principal, c.session, c.label, c.at, c.approval, c.approver, c.amended'

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

function listVersions({ sql, draft }: Source, path: StorePath, limit: number): Version[] {
  const layers = draft === null ? [null] : [null, draft]
  const query = layers.map(selectStates).join(' UNION ALL ')
  const rows = sql.exec<FileRow & ChangeRow>(`${query} ORDER BY place DESC LIMIT ?2`, path, limit)
  return rows.toArray().map((row) => {
    const entry = entryOf(row)
    return { ...changeOf(row), file: entry.type === 'file' ? entry : null }
  })
}

/**
 * SQL: the states of a path that one layer has written, each with its change. Joined after the layers are merged, every
 * change would be read for each path.
 */
function selectStates(draft: number | null): string {
  const [prefix, layer] =
    draft === null ? ['', ''] : ['draft_', `AND v.draft = ${draft} AND c.draft = ${draft}`]
  return `SELECT v.version AS place, v.path, v.blob, v.size, v.mime, v.mtime, v.executable, ${CHANGE}
    FROM ${prefix}versions v JOIN ${prefix}changes c ON c.version = v.version
    WHERE v.path = ?1 ${layer}`
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
  const { folder, after, until, within } = span
  const all = rangesWithin([folder])
  // With ranges, what is outside must not make it slower, also if it changed: so their versions are read, and no change.
  const query = within
    ? `SELECT path FROM ${source.versions} WHERE path >= ?3 AND path < ?4 AND version > ?1 AND version <= ?2`
    : touchedInSpan(source.draft)
  const distinct = `SELECT DISTINCT path FROM (${query}) ORDER BY path`
  for (const { low, high } of within ? intersectRanges(within, all) : all)
    for (const { path } of source.sql.exec<{ path: StorePath }>(distinct, after, until, low, high))
      yield path
}

/** SQL: the paths in a range that changes of a span have written. */
function touchedInSpan(draft: number | null): string {
  const span = { where: 'c.version > ?1 AND c.version <= ?2', low: '?3', high: '?4' }
  const layers = draft === null ? [null] : [null, draft]
  return layers.map((each) => selectTouched('v.path', span, each)).join(' UNION ALL ')
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

function findChanges(source: Source, id: string, within = WHOLE): AppliedChange[] {
  const changes = source.sql.exec<ChangeRow & TouchedRow & { paths: number }>(
    `SELECT ${CHANGE}, c.paths, c.touched FROM ${source.changes} c
     WHERE (c.version = ?2 AND c.id = ?1) OR (c.first = ?2 AND c.id = ?1) OR c.approval = ?1
     ORDER BY c.version`,
    id,
    versionNamedBy(id),
  )
  return changes.toArray().map((row) => {
    const paths = readTouched(source, row, within)
    return { ...changeOf(row), paths, touched: row.paths, complete: paths.length === row.paths }
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

/** Rows of changes that are read at once, if the first ones were not enough. */
const PAGE = 500

/** One path is enough; but what reading it costs would tell whether it was listed alone, and for two it is the same. */
const ENOUGH = 2

function listChanges(source: Source, query: ChangesQuery): ChangeRecord[] {
  const { path, limit } = query
  if (path === undefined) return readChanges(source, query, limit).map(changeOf)
  const ranges = touchedRanges(path, query.within)
  const found: ChangeRecord[] = []
  for (let [{ before }, size] = [query, limit]; ; size = PAGE) {
    const page = readChanges(source, { ...query, before }, size)
    for (const row of page)
      if (found.length < limit && readTouched(source, row, ranges, ENOUGH).length > 0)
        found.push(changeOf(row))
    before = page.at(-1)?.version
    if (found.length >= limit || page.length < size) return found
  }
}

/**
 * Whether a change may have touched a path that begins with the JSON of one, without its last quote. What this skips would
 * tell a caller who does not see all paths.
 */
const MAY_TOUCH = '(c.touched IS NULL OR instr(c.touched, ?) > 0)'

function readChanges(source: Source, query: ChangesQuery, limit: number) {
  const { before, actor, since, until, applied, path, within } = query
  const conditions: [string, string | number | undefined][] = [
    ['c.version < ?', before],
    ['? IN (c.principal, c.session, c.label)', actor],
    ['c.at >= ?', since],
    ['c.at <= ?', until],
    [MAY_TOUCH, within ? undefined : path && JSON.stringify(path).slice(0, -1)],
  ]
  const wanted = conditions.filter((condition) => !condition.includes(undefined))
  const where = ['true', ...wanted.map(([text]) => text)].join(' AND ')
  const from = applied ? WORKSPACE_LAYER.read.changes : source.changes
  return source.sql
    .exec<ChangeRow & TouchedRow>(
      `SELECT ${CHANGE}, c.touched FROM ${from} c WHERE ${where} ORDER BY c.version DESC LIMIT ?`,
      ...wanted.map(([, value]) => value),
      limit,
    )
    .toArray()
}

/** Maximum number of ranges with which the paths of every change are compared. */
const MAX_TOUCHED_RANGES = 40

/** The ranges of a path and of what is below it, of which a change has to touch one. */
export function touchedRanges(path: StorePath, within: PathRanges | undefined): PathRanges {
  const all = rangesWithin([path])
  const seen = within ? intersectRanges(within, all) : all
  return seen.length > MAX_TOUCHED_RANGES ? all : seen
}

/** Converts a row to a change. */
export function changeOf({
  principal,
  session,
  label,
  approver,
  amended,
  ...row
}: ChangeRow): ChangeRecord {
  const { version, id, tool, intent, at } = row
  const more = amended === null ? {} : { amended }
  const approval = row.approval === null ? null : { id: row.approval, by: approver ?? '', ...more }
  return { version, id, tool, intent, actor: { principal, session, label }, at, approval }
}
