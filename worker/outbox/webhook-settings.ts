/**
 * The settings of the webhook, from the variables `EDGEWISE_WEBHOOK` and `EDGEWISE_WEBHOOK_SECRET`.
 *
 * With invalid settings nothing is served, as with an invalid configuration: an owner who relies on the
 * webhook would otherwise wait for notices that are never sent. A secret alone is valid, because the two
 * variables of a deployment are set one after the other.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { fromBase64 } from '../encoding/base64.ts'
import type { Env } from '../env.ts'
import { readReceiver } from './post.ts'

/** Where notices are sent, and the key that signs them. */
export interface WebhookSettings {
  readonly url: string
  readonly key: Uint8Array<ArrayBuffer>
}

const SECRET_PREFIX = 'whsec_'

/** Length of a secret in bytes, as Standard Webhooks recommends it. */
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

// Anyone can read the errors, and both variables may contain a secret, so no error repeats a value.
const refuseUrl = (reason: string) =>
  `Cannot use EDGEWISE_WEBHOOK: ${reason}. Set it to the address of the receiver, or remove it.`

const INVALID_SECRET =
  `Cannot use EDGEWISE_WEBHOOK_SECRET: it must be ${SECRET_PREFIX} followed by base64 of ` +
  `${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes. Set it to the secret that the receiver has, or remove ` +
  'EDGEWISE_WEBHOOK.'

/** Reads the settings; null without a webhook. The error is a whole sentence that repeats no value. */
export function webhookSettings(env: Env): Result<WebhookSettings | null, string> {
  const { EDGEWISE_WEBHOOK: address, EDGEWISE_WEBHOOK_SECRET: secret = '' } = env
  if (!address) return ok(null)
  const url = readReceiver(address)
  if (!url.ok) return err(refuseUrl(url.error))
  const key = secret.startsWith(SECRET_PREFIX)
    ? fromBase64(secret.slice(SECRET_PREFIX.length))
    : null
  if (!key || key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES)
    return err(INVALID_SECRET)
  return ok({ url: url.value, key })
}
