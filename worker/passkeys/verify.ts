/**
 * Verifies registrations and assertions with `@simplewebauthn/server`. The module is loaded when a passkey is used, and
 * the build leaves attestations out of it. `test/worker/passkeys/attacks.test.ts` has the cases, and
 * `test/e2e/passkey-module.test.ts` tests what is built.
 *
 * @module
 */

import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { Assertion, Registration } from './answers.ts'
import { ALGORITHMS } from './options.ts'
import type { Passkey } from './table.ts'

export { checkSecret } from '../auth/secret-check.ts'

/** The page that an answer must come from. */
export interface PageAddress {
  readonly origin: string
  /** The host name, which is the RP ID. */
  readonly host: string
}

/** What is stored of a credential to verify its answers. */
export type CredentialRecord = Pick<Passkey, 'credential' | 'publicKey' | 'counter'>

/** Checks an answer to `challenge`, with user verification. Null if anything in it is wrong. */
export async function verifyRegistration(
  response: Registration,
  challenge: string,
  { origin, host }: PageAddress,
): Promise<CredentialRecord | null> {
  const { transports: _transports, ...rest } = response.response
  const done = await verifyRegistrationResponse({
    response: { ...response, response: rest },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  if (!done?.verified) return null
  const { id, publicKey, counter } = done.registrationInfo.credential
  return { credential: id, publicKey: new Uint8Array(publicKey), counter }
}

/** Checks an answer of a passkey to `challenge`, with user verification. Returns the new counter, or null. */
export async function verifyAssertion(
  response: Assertion,
  challenge: string,
  { origin, host }: PageAddress,
  { credential: id, publicKey, counter }: CredentialRecord,
): Promise<number | null> {
  const done = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    credential: { id, publicKey, counter },
  }).catch(() => null)
  return done?.verified ? done.authenticationInfo.newCounter : null
}
