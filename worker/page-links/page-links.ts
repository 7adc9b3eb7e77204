/**
 * The page links of one workspace: who holds one sees a file or a folder as a page, until the link ends.
 *
 * Only the owner makes them. A link is pinned unless it is live: it keeps the content that it was made of (`store/write/pins.ts`),
 * so neither a later change nor history that was dropped alters its page. It ends at its time or when the owner ends it, and
 * the content goes with it. Its row is looked at for each request, so an end needs no message.
 * `test/worker/page-links/page-links.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { StorePath } from '#core/path.ts'
import { createPageFilter, type PageScope } from '../access/page-scope.ts'
import type { OwnerConfig } from '../access/owner-config.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { transaction } from '../database/table-groups.ts'
import { hashSecret, newSecret } from '../sessions/links.ts'
import type { Entry, FileEntry, Pins } from '../store/store.ts'
import { createBucket, refillBucket, type Bucket, type Rate } from '../token-bucket.ts'
import {
  MAX_PAGE_LINK_SECONDS,
  MAX_PAGE_LINKS,
  MAX_PINNED_FILES,
  PAGE_REQUESTS_AT_ONCE,
  PAGE_REQUESTS_PER_SECOND,
} from './limits.ts'
import { createOpenings } from './openings.ts'
import { createPageLinkTable, type PageLink, type PageLinkTable } from './table.ts'

/** The services of page links. */
export interface PageLinksParts {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>
  readonly pins: Pins
  readonly config: Pick<OwnerConfig, 'current'>
  /** Has the alarm call `expire` at a time. */
  readonly wakeAt: (time: number) => void
}

/** What a link is to be. */
export interface PageLinkRequest {
  readonly path: StorePath
  readonly isLive: boolean
  readonly seconds: number
  /** The version of the file that the owner has seen; refused if it is at another one. */
  readonly version?: number | undefined
}

/** Why no link was made. */
export type PageLinkRefusal =
  | { readonly reason: 'not_found' }
  | { readonly reason: 'changed'; readonly version: number }
  | { readonly reason: 'full'; readonly limit: number }
  /** A folder has more files than a link keeps. */
  | { readonly reason: 'too_many_files'; readonly limit: number }

/** A link with its secret, which is known now and never again. */
export interface MadePageLink {
  readonly link: PageLink
  readonly secret: string
  /** The number of files that it shows now, and of those that it hides. */
  readonly files: number
  readonly hidden: number
}

/** The page links of one workspace. */
export type PageLinks = ReturnType<typeof createPageLinks>

interface Context extends PageLinksParts {
  readonly table: PageLinkTable
  /** What each link may still answer. */
  readonly buckets: Map<string, Bucket>
}

/** Opens the page links of a workspace. */
export function createPageLinks(parts: PageLinksParts) {
  const table = createPageLinkTable(parts.storage.sql)
  const context: Context = { ...parts, table, buckets: new Map() }
  const openings = createOpenings(table, parts.wakeAt)
  return {
    make: (request: PageLinkRequest, workspace: CallerWorkspace) =>
      make(context, request, workspace),
    /** Finds the link of a secret; null if there is none, or it has ended. */
    find: async (secret: string): Promise<PageLink | null> => {
      const link = table.findBySecret(await hashSecret(secret))
      return link && link.expires > Date.now() ? link : null
    },
    /** Lists all that have not ended, the newest first. */
    list: (): PageLink[] => {
      openings.write(Infinity)
      const now = Date.now()
      return table.all().filter(({ expires }) => expires > now)
    },
    /** Ends a link; null if there is none. */
    end: (id: string): PageLink | null => end(context, id),
    countOpening: openings.count,
    /** Counts a request with a link. Returns the seconds that it has to wait, or 0. */
    wait: (id: string): number => wait(context, id),
    /** Drops what is over at a time. Returns when the next one will be, or null. */
    expire: (now: number): number | null => {
      const counted = openings.write(now)
      for (const { id, expires } of table.all()) if (expires <= now) end(context, id)
      const times = [...table.all().map(({ expires }) => expires), ...(counted ? [counted] : [])]
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

const REQUESTS: Rate = { burst: PAGE_REQUESTS_AT_ONCE, seconds: 1 / PAGE_REQUESTS_PER_SECOND }

/** There are never more buckets than links, because one that ends takes its bucket along. */
function wait({ buckets }: Context, id: string): number {
  const now = Date.now()
  const bucket = buckets.get(id) ?? createBucket(REQUESTS, now)
  buckets.set(id, bucket)
  const seconds = refillBucket(bucket, REQUESTS, now)
  if (seconds === 0) bucket.left--
  return seconds
}

function end({ storage, table, pins, buckets }: Context, id: string): PageLink | null {
  buckets.delete(id)
  return transaction(storage, () => {
    const link = table.remove(id)
    if (link && !link.isLive) pins.drop(id)
    return link
  })
}

async function make(
  context: Context,
  request: PageLinkRequest,
  workspace: CallerWorkspace,
): Promise<Result<MadePageLink, PageLinkRefusal>> {
  const secret = newSecret()
  const hash = await hashSecret(secret)
  // Nothing is awaited from here on, so what is checked is what is kept.
  const entry = workspace.store.stat(request.path)
  const refusal = refusalOf(context, request, entry)
  if (refusal) return err(refusal)
  if (!entry) return err({ reason: 'not_found' })
  const shown = findShown(context, entry, workspace)
  if (!request.isLive && shown.files.length > MAX_PINNED_FILES)
    return err({ reason: 'too_many_files', limit: MAX_PINNED_FILES })
  const version = entry.type === 'file' ? entry.version : workspace.version()
  const link = write(context, { request, kind: entry.type, version, files: shown.files }, hash)
  return ok({ link, secret, files: shown.files.length, hidden: shown.hidden })
}

function refusalOf(
  { table }: Context,
  { version }: PageLinkRequest,
  entry: Entry | null,
): PageLinkRefusal | null {
  if (!entry) return { reason: 'not_found' }
  if (version !== undefined && entry.type === 'file' && entry.version !== version)
    return { reason: 'changed', version: entry.version }
  const now = Date.now()
  const isFull = table.all().filter(({ expires }) => expires > now).length >= MAX_PAGE_LINKS
  return isFull ? { reason: 'full', limit: MAX_PAGE_LINKS } : null
}

/** Maximum number of entries that are looked at, to count those that are hidden. */
const MAX_WALKED = 10 * MAX_PINNED_FILES

/** Finds the files that a link shows. One more than a link keeps is enough to refuse it. */
function findShown({ config }: Context, entry: Entry, { store }: CallerWorkspace) {
  if (entry.type === 'file') return { files: [entry], hidden: 0 }
  const scope: PageScope = { path: entry.path, kind: 'folder' }
  const isShown = createPageFilter(scope, config.current)
  const files: FileEntry[] = []
  let hidden = 0
  let walked = 0
  for (const one of store.walk(entry.path)) {
    if (++walked > MAX_WALKED || files.length > MAX_PINNED_FILES) break
    if (one.type === 'folder') continue
    if (isShown(one.path)) files.push(one)
    else hidden++
  }
  return { files, hidden }
}

interface Wanted {
  readonly request: PageLinkRequest
  readonly kind: PageScope['kind']
  readonly version: number
  readonly files: readonly FileEntry[]
}

function write(
  { storage, table, pins, wakeAt }: Context,
  { request, kind, version, files }: Wanted,
  hash: Uint8Array,
): PageLink {
  const { path, isLive, seconds } = request
  const created = Date.now()
  const link: PageLink = {
    ...{ id: crypto.randomUUID(), path, kind, isLive, version, created },
    expires: created + Math.min(seconds, MAX_PAGE_LINK_SECONDS) * 1000,
    opened: 0,
    lastOpened: null,
  }
  transaction(storage, () => {
    table.add(hash, link)
    if (!isLive) pins.add(link.id, files)
  })
  wakeAt(link.expires)
  return link
}
