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
import { ConnectionError, makeProblem, problemOf } from './errors.ts'
import { hasCapabilityOption } from './server-info.ts'
import type { NotificationStream, Session } from './session.ts'

/** Resources with a subscription at the same time. */
const MAX_SUBSCRIPTIONS = 200
/** Delay before a stream that ended is opened again. */
const REOPEN_MS = 1_000

/** The subscriptions of a connection, kept across its sessions. */
export class Subscriptions {
  /** The number of subscriptions by URI. */
  readonly #counts = new Map<string, number>()
  readonly #onBroken: (session: Session, error: unknown) => void
  #isPaused: boolean
  #stream: NotificationStream | null = null
  #turn: Promise<void> = Promise.resolve()

  /**
   * @param isPaused Whether it starts without a stream; see {@link pause}.
   * @param onBroken Called if the stream of a session ended and cannot be reopened.
   */
  constructor(isPaused: boolean, onBroken: (session: Session, error: unknown) => void) {
    this.#isPaused = isPaused
    this.#onBroken = onBroken
  }

  /** Restores all subscriptions in a session that was just opened. */
  async start(session: Session): Promise<void> {
    if (session.era === 'modern')
      return this.#listen(session).catch((error: unknown) => this.#listenAgain(session, error))
    for (const uri of this.#counts.keys()) await session.request('resources/subscribe', { uri })
  }

  /**
   * Subscribes to a resource; several subscriptions to one resource are counted.
   *
   * @throws {ConnectionError} If there are too many. Errors of the session are passed on.
   */
  async add(session: Session, uri: string): Promise<void> {
    const count = this.#counts.get(uri) ?? 0
    if (count === 0 && this.#counts.size >= MAX_SUBSCRIPTIONS) throw new ConnectionError(TOO_MANY)
    this.#counts.set(uri, count + 1)
    if (count > 0) return
    await this.#update(session, 'resources/subscribe', uri).catch((error: unknown) => {
      this.#counts.delete(uri)
      throw error
    })
  }

  /** Ends one subscription to a resource. */
  async remove(session: Session, uri: string): Promise<void> {
    const count = this.#counts.get(uri) ?? 0
    if (count > 1) this.#counts.set(uri, count - 1)
    if (count !== 1) return
    this.#counts.delete(uri)
    await this.#update(session, 'resources/unsubscribe', uri)
  }

  /** Closes the stream of the modern era until {@link resume}; the legacy one belongs to the SDK and stays. */
  async pause(session: Session): Promise<void> {
    this.#isPaused = true
    if (session.era === 'modern') await this.#listen(session)
  }

  /** Ends a pause; {@link start} then opens the stream. Returns whether there was one. */
  resume(): boolean {
    const wasPaused = this.#isPaused
    this.#isPaused = false
    return wasPaused
  }

  /** Closes the notification stream and keeps the subscriptions. */
  stop(): void {
    const last = this.#stream
    this.#stream = null
    void last?.close().catch(() => {})
  }

  async #update(session: Session, method: string, uri: string): Promise<void> {
    if (session.era === 'modern') await this.#listen(session)
    else await session.request(method, { uri })
  }

  /** Replaces the stream, after a replacement that is in progress. */
  #listen(session: Session): Promise<void> {
    const done = this.#turn.then(() => this.#replaceStream(session))
    this.#turn = done.catch(() => {})
    return done
  }

  /** Opens a stream once more that ended before the server acknowledged it: the way to the server may have broken. */
  async #listenAgain(session: Session, error: unknown): Promise<void> {
    if (problemOf(error).kind !== 'unknown') throw error
    await new Promise((done) => setTimeout(done, REOPEN_MS))
    await this.#listen(session)
  }

  /** Opens a stream for all current subscriptions; the previous one closes once the new one is open. */
  async #replaceStream(session: Session): Promise<void> {
    const before = this.#stream
    const filter = this.#isPaused ? null : filterFor(session.definition, [...this.#counts.keys()])
    const next = filter && (await session.listen(filter))
    this.#stream = next
    await before?.close()
    if (next) void next.closed.then((reason) => this.#onEnd(session, next, reason))
  }

  async #onEnd(session: Session, stream: NotificationStream, reason: string): Promise<void> {
    if (reason === 'local' || this.#stream !== stream) return
    await new Promise((done) => setTimeout(done, REOPEN_MS))
    if (this.#stream !== stream) return
    await this.#listen(session).catch((error: unknown) => this.#onBroken(session, error))
  }
}

const TOO_MANY = makeProblem(
  'protocol',
  `Cannot subscribe to more than ${MAX_SUBSCRIPTIONS} resources.`,
)

/** Builds the filter from what the server offers; null if there is nothing to listen to. */
function filterFor(definition: JsonRecord, uris: string[]): SubscriptionFilter | null {
  const changing = (feature: string) => hasCapabilityOption(definition, feature, 'listChanged')
  const filter: SubscriptionFilter = {
    ...(changing('tools') && { toolsListChanged: true }),
    ...(changing('prompts') && { promptsListChanged: true }),
    ...(changing('resources') && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  }
  return Object.keys(filter).length === 0 ? null : filter
}
