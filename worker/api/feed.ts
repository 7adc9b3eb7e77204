/**
 * `/changes`: the applied changes after a version, in order, with the states in which they left the files that the caller
 * may see. A program that replays it keeps a copy of these files in step.
 *
 * `test/worker/api/feed.test.ts` has the cases, and `test/worker/api/feed.laws.test.ts` replays it.
 *
 * @module
 */

import type { Decision } from '../access/draft.ts'
import type { FeedChange, FeedPage, FeedQuery } from '../access/feed-view.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { notAllowed, refuse } from '../errors/respond.ts'
import { isReading } from '../http.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { TouchedState } from '../store/store.ts'
import { toShown } from '../tools/lib/shown-change.ts'
import { readFeedQuery } from './feed-query.ts'
import type { Place, Waiting } from './waiting.ts'

/** Whose feed it is. */
export interface FeedCaller {
  readonly workspace: CallerWorkspace
  /** The principal whose share of the places to wait it uses. */
  readonly budget: string
  /** The key of the owner of its draft; null for the owner of the workspace. */
  readonly draft: string | null
  /** Whether its access is still that of its rules and its session. */
  readonly isCurrent: () => boolean
}

/** The services of the feed. */
export interface FeedParts {
  readonly waiting: Waiting
  readonly drafts: Pick<Drafts, 'decidedTimes'>
}

/** Serves the feed to a caller. `open` finds out who that is, or returns the response that refuses the request. */
export async function serveFeed(
  request: Request,
  open: () => MaybePromise<FeedCaller | Response>,
  parts: FeedParts,
): Promise<Response> {
  if (!isReading(request)) return notAllowed('GET, HEAD')
  const caller = await open()
  if (caller instanceof Response) return caller
  const query = readFeedQuery(request, caller.workspace)
  if (query instanceof Response) return query
  const { waitMs } = query
  if (waitMs === 0) return respond(caller, query, readNow(caller, query))
  const place = parts.waiting.enter(caller.budget)
  if (!place) return refuseWaiting()
  try {
    const page = await waitForNews({ request, caller, query, place, parts })
    if (page) return respond(caller, query, page)
  } finally {
    place.leave()
  }
  // The rules have changed, or the session is over.
  const again = await open()
  return again instanceof Response ? again : respond(again, query, readNow(again, query))
}

function refuseWaiting(): Response {
  const message =
    'Cannot wait: too many requests wait already. Try again when one has been answered.'
  return refuse(429, 'TOO_MANY_WAITING', message, { 'retry-after': '5' })
}

/** A page, and the newest version when it was read. */
interface Read extends FeedPage {
  readonly version: number
}

function readNow({ workspace }: Pick<FeedCaller, 'workspace'>, query: FeedQuery): Read {
  return { ...workspace.feed.page(query), version: workspace.version() }
}

/** A request that waits. */
interface WaitingRequest {
  readonly request: Request
  readonly caller: FeedCaller
  readonly query: FeedQuery & { readonly waitMs: number }
  readonly place: Place
  readonly parts: FeedParts
}

/** Reads the next page with something new, or an empty one when the time is over; null once the access is another. */
async function waitForNews(waiting: WaitingRequest): Promise<Read | null> {
  const { request, caller, query, place, parts } = waiting
  const until = Date.now() + query.waitMs
  const countDecisions = () => (caller.draft === null ? 0 : parts.drafts.decidedTimes(caller.draft))
  const decided = countDecisions()
  let { after } = query
  for (;;) {
    const read = readNow(caller, { ...query, after })
    const isNew = read.changes.length > 0 || read.next !== null || countDecisions() !== decided
    const left = until - Date.now()
    if (isNew || left <= 0 || request.signal.aborted) return read
    after = read.version
    await place.next(left, request.signal)
    if (!caller.isCurrent()) return null
  }
}

function respond({ workspace }: FeedCaller, { after }: FeedQuery, read: Read): Response {
  const { version, next, changes } = read
  const since = workspace.feed.timeAt(after)
  const decisions = workspace.draft.status().decisions.filter(({ at }) => at >= since)
  const body = {
    version,
    next: next ?? version,
    changes: changes.map(showChange),
    decided: decisions.map(showDecision),
  }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

/** Nothing that was applied waits. */
const APPLIED = { waits: () => false }

const showChange = ({ record, files, left }: FeedChange) => ({
  ...toShown(record, APPLIED),
  files: files.map(showState),
  left,
})

function showState({ path, entry, hash }: TouchedState) {
  if (entry === null) return { path, kind: 'gone' }
  if (entry.type === 'folder') return { path, kind: 'folder' }
  const { size, executable } = entry
  return { path, kind: 'file', size, hash, ...(executable && { executable }) }
}

const showDecision = ({ draft, outcome, at, note, paths }: Decision) => ({
  ...{ draft, outcome, at: new Date(at).toISOString(), note, paths },
})
