/** How an attempt to reach a person ended. @module */

import type { Answer } from '../outbox/post.ts'
import type { Summary } from './summary.ts'

/** `gone`: the receiver asks for no further attempts. */
export interface Delivery {
  readonly outcome: 'delivered' | 'failed' | 'gone'
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null
  /** Seconds that the receiver asks to wait before the next attempt. */
  readonly retryAfter?: number
}

/** A channel that the operator has configured. */
export interface Channel {
  readonly name: 'chat' | 'email'
  /** Sends one notice. Never rejects: a receiver that is not reached is a failed attempt. */
  readonly send: (summary: Summary) => Promise<Delivery>
}

/** Returns how an attempt ended. 404 and 410: the subscription has ended, or the webhook of a chat was removed. */
export function deliveryOf(answer: Answer | null): Delivery {
  if (!answer) return { outcome: 'failed', status: null }
  const { isOk, ...facts } = answer
  if (isOk) return { outcome: 'delivered', ...facts }
  return { outcome: [404, 410].includes(facts.status) ? 'gone' : 'failed', ...facts }
}
