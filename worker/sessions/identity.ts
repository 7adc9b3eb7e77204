/**
 * Identity: who the front has authenticated, and the headers that pass it to the workspace object.
 *
 * A client that signed in through OAuth is a session of the workspace that was chosen at consent, so its
 * scopes, its end and its child sessions work as in any other session.
 *
 * @module
 */

import { decodePercent } from '#core/percent.ts'

/** The owner. */
export interface OwnerIdentity {
  readonly kind: 'owner'
  /** The address that a verified token of Cloudflare Access has; null without one. */
  readonly email: string | null
}

/** The authenticated sender of a request. */
export type Identity =
  /** No sign-in is required: the request comes from this machine, or its link is checked by the workspace. */
  | { readonly kind: 'local' }
  | OwnerIdentity
  | {
      readonly kind: 'client'
      readonly workspace: string
      readonly session: string
      /** Scopes of the token; never more than those of the session. */
      readonly scopes: readonly string[]
    }

/** The header with the principal of a request. */
export const PRINCIPAL_HEADER = 'edgewise-principal'

/** The header with the owner's address, percent-encoded, where Cloudflare Access has proved it. */
export const EMAIL_HEADER = 'edgewise-email'

/** The header that names the session of a signed-in client. */
export const SESSION_HEADER = 'edgewise-session'

/** The header with the scopes of its token, as JSON. */
export const SCOPES_HEADER = 'edgewise-scopes'

/**
 * Builds the headers that pass an identity to the object. The front removes them from every received request.
 */
export function headersOf(identity: Identity): Record<string, string> {
  switch (identity.kind) {
    case 'local':
      return {}
    case 'owner':
      return {
        [PRINCIPAL_HEADER]: 'owner',
        ...(identity.email !== null && { [EMAIL_HEADER]: encodeURIComponent(identity.email) }),
      }
    case 'client':
      return {
        [SESSION_HEADER]: identity.session,
        [SCOPES_HEADER]: JSON.stringify(identity.scopes),
      }
  }
}

/** Returns the address that the front passed on; null without one. */
export function emailIn({ headers }: Pick<Request, 'headers'>): string | null {
  const encoded = headers.get(EMAIL_HEADER)
  return encoded === null ? null : decodePercent(encoded)
}

/** The URL at which a workspace decides the use of a code or token; no request from outside can have it. */
export const SETTLE_URL = 'https://workspace/settle'

/** The URL at which it keeps the answer of a use, as {@link SETTLE_URL}. */
export const KEEP_URL = 'https://workspace/keep'

/** A use of a grant. `refresh` is the hash of the refresh token; null for the code, of which there is one. */
export interface GrantUse {
  readonly session: string
  readonly refresh: string | null
  /** The mark of the refresh token; null without one. */
  readonly mark: string | null
  /** Whether the library has refused it, so that it is no use and only compared with those before. */
  readonly isRefused: boolean
}
