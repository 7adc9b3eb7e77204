/**
 * Parses what authenticators answer: the JSON forms of WebAuthn Level 3, section 5.1. The signatures in them are
 * checked in `verify.ts`.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import * as z from 'zod/mini'
import { fromBase64 } from '../encoding/base64.ts'
import { MAX_CREDENTIAL_ID_LENGTH, MAX_PASSKEY_ANSWER_LENGTH } from './limits.ts'

const text = z.string().check(z.maxLength(MAX_PASSKEY_ANSWER_LENGTH))
const credential = z.string().check(z.minLength(1), z.maxLength(MAX_CREDENTIAL_ID_LENGTH))
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const common = {
  id: credential,
  rawId: credential,
  type: z.literal('public-key'),
  clientExtensionResults: z.pipe(
    z.unknown(),
    z.transform(() => ({})),
  ),
}

/** The answer to a question for a passkey. */
export const Assertion = z.object({
  ...common,
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text }),
})

/** The answer to a question for a new passkey. */
export const Registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.catch(
      z.optional(z.array(z.enum(TRANSPORTS)).check(z.maxLength(TRANSPORTS.length))),
      undefined,
    ),
  }),
})

/** The answer to a question for a passkey. */
export type Assertion = z.infer<typeof Assertion>

/** The answer to a question for a new passkey. */
export type Registration = z.infer<typeof Registration>

/** Parses the text of an assertion, as a header has it; null if it is malformed or too long. */
export function parseAssertion(given: string): Assertion | null {
  if (given.length > MAX_PASSKEY_ANSWER_LENGTH) return null
  try {
    const read = Assertion.safeParse(JSON.parse(given))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** Returns the challenge that client data answer; null if they are malformed, or come from a frame of another site. */
export function challengeIn(clientData: string): string | null {
  const padded = clientData.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = fromBase64(padded.padEnd(Math.ceil(padded.length / 4) * 4, '='))
  if (bytes === null) return null
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!isRecord(data) || data['crossOrigin'] === true) return null
    return typeof data['challenge'] === 'string' ? data['challenge'] : null
  } catch {
    return null
  }
}
