/**
 * Whether a change alters the list of files that one caller gets, and which lists new rules alter.
 *
 * What happens to files that a caller may not read makes no difference to it, also where they are moved or deleted with
 * a folder that it may read, or that contains its own. `test/worker/mcp/listen.test.ts` has the cases.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import type { Access } from '../access/access.ts'
import { GONE } from '../store/layer.ts'
import { stepPaths } from '../store/steps.ts'
import type { Change, Step } from '../store/store.ts'
import type { Tables } from '../store/table-groups.ts'

/** What decides which files a caller is listed. */
export type Sight = Pick<Access, 'canRead' | 'unrestricted'>

/** A change that was applied. */
export type Published = Pick<Change, 'version' | 'listed'>

/** Returns a function that tells whether a change alters the list of a caller. */
export function findListChange(
  sql: Tables,
  { version, listed }: Published,
  steps: readonly Step[],
): (access: Sight) => boolean {
  const trees = new Set(steps.flatMap((step) => (step.type === 'put' ? [] : stepPaths(step))))
  const hasTree = listed.some((path) => trees.has(path))
  let files: StorePath[] | null = null
  return (access) => {
    if (access.unrestricted || listed.length === 0) return listed.length > 0
    if (!hasTree) return listed.some((path) => access.canRead(path))
    files ??= changedFiles(sql, version)
    return files.some((path) => access.canRead(path))
  }
}

/** Files of one change that are compared with what each caller may read: some milliseconds for each stream. */
const MAX_COMPARED = 10_000

/**
 * Lists the paths at which a change has added or removed a file, the first of them if they are more than
 * {@link MAX_COMPARED}. Where history does not tell what was removed, it was a file.
 */
function changedFiles(sql: Tables, version: number): StorePath[] {
  const rows = sql.exec<{ path: StorePath }>(
    `SELECT path FROM versions v INDEXED BY versions_by_version
     WHERE version = ?1 AND (blob IS NOT NULL OR mime = '${GONE}')
       AND (blob IS NOT NULL) <> ifnull((SELECT blob IS NOT NULL FROM versions before
         WHERE before.path = v.path AND before.version < ?1 ORDER BY version DESC LIMIT 1), blob IS NULL)
     LIMIT ${MAX_COMPARED}`,
    version,
  )
  return Array.from(rows, ({ path }) => path)
}

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
