/**
 * Rounds of deliveries: news become one delivery for each device and channel, and each is attempted until it ends.
 *
 * A receiver has one attempt at a time, so that one that does not answer delays only what is for itself.
 * `test/worker/notifier/queue.test.ts` tests them.
 *
 * @module
 */

import type { QuietHours } from '#core/owner/answers/notifications.ts'
import type { Claimed, Deliveries } from './deliveries.ts'
import type { Channel, Delivery } from './delivery.ts'
import type { Devices } from './devices.ts'
import type { Identity } from './identity.ts'
import { MAX_DELIVERIES_AT_ONCE, MAX_DELIVERY_ATTEMPTS, MAX_RETRY_AFTER_SECONDS } from './limits.ts'
import { messageOf } from './message.ts'
import { contactAt, push } from './push.ts'
import { quietUntil } from './quiet-hours.ts'
import type { Summaries } from './summaries.ts'
import type { Summary } from './summary.ts'
import { readValue } from './tables.ts'

/** What the functions of a notifier work on. */
export interface NotifierContext {
  readonly sql: SqlStorage
  readonly channels: readonly Channel[]
  readonly send: typeof fetch
  readonly wakeAt: (time: number) => void
  readonly identity: Identity
  readonly devices: Devices
  readonly summaries: Summaries
  readonly deliveries: Deliveries
  /** The receivers to which an attempt is running. */
  readonly busy: Set<string>
}

/** Delay (ms) before the next round after one that failed. */
const FAILED_LATER_MS = 60_000

/** Reads the quiet hours; null for none. */
export function readQuietHours(sql: SqlStorage): QuietHours | null {
  const stored = readValue(sql, 'quiet')
  return stored === null ? null : JSON.parse(stored) // only `setQuietHours` writes it
}

/** Returns when the quiet hours of a time end; null outside of them. */
function findQuietEnd(sql: SqlStorage, now: number): number | null {
  const quiet = readQuietHours(sql)
  return quiet && quietUntil(now, quiet)
}

/** Sets the alarm for what is due next, but not within quiet hours. */
export function schedule({ sql, summaries, deliveries, wakeAt }: NotifierContext): void {
  const due = Math.min(summaries.nextDue() ?? Infinity, deliveries.nextDue() ?? Infinity)
  if (due === Infinity) return
  const time = Math.max(due, Date.now())
  wakeAt(findQuietEnd(sql, time) ?? time)
}

/** Sends what is due, and sets the alarm for what is due next. Never rejects. */
export async function deliverDue(context: NotifierContext, now: number): Promise<void> {
  try {
    if (findQuietEnd(context.sql, now) === null) await runRound(context, now)
    schedule(context)
  } catch (error) {
    console.error(error)
    context.wakeAt(Date.now() + FAILED_LATER_MS)
  }
}

async function runRound(context: NotifierContext, now: number): Promise<void> {
  const { summaries, deliveries, devices, channels } = context
  const receivers = [...devices.all().map(({ id }) => id), ...channels.map(({ name }) => name)]
  for (const news of summaries.claimDue(now))
    for (const receiver of receivers) deliveries.add(news, receiver, now)
  const runs = Array.from({ length: MAX_DELIVERIES_AT_ONCE }, () => attemptDue(context, now))
  // Attempts may run for longer than it takes until something else is due.
  schedule(context)
  await Promise.all(runs)
}

/** Makes one attempt after the other, until none is due. */
async function attemptDue(context: NotifierContext, now: number): Promise<void> {
  const { deliveries, busy } = context
  while (busy.size < MAX_DELIVERIES_AT_ONCE) {
    const claimed = deliveries.claim(Math.max(now, Date.now()), busy)
    if (!claimed) return
    busy.add(claimed.receiver)
    try {
      await attempt(context, claimed)
    } finally {
      busy.delete(claimed.receiver)
    }
  }
}

async function attempt(context: NotifierContext, claimed: Claimed): Promise<void> {
  const summary = context.summaries.find(claimed.workspace)
  const delivery = summary && (await send(context, claimed.receiver, summary))
  if (delivery) settle(context, claimed, delivery)
  else context.deliveries.finish(claimed, Date.now())
}

/** Sends a receiver what a workspace has reported last; null if there is no such receiver any more. */
async function send(
  context: NotifierContext,
  receiver: string,
  summary: Summary,
): Promise<Delivery | null> {
  const channel = context.channels.find(({ name }) => name === receiver)
  if (channel) return channel.send(summary)
  const device = context.devices.find(receiver)
  if (!device) return null
  const message = messageOf(summary, context.summaries.countElsewhere(null))
  return push(device, message, { ...context, contact: contactAt(readValue(context.sql, 'origin')) })
}

/** Keeps how an attempt has ended, and when the next one is made. */
function settle(context: NotifierContext, claimed: Claimed, delivery: Delivery): void {
  const { deliveries } = context
  const now = Date.now()
  settleDevice(context, claimed.receiver, delivery)
  const isRepeated = canRepeat(delivery) && claimed.attempts < MAX_DELIVERY_ATTEMPTS
  if (isRepeated) return deliveries.postpone(claimed, now + askedPause(delivery))
  if (delivery.outcome !== 'delivered') console.warn(`Notification dropped: ${delivery.outcome}`)
  deliveries.finish(claimed, now)
}

/** Keeps how an attempt to reach a device has ended. A device whose subscription has ended is removed. */
export function settleDevice(
  { devices, deliveries }: Pick<NotifierContext, 'devices' | 'deliveries'>,
  id: string,
  delivery: Delivery,
): void {
  if (delivery.outcome !== 'gone') return devices.noteDelivery(id, delivery, Date.now())
  devices.remove(id)
  deliveries.dropReceiver(id)
}

/** Statuses after which the same request may succeed: too slow, too early, too many. */
const LATER = new Set([408, 425, 429])

/** Whether another attempt can succeed: without an answer, or where the receiver could not take it just now. */
const canRepeat = ({ outcome, status }: Delivery) =>
  outcome === 'failed' && (status === null || status >= 500 || LATER.has(status))

/** The pause (ms) that the receiver asks for. */
const askedPause = ({ retryAfter = 0 }: Delivery) =>
  1000 * Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS)
