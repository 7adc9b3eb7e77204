/**
 * `/changes` as a stream of Server-Sent Events (WHATWG HTML, 9.2): an event `change` for each change, with its version as the
 * id, and an event `decided` for each decision on a draft of the caller.
 *
 * A stream ends after a time, and that of a link when its access is another one. `EventSource` then connects again with the
 * last id, and is served by the access that it has by then. `test/worker/api/feed-stream.test.ts` has the cases.
 *
 * @module
 */

import type { FeedQuery } from '../access/feed-view.ts'
import { decisionsSince, readNow, showChange, showDecision, type FeedCaller } from './feed-page.ts'
import { FEED_KEEP_ALIVE_MS, MAX_FEED_STREAM_MS } from './limits.ts'
import type { Place } from './waiting.ts'

/** A request for a stream. */
export interface StreamRequest {
  readonly caller: FeedCaller
  readonly query: FeedQuery
  /** The place of its principal, which the stream gives back when it ends. */
  readonly place: Place
  readonly signal: AbortSignal
}

/** Serves the feed from a version on. */
export function streamFeed(request: StreamRequest): Response {
  const gone = new AbortController()
  const signal = AbortSignal.any([request.signal, gone.signal])
  const events = eventsOf({ ...request, signal })
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      gone.abort()
      // A generator that was never asked for anything has nothing to end.
      request.place.leave()
      await events.return()
    },
  })
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
  return new Response(body, { headers })
}

/** Yields what is sent, in parts, until the stream ends. */
async function* eventsOf(request: StreamRequest): AsyncGenerator<string, void, void> {
  const { caller, query, place, signal } = request
  const until = Date.now() + MAX_FEED_STREAM_MS
  const decided = createDecided(caller, caller.workspace.feed.timeAt(query.after))
  let { after } = query
  let quietUntil = 0
  try {
    yield RETRY
    while (caller.isCurrent() && !signal.aborted && Date.now() < until) {
      const { changes, next, version } = readNow(caller, { ...query, after })
      after = next ?? version
      const events = [...changes.map(writeChange), ...decided.take().map(writeDecision)]
      // When something is sent tells nothing of changes that the caller does not see.
      if (events.length > 0 || next !== null || Date.now() >= quietUntil) {
        // Without data, an event moves the last id of the client on, and nothing else.
        yield [...events, `id: ${after}\n\n`].join('')
        quietUntil = Date.now() + FEED_KEEP_ALIVE_MS
      }
      if (next === null) await place.next(Math.min(quietUntil, until) - Date.now(), signal)
    }
  } finally {
    place.leave()
  }
}

/** Milliseconds after which a client connects again. */
const RETRY = 'retry: 1000\n\n'

const writeChange = (change: Parameters<typeof showChange>[0]) =>
  `event: change\nid: ${change.record.version}\ndata: ${JSON.stringify(showChange(change))}\n\n`

const writeDecision = (decision: Parameters<typeof showDecision>[0]) =>
  `event: decided\ndata: ${JSON.stringify(showDecision(decision))}\n\n`

/** The decisions since a time, each of which is taken once. */
function createDecided(caller: FeedCaller, since: number) {
  const taken = new Set<string>()
  return {
    take: () => {
      const all = decisionsSince(caller, since).map((one) => [JSON.stringify(one), one] as const)
      const fresh = all.filter(([key]) => !taken.has(key))
      taken.clear()
      for (const [key] of all) taken.add(key)
      return fresh.map(([, one]) => one)
    },
  }
}
