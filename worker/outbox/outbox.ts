/**
 * The outbox of a workspace: takes what leaves it into a queue, and delivers it to the webhook of the operator and to the
 * object that notifies the person. Deliveries run beside other deferred work, which never waits for a receiver.
 *
 * Tests: `test/platform/outbox/`, `test/worker/outbox/` and `test/e2e/webhook.slow.test.ts`.
 *
 * @module
 */

import { tablesOf } from '../database/table-groups.ts'
import { succeeds } from './attempt.ts'
import { createLane, type Lane, type LaneParts } from './lane.ts'
import { platformFetch } from './post.ts'
import { queueNotice, queueState, type Notice, type NoticeRow } from './queue.ts'
import { sendMessage, type Message } from './webhook.ts'
import type { WebhookSettings } from './webhook-settings.ts'

/** The outbox of a workspace. */
export interface Outbox {
  /**
   * Queues a notice for the webhook. A waiting notice of the same type, draft and outcome is replaced. Does nothing without
   * a webhook, and never throws.
   */
  readonly notify: (notice: Notice) => void
  /**
   * Queues that the state of the workspace has changed, with whether something is news for the person. Does nothing without
   * a notifier, and never throws.
   */
  readonly tell: (isNews: boolean) => void
  /** Sends what is due. Never rejects; resolves when all attempts have ended, which nothing needs to wait for. */
  readonly deliver: (now: number) => Promise<void>
}

/** The services of an outbox. */
export interface OutboxParts {
  /** Null without a webhook. */
  readonly settings: WebhookSettings | null
  /** Tells the notifier the state of the workspace as it is now; null without one. */
  readonly tell?: ((isNews: boolean) => Promise<void>) | null
  /** Sets the alarm that calls `deliver`. */
  readonly wakeAt: (time: number) => void
  readonly send?: typeof fetch
}

/** Creates the outbox of a workspace, and sets the alarm if notices wait. */
export function createOutbox(database: SqlStorage, parts: OutboxParts): Outbox {
  const common = { sql: tablesOf(database, 'notices'), wakeAt: parts.wakeAt }
  const webhook = openWebhook(common, parts)
  const notifier = openNotifier(common, parts)
  return {
    notify: (notice) => webhook?.add((sql, now) => queueNotice(sql, notice, now)),
    tell: (isNews) => notifier?.add((sql, now) => queueState(sql, isNews, now)),
    deliver: async (now) => {
      await Promise.all([webhook?.deliver(now), notifier?.deliver(now)])
    },
  }
}

type Common = Pick<LaneParts, 'sql' | 'wakeAt'>

function openWebhook(
  common: Common,
  { settings, send = platformFetch }: Pick<OutboxParts, 'settings' | 'send'>,
): Lane | null {
  if (!settings) return null
  const attempt = (row: NoticeRow) => sendMessage(messageOf(row), settings, send)
  return createLane({ ...common, receiver: 'webhook', attempt })
}

function openNotifier(common: Common, { tell }: Pick<OutboxParts, 'tell'>): Lane | null {
  if (!tell) return null
  const attempt = async ({ type }: NoticeRow) =>
    (await succeeds(() => tell(type === 'news'))) ? 'delivered' : 'failed'
  return createLane({ ...common, receiver: 'notifier', attempt })
}

/** Builds the message from named fields, so that nothing else of a notice can be sent. */
function messageOf(row: NoticeRow): Message {
  const { id, type, workspace, draft, outcome, version, url, at } = row
  const data = {
    workspace,
    ...(draft !== null && { draft }),
    ...(outcome !== null && { outcome }),
    ...(version !== null && { version }),
    url,
  }
  return { id, body: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }) }
}
