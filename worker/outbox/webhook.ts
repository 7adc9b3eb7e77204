/**
 * One attempt to deliver a notice: a signed POST, as Standard Webhooks specifies it
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 *
 * The address is a variable of the operator and therefore trusted, also where it is not a public name. The
 * receiver is not: its redirects are not followed, so it cannot make this server send requests to other
 * addresses, and its body is not read.
 *
 * @module
 */

import { toBase64 } from '../encoding/base64.ts'
import { MAX_NOTICE_ATTEMPT_MS } from './limits.ts'
import type { WebhookSettings } from './webhook-settings.ts'

/** The platform's `fetch`, kept before sign-in replaces it by one that refuses this machine (`auth/outbound.ts`). */
export const platformFetch: typeof fetch = globalThis.fetch

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
  try {
    const response = await send(url, {
      method: 'POST',
      headers: await signedHeaders(message, key),
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(MAX_NOTICE_ATTEMPT_MS),
    })
    await response.body?.cancel()
    if (response.status === 410) return 'gone'
    return response.ok ? 'delivered' : 'failed'
  } catch {
    return 'failed'
  }
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
