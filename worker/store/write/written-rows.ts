/**
 * The rows that the steps of a change write: the current state of each path, and its version.
 *
 * They wait until a step reads the tables, or all steps are done, because a statement for many rows takes little longer
 * than one for a single row: an import writes hundreds. `test/worker/store/written-rows.test.ts`
 * compares changes of many steps with a map.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { batchesOf } from '../batches.ts'
import { COLUMNS, entryOf, type FileRow } from '../read/entries.ts'
import type { Work } from './work.ts'
import { ON_REWRITE } from './versions.ts'

/** The state of a path. A folder has no blob. */
type State = Pick<FileRow, 'blob' | 'size' | 'mime' | 'mtime' | 'executable'>

/** Maximum number of files that are written and looked up one by one, so that the usual call needs no JSON. */
export const MAX_SINGLE = 4

/** Writes the current state of a path and its version, at once or with those of later steps. */
export function writeVersion(work: Work, path: StorePath, state: State): void {
  const row = { path, ...state, version: work.change.version }
  work.written.set(path, entryOf(row))
  work.own.add(path)
  work.waiting.set(path, row)
  if (work.moved) writeWaiting(work)
}

/** Writes the rows that wait. */
export function writeWaiting(work: Work): void {
  const rows = [...work.waiting.values()]
  work.waiting.clear()
  const { write } = work.layer
  for (const some of batchesOf(rows))
    for (const table of [write.files, write.versions]) insert(work, table, some)
}

function insert({ sql, layer }: Work, table: string, rows: readonly FileRow[]): void {
  const { columns, values } = layer.key
  const into = `INSERT INTO ${table} (${columns}${COLUMNS})`
  const cells = rows.map(({ path, blob, size, mime, version, mtime, executable }) => {
    return [path, blob, size, mime, version, mtime, executable]
  })
  if (rows.length <= MAX_SINGLE)
    for (const row of cells)
      sql.exec(`${into} VALUES (${values}?, ?, ?, ?, ?, ?, ?) ${ON_REWRITE}`, ...row)
  else
    sql.exec(
      `${into} SELECT ${values}value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
       FROM json_each(?) WHERE true ${ON_REWRITE}`,
      JSON.stringify(cells),
    )
}
