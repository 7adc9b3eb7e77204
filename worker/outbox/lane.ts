/**
 * The lane of one receiver: delivers its notices in rounds, a few at a time. Each receiver has its own, so that one that is
 * slow or gone does not hold up the other.
 *
 * A notice is delivered at least once: its next attempt is in the table before it is sent, so neither an eviction nor a crash
 * loses it. `test/platform/outbox/outbox.test.ts` and `test/worker/outbox/notifier.test.ts` test it.
 *
 * @module
 */

import type { Tables } from '../database/table-groups.ts'
import { MAX_NOTICE_ATTEMPT_MS, MAX_NOTICE_ATTEMPTS } from './limits.ts'
import { claimDue, dropNotice, nextDue, type NoticeRow, type Receiver } from './queue.ts'
import type { Delivery } from './webhook.ts'

/** The deliveries to one receiver. */
export interface Lane {
  /** Queues with `write`, and sets the alarm. Never throws: a full disk must not fail the call that it is about. */
  readonly add: (write: (sql: Tables, now: number) => void) => void
  /**
   * Sends the notices that are due, unless a round is running. Never rejects; resolves when all attempts have
   * ended, which nothing needs to wait for.
   */
  readonly deliver: (now: number) => Promise<void>
}

/** What a lane uses. */
export interface LaneParts {
  readonly sql: Tables
  readonly receiver: Receiver
  /** Sets the alarm that calls `deliver`. */
  readonly wakeAt: (time: number) => void
  /** Makes one attempt, which ends within {@link MAX_NOTICE_ATTEMPT_MS}. */
  readonly attempt: (row: NoticeRow) => Promise<Delivery>
}

/** Duration of a round, with a margin: until then the alarm need not call again. */
const ROUND_MS = MAX_NOTICE_ATTEMPT_MS + 5_000

/** The names of receivers in the log. */
const NAMES = { webhook: 'Webhook', notifier: 'Notifier' } as const

/** Opens a lane, and sets the alarm if notices wait. */
export function createLane(parts: LaneParts): Lane {
  const { sql, receiver, wakeAt } = parts
  let isSending = false

  /** Sets the alarm for the next attempt, but not before `earliest`. */
  const schedule = (earliest: number): void => {
    const due = nextDue(sql, receiver)
    if (due !== null) wakeAt(Math.max(due, earliest))
  }

  const sendAll = async (rows: readonly NoticeRow[]): Promise<void> => {
    isSending = true
    try {
      await Promise.all(rows.map((row) => settle(parts, row)))
    } finally {
      isSending = false
    }
    schedule(0)
  }

  const deliver = async (now: number): Promise<void> => {
    try {
      const rows = isSending ? [] : takeDue(sql, receiver, now)
      const isRunning = isSending || rows.length > 0
      // The end of a round sets the alarm, unless the object ends first.
      schedule(isRunning ? now + ROUND_MS : 0)
      if (rows.length > 0) await sendAll(rows)
    } catch (error) {
      console.error(error)
    }
  }

  const add: Lane['add'] = (write) => {
    try {
      write(sql, Date.now())
      schedule(0)
    } catch (error) {
      console.error(error)
    }
  }

  schedule(0)
  return { add, deliver }
}

function takeDue(sql: Tables, receiver: Receiver, now: number): NoticeRow[] {
  const { rows, dropped } = claimDue(sql, receiver, now)
  if (dropped > 0) console.warn(`${NAMES[receiver]} notice dropped: failed`)
  return rows
}

/** Makes an attempt, and drops the notice unless there is another one. */
async function settle({ sql, receiver, attempt }: LaneParts, row: NoticeRow): Promise<void> {
  const delivery = await attempt(row)
  const isLast = row.attempts >= MAX_NOTICE_ATTEMPTS
  if (delivery === 'failed') console.warn(`${NAMES[receiver]} attempt failed`)
  if (delivery === 'failed' && !isLast) return
  dropNotice(sql, row.id)
  if (delivery !== 'delivered') console.warn(`${NAMES[receiver]} notice dropped: ${delivery}`)
}
