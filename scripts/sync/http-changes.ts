/**
 * What a workspace has and what has changed in it, over HTTP: `/files/…?recursive=true` and `/changes` (`docs/http.md`).
 * Tested by `test/e2e/sync.test.ts`.
 *
 * @module
 */

import { UserError } from '../errors.ts'
import { encodePath, parse, type Context, type Ends } from './http-context.ts'
import { MAX_PAGES, MAX_WAIT_SECONDS } from './limits.ts'
import type { RemoteFile } from './plan.ts'
import {
  wasReset,
  type Decided,
  type Feed,
  type FileChange,
  type Listing,
  type Refused,
  type Source,
} from './remote.ts'
import { readError, refusalOf } from './requests.ts'
import { feedPage, listingPage, readDecided, readEntries, readFeed } from './wire.ts'

/** Lists page by page. The version is that of the first page, so that what changes meanwhile is in the feed after it. */
export async function list(context: Context): Promise<Listing> {
  const files = new Map<string, RemoteFile>()
  const skipped: Refused[] = []
  let first: Pick<Listing, 'version' | 'source'> | null = null
  let after: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = `?recursive=true&limit=10000${after === null ? '' : `&after=${encodeURIComponent(after)}`}`
    const response = await context.send(`/files${encodePath(context.to)}${query}`)
    if (response.status === 404) return listNothing(context, response)
    const page = await parse(listingPage, response)
    const read = readEntries(page, context.to)
    for (const [name, file] of read.files) files.set(name, file)
    skipped.push(...read.skipped)
    first ??= { version: page.version, source: sourceOf(page) }
    if (first.source.access !== page.access) throw changedMeanwhile()
    if (!page.next || page.next === after) return { ...first, files, skipped }
    after = page.next
  }
  throw new UserError(`Cannot list the workspace: it has more than ${MAX_PAGES} pages`)
}

const sourceOf = ({ workspace, access }: Source): Source => ({ workspace, access })

const changedMeanwhile = () =>
  new UserError('Cannot list the workspace: what may be read of it has changed meanwhile')

/** The folder does not exist yet. */
async function listNothing(context: Context, response: Response): Promise<Listing> {
  if (context.to === '/') throw await refusalOf(response)
  await response.body?.cancel()
  const top = await parse(listingPage, await context.send('/files/?recursive=true&limit=1'))
  return { version: top.version, source: sourceOf(top), files: new Map(), skipped: [] }
}

/** Without a folder, a link gets what it may read of all of them. */
const inFolder = ({ to }: Ends) => (to === '/' ? '' : `&path=${encodeURIComponent(to)}`)

/** Reads the changes after a version; null where they are no longer known. */
export async function readChanges(context: Context, after: number): Promise<Feed | null> {
  const changes: FileChange[] = []
  const decided: Decided[] = []
  const skipped: Refused[] = []
  let from = after
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const response = await context.send(`/changes?after=${from}&limit=1000${inFolder(context)}`)
    if (response.status === 410) {
      await response.body?.cancel()
      return null
    }
    if (response.status === 400) throw await explain(response, after)
    const page = await parse(feedPage, response)
    const read = readFeed(page, context.to)
    if (read === null) return null
    changes.push(...read.changes)
    skipped.push(...read.skipped)
    decided.push(...readDecided(page, context.to))
    if (page.next >= page.version || page.next <= from)
      return { version: page.version, source: sourceOf(page), changes, decided, skipped }
    from = page.next
  }
  throw new UserError(`Cannot read the changes: they have more than ${MAX_PAGES} pages`)
}

async function explain(response: Response, after: number): Promise<UserError> {
  const { code, message } = await readError(response)
  if (code === 'INVALID_AFTER') return wasReset(after)
  return new UserError(`The server refused: ${message}`)
}

/** Waits for a change after a version, for some seconds. */
export async function wait(context: Context, after: number, signal: AbortSignal): Promise<void> {
  const query = `?after=${after}&limit=1&wait=${MAX_WAIT_SECONDS}${inFolder(context)}`
  const response = await context.send(`/changes${query}`, { signal })
  if (!response.ok && response.status !== 410) throw await refusalOf(response)
  await response.body?.cancel()
}
