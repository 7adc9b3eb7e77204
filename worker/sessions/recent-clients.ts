/**
 * The clients that called tools since the object woke, with the time of the last call of each: tells the owner whether a
 * client that was just set up has arrived. In memory, because the audit log has what has to last.
 * `test/worker/sessions/recent-clients.test.ts` has the cases.
 *
 * @module
 */

import { cutClient, type Caller } from '../access/caller.ts'
import { dropOldest } from '../drop-oldest.ts'
import { MAX_RECENT_CLIENTS, MAX_RECENT_CLIENTS_OF_ONE } from './limits.ts'

/** A client, and when it last called a tool. */
export interface RecentClient {
  /** What it calls itself, a claim; null if it does not say. */
  readonly client: string | null
  /** The id of its session; null without one. */
  readonly session: string | null
  /** The name of its link or sign-in; null without one. */
  readonly label: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}

interface Seen extends RecentClient {
  readonly budget: string
}

/** The recent clients of one workspace. */
export type RecentClients = ReturnType<typeof createRecentClients>

/** Creates an empty list. */
export function createRecentClients() {
  const seen = new Map<string, Seen>()

  /** Notes a call. */
  function note(caller: Caller): void {
    const { budget, session } = caller
    const client = nameOf(caller)
    const key = JSON.stringify([budget, session?.id ?? null, client])
    const isNew = !seen.delete(key)
    seen.set(key, {
      budget,
      client,
      session: session?.id ?? null,
      label: session?.label ?? null,
      at: Date.now(),
    })
    if (isNew) makeRoom(seen, budget)
  }

  /** Returns the clients, the last one to call first. */
  const list = (): RecentClient[] =>
    [...seen.values()]
      .toReversed()
      .map(({ client, session, label, at }) => ({ client, session, label, at }))

  return { note, list }
}

function nameOf({ claimedName, session }: Caller): string | null {
  const name = claimedName ?? session?.client ?? null
  return name === null ? null : cutClient(name)
}

/** A principal whose clients take many names loses its own oldest ones, and none of others. */
function makeRoom(seen: Map<string, Seen>, budget: string): void {
  const own = [...seen].filter(([, one]) => one.budget === budget)
  if (own.length > MAX_RECENT_CLIENTS_OF_ONE) seen.delete(own[0]?.[0] ?? '')
  dropOldest(seen, MAX_RECENT_CLIENTS)
}
