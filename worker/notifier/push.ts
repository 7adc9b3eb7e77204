/**
 * One attempt to reach a device: a message for its push service (RFC 8030), which only the device can read (RFC 8291) and
 * which says whose it is (RFC 8292).
 *
 * Every message is padded to one length. The push service may be anyone's: its address is checked before each attempt, its
 * redirects are not followed, and its answers are not read. `test/worker/notifier/push.test.ts` has the cases,
 * `test/e2e/notifier.slow.test.ts` a push service that decrypts.
 *
 * @module
 */

import type { PushMessage } from '#core/owner/push-message.ts'
import { buildPushPayload } from '@block65/webcrypto-web-push'
import { toBase64Url } from '../encoding/base64.ts'
import { postOnce } from '../outbox/post.ts'
import { deliveryOf, type Delivery } from './delivery.ts'
import { isEndpoint } from './device.ts'
import type { Device } from './devices.ts'
import type { Identity } from './identity.ts'
import { PUSH_TTL_SECONDS } from './limits.ts'
import { writeMessage } from './message.ts'

/** What identifies the sender to a push service, and how messages are sent. */
export interface PushParts {
  readonly identity: Identity
  /** Where the operator can be reached: an https or mailto URI. */
  readonly contact: string
  readonly send: typeof fetch
}

/**
 * Where no https address of the console is known, on a machine of its own: services ask for an address and check its form,
 * and no one has a name below `invalid` (RFC 2606).
 */
const NO_CONTACT = 'mailto:owner@edgewise.invalid'

/** Returns the contact of a console at an origin. Apple refuses `https://localhost`, which nothing else could reach. */
export const contactAt = (origin: string | null): string =>
  origin !== null && /^https:\/\/(?!localhost\b)/.test(origin) ? origin : NO_CONTACT

/** Sends a message once. A push service that is not reached is a failed attempt. */
export async function push(
  device: Device,
  message: PushMessage,
  parts: PushParts,
): Promise<Delivery> {
  if (!isEndpoint(device.endpoint)) return { outcome: 'gone', status: null }
  const post = await encrypt(device, message, parts)
  return deliveryOf(await postOnce(device.endpoint, post, parts.send))
}

async function encrypt(
  { endpoint, p256dh, auth }: Device,
  message: PushMessage,
  { identity, contact }: PushParts,
) {
  const { publicKey, privateKey } = identity
  const topic = await topicOf(message.tag, identity)
  return buildPushPayload(
    { data: writeMessage(message), options: { ttl: PUSH_TTL_SECONDS, urgency: 'high', topic } },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    { subject: contact, publicKey, privateKey },
  )
}

/** Bytes of a topic: 32 characters of base64url, the most that RFC 8030 permits. */
const TOPIC_BYTES = 24

/**
 * Returns the topic of a tag: a push service replaces a message of the same topic that it has not delivered. It is a keyed
 * digest, so that no service learns or guesses the name of a workspace.
 */
async function topicOf(tag: string, { digest }: Identity): Promise<string> {
  return toBase64Url((await digest(`topic ${tag}`)).subarray(0, TOPIC_BYTES))
}
