/**
 * What a page passes to the browser to use or create a passkey: the JSON forms of WebAuthn Level 3, section 5.1.
 * Both demand user verification, which `verify.ts` checks.
 *
 * @module
 */

import { toBase64Url } from '../encoding/base64.ts'
import { MAX_CHALLENGE_SECONDS } from './limits.ts'
import type { Passkey } from './table.ts'
import type { PageAddress } from './verify.ts'

// ES256 and RS256, which every authenticator has one of. See the COSE registry of IANA.
/** COSE numbers of the signature algorithms that a passkey can have. */
export const ALGORITHMS = [-7, -257]

const timeout = MAX_CHALLENGE_SECONDS * 1000

/** Builds `PublicKeyCredentialRequestOptionsJSON` for any of the passkeys. */
export function optionsToUse(
  challenge: string,
  passkeys: readonly Passkey[],
  { host }: PageAddress,
) {
  const allowCredentials = passkeys.map(describe)
  return { challenge, rpId: host, timeout, allowCredentials, userVerification: 'required' }
}

/** Builds `PublicKeyCredentialCreationOptionsJSON` for a new passkey, on none of the authenticators of the others. */
export function optionsToCreate(
  challenge: string,
  passkeys: readonly Passkey[],
  { page, name }: { readonly page: PageAddress; readonly name: string },
) {
  // An authenticator replaces the passkey of the same user, so each passkey has a user of its own.
  const id = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  return {
    challenge,
    timeout,
    attestation: 'none',
    rp: { id: page.host, name: 'Edgewise' },
    user: { id, name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: passkeys.filter(({ host }) => host === page.host).map(describe),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  }
}

const describe = ({ credential, transports }: Passkey) => ({
  type: 'public-key',
  id: credential,
  transports,
})
