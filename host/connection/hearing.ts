/**
 * Subscriptions to resources, and list-changed notifications, in both eras.
 *
 * In the modern era they all share one stream, which is reopened on each change of the
 * subscriptions, because browsers allow few connections to one host. In the legacy era the client
 * subscribes to each resource by a request, and the SDK holds the stream.
 *
 * @module
 */

import type { SubscriptionFilter } from '@modelcontextprotocol/client'
import type { JsonRecord } from '#core/json.ts'
import { offersTo } from './definition.ts'
import type { Line, Listening } from './line.ts'
import { ConnectionError, makeProblem } from './problem.ts'

/** Resources with a subscription at the same time. */
const MAX_WATCHED = 200
const RELISTEN_MS = 1_000

/** The subscriptions of a connection, kept across its sessions. */
export interface Hearing {
  /** Starts on a session that was just opened, with all subscriptions so far. */
  begin(line: Line): Promise<void>
  /** Subscribes to a resource; several subscriptions to one resource are counted. */
  watch(line: Line, uri: string): Promise<void>
  /** Ends one subscription to a resource. */
  unwatch(line: Line, uri: string): Promise<void>
  /** Closes the notification stream and keeps the subscriptions. */
  stop(): void
}

/**
 * Creates the subscriptions of a connection.
 *
 * @param broke Called if the stream of a session ended and cannot be reopened.
 */
export function createHearing(broke: (line: Line, error: unknown) => void): Hearing {
  const watched = new Map<string, number>()
  let listening: Listening | null = null
  let turn: Promise<void> = Promise.resolve()

  /** Runs one change of the stream at a time. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  async function begin(line: Line): Promise<void> {
    if (line.era === 'modern') return inTurn(() => listen(line))
    for (const uri of watched.keys()) await line.request('resources/subscribe', { uri })
  }

  async function watch(line: Line, uri: string): Promise<void> {
    const count = watched.get(uri) ?? 0
    if (count === 0 && watched.size >= MAX_WATCHED) throw new ConnectionError(TOO_MANY)
    watched.set(uri, count + 1)
    if (count > 0) return
    const asked =
      line.era === 'modern'
        ? inTurn(() => listen(line))
        : line.request('resources/subscribe', { uri })
    await asked.catch((error: unknown) => {
      watched.delete(uri)
      throw error
    })
  }

  async function unwatch(line: Line, uri: string): Promise<void> {
    const count = watched.get(uri) ?? 0
    if (count > 1) watched.set(uri, count - 1)
    if (count !== 1) return
    watched.delete(uri)
    if (line.era === 'modern') await inTurn(() => listen(line))
    else await line.request('resources/unsubscribe', { uri })
  }

  /** Opens a stream for all current subscriptions; the previous one closes once the new one is open. */
  async function listen(line: Line): Promise<void> {
    const before = listening
    const filter = filterFor(line.definition, [...watched.keys()])
    const next = filter && (await line.listen(filter))
    listening = next
    await before?.close()
    if (next) void next.closed.then((how) => ended(line, next, how))
  }

  async function ended(line: Line, which: Listening, how: string): Promise<void> {
    if (how === 'local' || listening !== which) return
    await new Promise((done) => setTimeout(done, RELISTEN_MS))
    if (listening !== which) return
    await inTurn(() => listen(line)).catch((error: unknown) => broke(line, error))
  }

  function stop(): void {
    const last = listening
    listening = null
    void last?.close().catch(() => {})
  }
  return { begin, watch, unwatch, stop }
}

const TOO_MANY = makeProblem('protocol', `No more than ${MAX_WATCHED} resources can be watched.`)

/** Builds the filter from what the server offers; null if there is nothing to listen to. */
function filterFor(definition: JsonRecord, uris: string[]): SubscriptionFilter | null {
  const changing = (feature: string) => offersTo(definition, feature, 'listChanged')
  const filter: SubscriptionFilter = {
    ...(changing('tools') && { toolsListChanged: true }),
    ...(changing('prompts') && { promptsListChanged: true }),
    ...(changing('resources') && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  }
  return Object.keys(filter).length === 0 ? null : filter
}
