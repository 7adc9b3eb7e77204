/**
 * Uses and creates passkeys in the browser, with `@simplewebauthn/browser`. Failures are sentences for the person.
 * `test/pages/console/passkeys.test.ts` runs both with a virtual authenticator.
 *
 * @module
 */

import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { isRecord, recordOf } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { textIn } from '../ui/storage.ts'

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** Asks the browser for a passkey. Returns the answer as JSON, or why there is none. */
export async function usePasskey(question: unknown): Promise<Result<string, string>> {
  const challenge = textIn(question, 'challenge')
  if (challenge === null) return err(UNREADABLE)
  const rpId = textIn(question, 'rpId')
  const optionsJSON = {
    challenge,
    ...(rpId !== null && { rpId }),
    ...timeoutIn(question),
    allowCredentials: credentialsIn(question, 'allowCredentials'),
    userVerification: 'required',
  } as const
  return run(async () => JSON.stringify(await startAuthentication({ optionsJSON })))
}

/** Asks the browser to create a passkey. Returns the answer as data, or why there is none. */
export async function createPasskey(question: unknown): Promise<Result<unknown, string>> {
  const { rp, user } = recordOf(question)
  const challenge = textIn(question, 'challenge')
  const [rpId, userId] = [textIn(rp, 'id'), textIn(user, 'id')]
  if (challenge === null || rpId === null || userId === null) return err(UNREADABLE)
  const name = textIn(user, 'name') ?? 'owner'
  const optionsJSON = {
    challenge,
    ...timeoutIn(question),
    rp: { id: rpId, name: textIn(rp, 'name') ?? rpId },
    user: { id: userId, name, displayName: name },
    pubKeyCredParams: algorithmsIn(question),
    excludeCredentials: credentialsIn(question, 'excludeCredentials'),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  } as const
  return run<unknown>(() => startRegistration({ optionsJSON }))
}

const UNREADABLE = 'The question of the server is unreadable'

function timeoutIn(question: unknown): { timeout?: number } {
  const { timeout } = recordOf(question)
  return typeof timeout === 'number' ? { timeout } : {}
}

function credentialsIn(question: unknown, name: string) {
  const list = recordOf(question)[name]
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const id = textIn(one, 'id')
    const { transports } = recordOf(one)
    const known = TRANSPORTS.filter(
      (name) => Array.isArray(transports) && transports.includes(name),
    )
    return id === null ? [] : [{ id, type: 'public-key' as const, transports: known }]
  })
}

function algorithmsIn(question: unknown) {
  const { pubKeyCredParams: list } = recordOf(question)
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const alg = isRecord(one) ? one['alg'] : null
    return typeof alg === 'number' ? [{ alg, type: 'public-key' as const }] : []
  })
}

async function run<T>(ceremony: () => Promise<T>): Promise<Result<T, string>> {
  if (!browserSupportsWebAuthn()) return err('This browser cannot use passkeys')
  try {
    return ok(await ceremony())
  } catch (error) {
    return err(describe(error))
  }
}

/** Browsers do not tell a cancelled request from one that took too long, so that pages cannot find out either. */
function describe(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : null
  const name = error instanceof Error ? error.name : ''
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return 'This device already has a passkey for the workspace'
  if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT')
    return 'This device cannot check that it is you. Use one with a PIN, a fingerprint or face recognition'
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' || name === 'SecurityError')
    return 'Passkeys do not work at this address. Open the console at a host name, such as localhost'
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The passkey was not used: it was cancelled, took too long, or is not on this device'
  return 'The browser could not use a passkey'
}
