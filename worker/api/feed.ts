/**
 * `/changes`: the applied changes after a version, in order, with the states in which they left the files that the caller
 * may see. A program that replays it keeps a copy of these files in step. It is a page of JSON, which can wait for the next
 * change, or a stream of events.
 *
 * `test/worker/api/feed.test.ts` has the cases, and `test/worker/api/feed.laws.test.ts` replays it.
 *
 * @module
 */

import type { FeedQuery } from '../access/feed-view.ts'
import type { Drafts } from '../drafts/drafts.ts'
import { notAllowed, refuse } from '../errors/respond.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { isReading, namesStream } from '../http.ts'
import {
  decisionsSince,
  readNow,
  showChange,
  showDecision,
  type FeedCaller,
  type ReadPage,
} from './feed-page.ts'
import { readFeedQuery } from './feed-query.ts'
import { streamFeed } from './feed-stream.ts'
import type { Place, Waiting } from './waiting.ts'

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
  const isStream = request.method === 'GET' && namesStream(request)
  if (query.waitMs === 0 && !isStream) return respond(caller, query, readNow(caller, query))
  const place = parts.waiting.enter(caller.budget)
  if (!place) return refuseWaiting()
  if (isStream) return streamFeed({ caller, query, place, signal: request.signal })
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

/** A request that waits. */
interface WaitingRequest {
  readonly request: Request
  readonly caller: FeedCaller
  readonly query: FeedQuery & { readonly waitMs: number }
  readonly place: Place
  readonly parts: FeedParts
}

/** Reads the next page with something new, or an empty one when the time is over; null once the access is another. */
async function waitForNews(waiting: WaitingRequest): Promise<ReadPage | null> {
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

function respond(caller: FeedCaller, { after }: FeedQuery, read: ReadPage): Response {
  const { version, next, changes } = read
  const decisions = decisionsSince(caller, caller.workspace.feed.timeAt(after))
  const body = {
    version,
    next: next ?? version,
    changes: changes.map(showChange),
    decided: decisions.map(showDecision),
    ...caller.workspace.feed.source(),
  }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}
