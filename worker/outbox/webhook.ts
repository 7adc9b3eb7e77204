/**
 * One attempt to deliver a notice to the webhook: a signed POST, as Standard Webhooks specifies it
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 *
 * `test/platform/outbox/outbox.test.ts` tests it.
 *
 * @module
 */

import { toBase64 } from '../encoding/base64.ts'
import { postOnce } from './post.ts'
import type { WebhookSettings } from './webhook-settings.ts'

/** A message to a receiver. */
export interface Message {
  /** The same for all attempts, so that a receiver can recognise a repetition. */
  readonly id: string
  readonly body: string
}

/** How an attempt ended: `gone` when the receiver asks for no further attempts. */
export type Delivery = 'delivered' | 'failed' | 'gone'

/** Sends a message once. Never rejects: an unreachable receiver is a failed attempt. */
export async function sendMessage(
  message: Message,
  { url, key }: WebhookSettings,
  send: typeof fetch,
): Promise<Delivery> {
  const { body } = message
  const answer = await postOnce(url, { headers: await signedHeaders(message, key), body }, send)
  if (answer?.status === 410) return 'gone'
  return answer?.isOk ? 'delivered' : 'failed'
}

/** The time is that of the attempt, because receivers refuse old messages. */
async function signedHeaders({ id, body }: Message, key: Uint8Array<ArrayBuffer>) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${await sign(`${id}.${timestamp}.${body}`, key)}`,
  }
}

async function sign(text: string, key: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))
  return toBase64(new Uint8Array(signature))
}
