/**
 * `/files/{folder}?recursive=true`: everything below a folder in pages, for programs that keep a copy in step.
 *
 * A page has files and empty folders; every other folder is above one of them. `test/worker/api/tree.test.ts` has the
 * cases.
 *
 * @module
 */

import { isWithin, resolvePath, type StorePath } from '#core/path.ts'
import type { CallerWorkspace, ReadStore } from '../access/workspace.ts'
import { refuse } from '../errors/respond.ts'
import type { Entry } from '../store/store.ts'
import { readNumber, refuseQuery } from './feed-query.ts'
import { MAX_TREE_EXAMINED, MAX_TREE_PAGE } from './limits.ts'

/** Entries on a page, if the request does not say how many. */
const DEFAULT_PAGE = 1_000

/** Serves a page of everything below a folder. */
export function serveTree(
  query: URLSearchParams,
  folder: StorePath,
  { store, version, feed }: Pick<CallerWorkspace, 'store' | 'version' | 'feed'>,
): Response {
  const limit = readNumber(query.get('limit') ?? String(DEFAULT_PAGE))
  if (limit === null || limit < 1 || limit > MAX_TREE_PAGE || !Number.isInteger(limit))
    return refuseQuery('limit', `a whole number from 1 to ${MAX_TREE_PAGE}`)
  const text = query.get('after')
  const after = text === null ? null : resolvePath(text, folder)
  if (after && !(after.ok && isWithin(after.value, folder))) return refuseAfter()
  const { found, next } = findEntries(store, folder, {
    limit,
    after: after?.ok ? after.value : null,
  })
  const hashes = store.hashesOf(found.flatMap((entry) => (entry.type === 'file' ? entry.blob : [])))
  const entries = found.map((entry) => describeEntry(entry, hashes))
  const body = { path: folder, version: version(), entries, next, ...feed.source() }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

function refuseAfter(): Response {
  const message = 'Cannot page: after must be a path in this folder. Use next of the page before.'
  return refuse(400, 'INVALID_AFTER', message)
}

interface TreePage {
  readonly limit: number
  readonly after: StorePath | null
}

/** Finds the entries of a page, and the path after which the next one begins; null at the end. */
function findEntries(store: ReadStore, folder: StorePath, { limit, after }: TreePage) {
  const found: Entry[] = []
  let examined = 0
  let last: StorePath | null = null
  for (const entry of store.walk(folder, after === null ? {} : { after })) {
    if (found.length === limit || examined === MAX_TREE_EXAMINED) return { found, next: last }
    examined++
    last = entry.path
    if (entry.type === 'file' || isEmpty(store, entry.path)) found.push(entry)
  }
  return { found, next: null }
}

const isEmpty = (store: ReadStore, folder: StorePath) =>
  store.list(folder, { limit: 1 }).length === 0

function describeEntry(entry: Entry, hashes: ReadonlyMap<number, string>) {
  const { path, type, version, mtime } = entry
  if (entry.type === 'folder') return { path, type, version, mtime }
  const { size, mime, executable, blob } = entry
  const hash = hashes.get(blob)
  return { path, type, version, mtime, size, mime, hash, ...(executable && { executable }) }
}
