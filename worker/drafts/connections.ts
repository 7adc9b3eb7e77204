/**
 * Which connections have ended, of those that have a draft: the session is over, or it has no stream and made no request
 * for a while.
 *
 * Requests are noted in memory. An eviction forgets them, so the row of the session says it to the minute; only a
 * connection with a draft writes it, at most once in that time. `test/worker/drafts/take-over.test.ts` has the cases.
 *
 * @module
 */

import type { Sessions } from '../sessions/sessions.ts'
import type { Draft, DraftOwner } from '../access/draft.ts'
import { ownerOfConnection } from '../access/draft-owner.ts'
import { MAX_SILENT_SECONDS, MAX_WORKSPACE_DRAFTS } from './limits.ts'

/** What is known of connections elsewhere. */
export interface ConnectionsParts {
  readonly sessions: Pick<Sessions, 'lastSeen' | 'see' | 'list'>
  /** Whether a session has an open stream. */
  readonly hasStream: (session: string) => boolean
}

/** The connections of one workspace. */
export type Connections = ReturnType<typeof createConnections>

/** Milliseconds after which the row of a session says again when it was heard. */
const RECORD_MS = 60_000

/** Creates what is known of the connections of a workspace. */
export function createConnections({ sessions, hasStream }: ConnectionsParts) {
  /** When each was heard last (ms), by the key of its draft. */
  const heard = new Map<string, number>()
  /** When the row of each was written last. */
  const recorded = new Map<string, number>()
  return {
    /** Notes a request of the connection that has a draft. */
    hear(draft: Draft): void {
      const { key } = draft.owner
      const now = Date.now()
      if (heard.size > MAX_WORKSPACE_DRAFTS) [heard, recorded].forEach((times) => times.clear())
      heard.set(key, now)
      if (now - Math.max(recorded.get(key) ?? 0, draft.touched) < RECORD_MS) return
      recorded.set(key, now)
      sessions.see(key)
    },
    /** Lists the connections without a grant or link whose session is alive, the newest first. */
    listFree: (): DraftOwner[] =>
      sessions
        .list()
        .sessions.filter(
          ({ id, kind, parent }) =>
            kind === 'client' && parent === null && sessions.lastSeen(id) !== null,
        )
        .toSorted((a, b) => b.created - a.created)
        .map(ownerOfConnection),
    /** Whether the session that has a draft is over. */
    isOver: ({ owner: { key } }: Draft): boolean => sessions.lastSeen(key) === null,
    /** Whether it has no stream and was not heard for a while. */
    isSilent({ owner: { key }, touched }: Draft): boolean {
      if (hasStream(key)) return false
      const last = heard.get(key) ?? Math.max(sessions.lastSeen(key) ?? 0, touched) + RECORD_MS
      return Date.now() - last >= MAX_SILENT_SECONDS * 1000
    },
  }
}
