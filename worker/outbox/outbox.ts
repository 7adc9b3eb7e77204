/**
 * The outbox of a workspace: takes notices for the owner into the queue, and delivers them.
 *
 * A notice is delivered at least once: its next attempt is in the table before it is sent, so neither an
 * eviction nor a crash loses it. A round of deliveries runs beside other deferred work, which never waits for
 * the receiver. Tests: `test/platform/outbox/` and `test/e2e/webhook.slow.test.ts`.
 *
 * @module
 */

import { tablesOf } from '../database/table-groups.ts'
import { MAX_NOTICE_ATTEMPT_MS, MAX_NOTICE_ATTEMPTS } from './limits.ts'
import { claimDue, dropNotice, nextDue, queueNotice, type Notice, type NoticeRow } from './queue.ts'
import { platformFetch } from './post.ts'
import { sendMessage, type Message } from './webhook.ts'
import type { WebhookSettings } from './webhook-settings.ts'

/** The outbox of a workspace. */
export interface Outbox {
  /**
   * Queues a notice. A waiting notice of the same type and draft is replaced. Does nothing without a webhook,
   * and never throws.
   */
  readonly notify: (notice: Notice) => void
  /**
   * Sends the notices that are due, unless a round is running. Never rejects; resolves when all attempts have
   * ended, which nothing needs to wait for.
   */
  readonly deliver: (now: number) => Promise<void>
}

/** The services of an outbox. */
export interface OutboxParts {
  /** Null without a webhook. */
  readonly settings: WebhookSettings | null
  /** Sets the alarm that calls `deliver`. */
  readonly wakeAt: (time: number) => void
  readonly send?: typeof fetch
}

/** Duration of a round, with a margin: until then the alarm need not call again. */
const ROUND_MS = MAX_NOTICE_ATTEMPT_MS + 5_000

/** Creates the outbox of a workspace, and sets the alarm if notices wait. */
export function createOutbox(database: SqlStorage, parts: OutboxParts): Outbox {
  const sql = tablesOf(database, 'notices')
  const { settings, wakeAt, send = platformFetch } = parts
  if (!settings) return { notify: () => {}, deliver: () => Promise.resolve() }
  let isSending = false

  /** Sets the alarm for the next attempt, but not before `earliest`. */
  const schedule = (earliest: number): void => {
    const due = nextDue(sql)
    if (due !== null) wakeAt(Math.max(due, earliest))
  }

  const attempt = async (row: NoticeRow): Promise<void> => {
    const delivery = await sendMessage(messageOf(row), settings, send)
    const isLast = row.attempts >= MAX_NOTICE_ATTEMPTS
    if (delivery === 'failed') console.warn('Webhook attempt failed')
    if (delivery === 'failed' && !isLast) return
    dropNotice(sql, row.id)
    if (delivery !== 'delivered') console.warn(`Webhook notice dropped: ${delivery}`)
  }

  const sendAll = async (rows: readonly NoticeRow[]): Promise<void> => {
    isSending = true
    try {
      await Promise.all(rows.map(attempt))
    } finally {
      isSending = false
    }
    schedule(0)
  }

  const deliver = async (now: number): Promise<void> => {
    try {
      const rows = isSending ? [] : claimDue(sql, now)
      const isRunning = isSending || rows.length > 0
      // The end of a round sets the alarm, unless the object ends first.
      schedule(isRunning ? now + ROUND_MS : 0)
      if (rows.length > 0) await sendAll(rows)
    } catch (error) {
      console.error(error)
    }
  }

  const notify = (notice: Notice): void => {
    // A full disk must not fail the call that the notice is about.
    try {
      queueNotice(sql, notice, Date.now())
      schedule(0)
    } catch (error) {
      console.error(error)
    }
  }

  schedule(0)
  return { notify, deliver }
}

/** Builds the message from named fields, so that nothing else of a notice can be sent. */
function messageOf({ id, type, workspace, draft, url, at }: NoticeRow): Message {
  const data = { workspace, ...(draft !== null && { draft }), url }
  return { id, body: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) }
}
