/**
 * Whether changes alter the list of files that one caller gets, and which lists new rules alter.
 *
 * What happens to files that a caller may not read makes no difference to it, also where they are moved or deleted with
 * a folder that it may read, or that contains its own. `test/platform/mcp/listen.test.ts` has the cases, and
 * `test/worker/mcp/list-changes.test.ts` counts the work.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import type { Access } from '../access/access.ts'
import { GONE } from '../store/layer.ts'
import { selectTouched } from '../store/touched-paths.ts'
import { stepPaths } from '../store/write/steps.ts'
import type { Change, Step } from '../store/store.ts'
import type { Tables } from '../database/table-groups.ts'

/** What decides which files a caller is listed. */
export type Sight = Pick<Access, 'canRead' | 'unrestricted'>

/** A change that was applied. */
export type Published = Pick<Change, 'version' | 'listed'>

/** A change that was applied, and its steps. */
export interface Publication {
  readonly change: Published
  readonly steps: readonly Step[]
}

/** Returns a function that tells whether changes alter the list of a caller. Each of so many streams calls it once. */
export function findListChange(
  sql: Tables,
  changes: readonly Publication[],
  streams: number,
): (access: Sight) => boolean {
  const most = Math.min(MAX_COMPARED, Math.floor(MAX_COMPARED_ALL / streams))
  const isAny = changes.some(({ change }) => change.listed.length > 0)
  let compared: readonly StorePath[] | null = null
  return (access) => {
    if (access.unrestricted || !isAny) return isAny
    compared ??= listPaths(sql, changes, most)
    return compared.some((path) => access.canRead(path))
  }
}

/** Lists the paths at which files came or went, and of many no more than `most`: a large change leaves room for others. */
function listPaths(sql: Tables, changes: readonly Publication[], most: number): StorePath[] {
  const paths: StorePath[] = []
  for (const [index, { change, steps }] of changes.entries()) {
    const share = Math.ceil((most - paths.length) / (changes.length - index))
    const trees = new Set(steps.flatMap((step) => (step.type === 'put' ? [] : stepPaths(step))))
    const hasTree = change.listed.some((path) => trees.has(path))
    paths.push(
      ...(hasTree ? changedFiles(sql, change.version, share) : change.listed.slice(0, share)),
    )
  }
  return paths
}

/** Files of changes that are compared with what each caller may read: some milliseconds for each stream. */
export const MAX_COMPARED = 10_000

/** The same for all streams together, which hold up every other request: less than a second. */
export const MAX_COMPARED_ALL = 1_000_000

/**
 * Lists the paths at which a change has added or removed a file, the first of them if they are more than `most`. Where
 * history does not tell what was removed, it was a file.
 */
function changedFiles(sql: Tables, version: number, most: number): StorePath[] {
  const rows = sql.exec<{ path: StorePath }>(`${TOUCHED} LIMIT ?2`, version, most)
  return Array.from(rows, ({ path }) => path)
}

/** SQL: the paths of a change, except those that are a file after it as before, or a folder. */
const TOUCHED = selectTouched('v.path AS path', {
  where: `c.version = ?1 AND (v.blob IS NOT NULL OR v.mime = '${GONE}')
    AND (v.blob IS NOT NULL) <> ifnull((SELECT before.blob IS NOT NULL FROM versions before
      WHERE before.path = v.path AND before.version < ?1 ORDER BY before.version DESC LIMIT 1), v.blob IS NULL)`,
})

/** Whether new rules may list other files, and with them other tools of apps, or other tools of the product. */
export function mayAlterLists(before: Config, after: Config): boolean {
  return formatLists(before) !== formatLists(after)
}

function formatLists({ roots, allow_escape, read_only }: Config): string {
  const folders = roots.map(({ path, default: first, allow, deny }) => {
    const patterns = [allow, deny].map((globs) => globs.map(({ pattern }) => pattern))
    return [path, first, patterns]
  })
  return JSON.stringify([folders, allow_escape, read_only])
}
